/**
 * Checks the laws of all ports on three cells that are schemas of Citus. SOJOURN_CITUS_URL names the coordinator, of version 13 or newer, with
 * two workers: an empty database of tests.
 */
import { moveOrganization } from "@sojourn/service"
import { storeLaws } from "@sojourn/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { NUMBERS } from "./cells.ts"
import { citusSchemas, citusUrl, layerCitusCells } from "./citus.ts"
import { lawOptions } from "./lawOptions.ts"
import { aServer, create, open, visitorsOf } from "./moving.ts"

if (citusUrl === undefined) {
  describe("cells on Citus", () => {
    it.skip("keep the laws: SOJOURN_CITUS_URL names no coordinator", () => {})
  })
} else {
  storeLaws("three schemas of Citus", layerCitusCells(citusUrl), { ...lawOptions, runs: 10 })

  describe("an organization", () => {
    it.live("moves to a cell on Citus, from there to another one, and back", () =>
      Effect.gen(function* () {
        const prefix = yield* citusSchemas(citusUrl!)
        const found = NUMBERS.map((number) => ({
          number,
          address: { url: Redacted.make(citusUrl!) },
          schema: `${prefix}_${number}`,
          citus: number > 0
        }))
        const server = yield* aServer(found)
        const cells = yield* open(found)
        const { id } = yield* Effect.provide(create("Library"), server)
        const people = visitorsOf(server, id)
        const kept = yield* people.enter("key")
        yield* people.leave((yield* people.enter()).id)
        let inside = 1
        for (const to of [NUMBERS[1]!, NUMBERS[2]!, NUMBERS[0]!]) {
          yield* moveOrganization(cells, { organizationId: id, to, onStep: () => Effect.void })
          assert.strictEqual((yield* people.enter("key")).id, kept.id)
          yield* people.enter()
          yield* people.publish
          assert.strictEqual(yield* people.count, ++inside)
          const [snapshot] = yield* people.snapshot
          assert.isDefined(snapshot)
        }
        yield* people.leave(kept.id)
        assert.strictEqual(yield* people.count, inside - 1)
      })
    )
  })
}
