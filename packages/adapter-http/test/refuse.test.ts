/** The mapping from refusals of the core to HTTP errors, and the causes that it must not map: defects and interruptions. */
import { assert, describe, it } from "@effect/vitest"
import { ExitNotMatched } from "@sojourn/core"
import { Cause, Effect, Exit } from "effect"
import { BadRequest, Conflict } from "../src/api/shared/refusals.ts"
import { refuse } from "../src/handlers/shared/refuse.ts"

const refused = Cause.fail(new ExitNotMatched())
const bug = new Error("a bug")

describe("the refusals of the core", () => {
  it.effect("become the usual status, or the exception that the specification makes for an endpoint", () =>
    Effect.gen(function* () {
      const asUsual = yield* Effect.flip(refuse()(Effect.failCause(refused)))
      const asException = yield* Effect.flip(refuse({ ExitNotMatched: Conflict })(Effect.failCause(refused)))
      assert.instanceOf(asUsual, BadRequest)
      assert.instanceOf(asException, Conflict)
    })
  )

  it.effect("do not hide what broke besides, in whichever order they come", () =>
    Effect.gen(function* () {
      for (const cause of [Cause.combine(refused, Cause.die(bug)), Cause.combine(Cause.die(bug), refused)]) {
        const exit = yield* Effect.exit(refuse()(Effect.failCause(cause)))
        assert.deepStrictEqual(exit, Exit.die(bug))
      }
    })
  )

  it.effect("are not made of an interruption, nor of what went well", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(refuse()(Effect.failCause(Cause.interrupt(1))))
      assert.isTrue(Exit.hasInterrupts(exit))
      assert.strictEqual(yield* refuse()(Effect.succeed(1)), 1)
    })
  )
})
