/** Counters are dispatched concurrently while their statement mostly waits, seen on a fake database with a test clock. */
import { assert, describe, it } from "@effect/vitest"
import { AdministratorId, OrganizationId, OrganizationPremises } from "@sojourn/core"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { Database } from "../src/database/Database.ts"
import { makePremisesDirectory } from "../src/database/PremisesDirectory.ts"
import { makeStoring } from "../src/database/Storing.ts"
import { makeStayReads } from "../src/stays/StayReads.ts"

const INSIDE = 1_000_000

/** How long each statement takes. */
const TIME = "2 millis"

const premises = OrganizationPremises(OrganizationId.make(1n))

describe("counting", () => {
  it.effect("a large crowd goes on beside itself where the statement waits for most of its time", () =>
    Effect.gen(function* () {
      let underway = 0
      let most = 0
      const db: Database = {
        run: () =>
          Effect.suspend(() => {
            most = Math.max(most, ++underway)
            return Effect.delay(Effect.succeed([{ n: 1, level: "viewer", inside: BigInt(INSIDE) }] as never), TIME)
          }).pipe(Effect.ensuring(Effect.sync(() => underway--))),
        transaction: () => Effect.die("counters use no transaction"),
        snapshot: () => Effect.die("counters use no transaction")
      }
      const storing = makeStoring(db, Effect.void)
      const { countOpen } = yield* makeStayReads(db, makePremisesDirectory(db), storing, Effect.void, true)
      const ask = Effect.fnUntraced(function* () {
        const asked = yield* Effect.forkChild(countOpen(AdministratorId.make("ada"), premises), {
          startImmediately: true
        })
        yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
        return asked
      })
      for (let i = 0; i < 40; i++) {
        const asked = yield* ask()
        yield* TestClock.adjust(TIME)
        assert.strictEqual(yield* Fiber.join(asked), INSIDE)
      }
      assert.strictEqual(most, 1)
      const asked = yield* Effect.forEach([1, 2, 3, 4, 5], ask)
      yield* TestClock.adjust("4 millis")
      assert.deepStrictEqual(
        yield* Fiber.joinAll(asked),
        asked.map(() => INSIDE)
      )
      assert.strictEqual(most, 4)
    })
  )
})
