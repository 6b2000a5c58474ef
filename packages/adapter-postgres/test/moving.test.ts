/** A move takes everything of an organization along: each table, with values that a careless copy would change. */
import { CellNumber, OrganizationId } from "@sojourn/core"
import { assert, layer as shared } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { AHEAD, IN_PAUSE } from "../src/cells/moving.sql.ts"
import { CellMoves, layer, moveOrganization } from "../src/index.ts"
import { fill } from "./everything.ts"
import { emptyDatabase, layerPostgres } from "./fixtures.ts"

const ORGANIZATION = OrganizationId.make(1n)
const OTHER = OrganizationId.make(2n)

/** What a cell numbers anew, and who sends webhooks. */
const OF_THE_CELL = ["granted", "added", "holder", "leased_until"]

const MOVED = [...Object.keys(AHEAD), ...IN_PAUSE]

const aCell = Effect.fnUntraced(function* (number: number) {
  const stores = yield* Layer.build(Layer.fresh(layer(yield* emptyDatabase, { schema: `cell_${number}` })))
  const sql = Context.get(stores, SqlClient.SqlClient)
  return { number: CellNumber.make(number), moves: Context.get(stores, CellMoves), sql }
})

/** The rows of an organization in each table. */
const rowsOf = Effect.fnUntraced(function* ({ sql }: Effect.Success<ReturnType<typeof aCell>>, id: OrganizationId) {
  const found: Record<string, ReadonlyArray<string>> = {}
  for (const table of MOVED) {
    const rows = yield* sql.unsafe<{ readonly row: string }>(
      `select to_json(t)::text as row from ${table} t where ${
        table === "organization"
          ? "id = $1"
          : table === "webhook_attempt"
            ? "webhook_id in (select id from webhook where organization_id = $1)"
            : "organization_id = $1"
      }`,
      [id]
    )
    found[table] = rows
      .map(({ row }) => row.replace(new RegExp(`"(${OF_THE_CELL.join("|")})":("[^"]*"|null|[0-9]+),?`, "g"), ""))
      .sort()
  }
  return found
})

shared(layerPostgres, { excludeTestServices: true })("a move", (it) => {
  it.effect("takes all rows of the organization along, and back, and no other", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* aCell(0), yield* aCell(1)]
      yield* Effect.provideService(fill, SqlClient.SqlClient, one.sql)
      const [before, others] = [yield* rowsOf(one, ORGANIZATION), yield* rowsOf(one, OTHER)]
      const filled = Object.entries({ ...others, ...before }).filter(([, rows]) => rows.length === 0)
      assert.deepStrictEqual(
        filled.map(([table]) => table).filter((table) => others[table]!.length === 0),
        []
      )
      const to = (cell: typeof one) =>
        moveOrganization([one, other], {
          organizationId: ORGANIZATION,
          to: cell.number,
          onStep: () => Effect.void,
          locked: (effect) => effect
        })
      const nothing = Object.fromEntries(MOVED.map((table) => [table, []]))
      yield* to(other)
      assert.deepStrictEqual(yield* rowsOf(other, ORGANIZATION), before)
      assert.deepStrictEqual(yield* rowsOf(one, ORGANIZATION), nothing)
      const orders = yield* other.sql<{ readonly of: string }>`
        select administrator_id as of from permission order by granted`
      assert.strictEqual(orders[0]!.of, "ada")
      const [accounts] = yield* other.sql<{ readonly n: bigint }>`
        select count(*) as n from administrator_account where mail is null and password_hash is null`
      assert.strictEqual(accounts!.n, 2n)
      yield* to(one)
      assert.deepStrictEqual(yield* rowsOf(one, ORGANIZATION), before)
      assert.deepStrictEqual(yield* rowsOf(other, ORGANIZATION), nothing)
      assert.deepStrictEqual(yield* rowsOf(one, OTHER), others)
    })
  )
})
