/** The lists of musters: how earlier versions kept them, and which stays they begin with. */
import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { migrate, migrateTo } from "../src/migrations/Migrations.ts"
import { ENTRIES_OF_PERSON, FROZEN_PEOPLE, PEOPLE, START } from "../src/musters/musters.sql.ts"
import { insertOrganization, layerPostgres, onEmpty } from "./given.ts"

const ORGANIZATION = 1n
const BEGAN = new Date("2026-01-01T10:00:00Z")
const MARKED = new Date("2026-01-01T11:00:00Z")

const organization = insertOrganization(1, "authenticated")

interface Person {
  readonly person: string
  readonly place_ids: string
  readonly state: string | null
  readonly marked_at: Date | null
}

const shown = (rows: ReadonlyArray<Person>) =>
  rows.map(({ person, place_ids, state }) => [person, place_ids, state]).sort()

shared(layerPostgres, { excludeTestServices: true })("the lists of musters", (it) => {
  it.effect("keep the people of open and of ended musters of the version before", () =>
    onEmpty(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migrateTo(13)
        yield* organization
        yield* sql`insert into muster (organization_id, mode, kind, started_at, started_by, ended_at, last_stay, exits, inside)
            values (1, 'authenticated', 'drill', ${BEGAN}, 'ada', ${MARKED}, 0, 0, 2), (1, 'authenticated', 'drill', ${BEGAN}, 'ada', null, 9, 0, 3)`
        yield* sql`insert into open_stay (organization_id, place_id, id, person, key_id, entered_at, recorded_at)
            values (1, 0, 7, 'bob', 0, ${BEGAN}, ${BEGAN})`
        yield* sql`insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
            values (1, 5, 8, 'cleo', ${BEGAN}, ${MARKED})`
        yield* sql`insert into muster_person
            (organization_id, muster_id, person, place_ids, since, marked_at, stay_places, stay_ids, state, at) values
            (1, 1, 'ada', '{5,6}', ${BEGAN}, null, '{}', '{}', 'left', null),
            (1, 1, 'bob', '{}', null, null, '{}', '{}', 'safe', ${MARKED}),
            (1, 2, 'bob', '{}', ${BEGAN}, ${MARKED}, '{0}', '{7}', null, null),
            (1, 2, 'cleo', '{5}', ${BEGAN}, null, '{5}', '{8}', null, null),
            (1, 2, 'dan', '{}', null, ${MARKED}, '{}', '{}', null, null)`
        yield* migrate
        assert.deepStrictEqual(shown(yield* sql.unsafe<Person>(FROZEN_PEOPLE, [ORGANIZATION, 1n])), [
          ["ada", "{5,6}", "left"],
          ["bob", "{}", "safe"]
        ])
        assert.deepStrictEqual(shown(yield* sql.unsafe<Person>(PEOPLE, [ORGANIZATION, 2n, 9n])), [
          ["bob", "{}", "safe"],
          ["cleo", "{5}", "left"],
          ["dan", "{}", "safe"]
        ])
        const entries = yield* sql.unsafe<Person & { readonly muster_id: bigint }>(ENTRIES_OF_PERSON, [
          ORGANIZATION,
          "bob"
        ])
        assert.deepStrictEqual(
          entries.map(({ muster_id, state, marked_at }) => [muster_id, state, marked_at]),
          [
            [1n, "safe", null],
            [2n, null, MARKED]
          ]
        )
      })
    )
  )

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
        const values = [ORGANIZATION, "authenticated", "drill", null, BEGAN, "ada", 1n]
        const [muster] = yield* sql.unsafe<{ readonly id: bigint }>(START, values)
        yield* sql`delete from open_stay`
        yield* closed(1, "before")
        yield* closed(3, "since")
        yield* closed(4, "later")
        assert.deepStrictEqual(
          shown(yield* sql.unsafe<Person>(PEOPLE, [ORGANIZATION, muster!.id, 1n])),
          ["before", "later", "since"].map((person) => [person, "{}", "left"])
        )
      })
    )
  )
})
