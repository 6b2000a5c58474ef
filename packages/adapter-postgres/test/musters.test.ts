/** Which stays the list of a muster begins with. */
import { assert, layer as shared } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { migrate } from "../src/migrations/Migrations.ts"
import { PEOPLE, START } from "../src/musters/musters.sql.ts"
import { insertOrganization, layerPostgres, onEmpty } from "./fixtures.ts"

const ORGANIZATION = 1n
const BEGAN = new Date("2026-01-01T10:00:00Z")
const MARKED = new Date("2026-01-01T11:00:00Z")

const organization = insertOrganization(1, "authenticated")

interface Person {
  readonly person: string
  readonly place_ids: string
  readonly state: string | null
}

const shown = (rows: ReadonlyArray<Person>) =>
  rows.map(({ person, place_ids, state }) => [person, place_ids, state]).sort()

shared(layerPostgres, { excludeTestServices: true })("the lists of musters", (it) => {
  it.effect("begin after stays that were opened and closed since movements were stopped", () =>
    onEmpty(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migrate
        yield* organization
        const closed = (id: number, person: string) => sql`
            insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
            values (1, 0, ${id}, ${person}, ${BEGAN}, ${MARKED})`
        yield* closed(2, "gone")
        yield* sql`insert into open_stay (organization_id, place_id, id, person, key_id, entered_at, recorded_at)
            values (1, 0, 1, 'before', 0, ${BEGAN}, ${BEGAN}), (1, 0, 3, 'since', 0, ${BEGAN}, ${BEGAN})`
        const values = [ORGANIZATION, "authenticated", "drill", null, BEGAN, "ada", 1n, [], 0n, 0n, 0n]
        const [muster] = yield* sql.unsafe<{ readonly id: bigint }>(START, values)
        yield* sql`delete from open_stay`
        yield* closed(1, "before")
        yield* closed(3, "since")
        yield* closed(4, "later")
        assert.deepStrictEqual(
          shown(yield* sql.unsafe<Person>(PEOPLE, [ORGANIZATION, muster!.id])),
          ["before", "later", "since"].map((person) => [person, "{}", "left"])
        )
      })
    )
  )
})
