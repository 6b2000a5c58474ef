import { assert, describe, it } from "@effect/vitest"
import { RequestLimits } from "@sojourn/adapter-http"
import { layerAllowances, layerClient } from "@sojourn/adapter-postgres"
import { User, UserId } from "@sojourn/core"
import { Context, Effect, Layer, Redacted } from "effect"
import { makePseudonyms } from "../../src/limits/Pseudonyms.ts"
import { layerRateLimits } from "../../src/limits/RateLimits.ts"

const key = (id: number, byte: number) => ({ id, secret: Redacted.make(new Uint8Array(32).fill(byte)) })

describe("limits whose store is away", () => {
  it.live("refuse nobody", () =>
    Effect.gen(function* () {
      // Nobody listens on port 1.
      const nowhere = layerClient({ url: Redacted.make("postgresql://nobody@127.0.0.1:1/nothing") })
      const limits = layerRateLimits({ caller: { most: 1, window: 60_000 }, trustedProxies: 0 }, []).pipe(
        Layer.provide(layerAllowances.pipe(Layer.provide(nowhere)))
      )
      const { caller } = Context.get((yield* Layer.build(limits)) as Context.Context<never>, RequestLimits)
      for (let nth = 0; nth < 3; nth++) assert.strictEqual(yield* caller!(User(UserId.make("somebody"))), 0)
    }).pipe(Effect.scoped)
  )
})

describe("the names that allowances are kept under", () => {
  it("tell nothing, and are the same on all servers with the same last key", () => {
    const name = makePseudonyms([key(2, 2), key(1, 1)])("user somebody")
    assert.notInclude(name, "somebody")
    assert.strictEqual(makePseudonyms([key(1, 1)])("user somebody"), name)
    assert.notStrictEqual(makePseudonyms([key(2, 2)])("user somebody"), name)
    assert.notStrictEqual(makePseudonyms([key(1, 1)])("user somebody else"), name)
  })
})
