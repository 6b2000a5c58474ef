/** The stay log of a worker keeps every law: its movements are written by another one, over a channel that takes JSON. */
import { RequestLimits } from "@sojourn/adapter-http"
import { layerRateLimitStore, layerStores } from "@sojourn/adapter-memory"
import { type AnyCaller, StayLog, type Stores } from "@sojourn/core"
import { stayEndingLaws, stayLogLaws } from "@sojourn/testing"
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { decodeFailure, encodeFailure, makeAnswerer, makeCaller, type Methods } from "../../src/workers/Calls.ts"
import { layerRateLimits } from "../../src/limits/RateLimits.ts"
import { limitMethods, remoteLimits } from "../../src/workers/limits.ts"
import { movementMethods, withRemoteMovements } from "../../src/workers/movements.ts"

/** A caller of methods in the same process, with messages in JSON. */
const connected = (methods: Methods) => {
  const answer = makeAnswerer(methods, Effect.runFork, (answers) => {
    const sent = JSON.parse(JSON.stringify(answers))
    setImmediate(() => caller.receive(sent))
  })
  const caller = makeCaller((calls) => {
    const sent = JSON.parse(JSON.stringify(calls))
    setImmediate(() => answer(sent))
  })
  return caller
}

const layer: Layer.Layer<Stores> = Layer.provideMerge(
  Layer.effect(
    StayLog,
    Effect.map(StayLog, (log) => withRemoteMovements(log, connected(movementMethods(log))))
  ),
  layerStores
)

stayLogLaws("a worker", layer, { runs: 5 })
stayEndingLaws("a worker", layer, { runs: 5 })

it.effect("a defect of the primary process is one of the call, and no refusal", () =>
  Effect.gen(function* () {
    const { call } = connected({ break: () => Effect.die(new Error("it broke")) })
    const exit = yield* Effect.exit(Effect.catch(call("break", 1), decodeFailure({})))
    assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && Cause.pretty(exit.cause).includes("it broke"))
  })
)

it.effect("calls at the same moment share a message, and each has its own answer", () =>
  Effect.gen(function* () {
    const messages: Array<number> = []
    const answer = makeAnswerer(
      { double: (n: number) => (n === 3 ? Effect.fail(encodeFailure({ _tag: "Three" })) : Effect.succeed(n * 2)) },
      Effect.runFork,
      (answers) => caller.receive(answers)
    )
    const caller = makeCaller((calls) => {
      messages.push(calls.length)
      answer(calls)
    })
    const doubled = (n: number) => Effect.catch(caller.call("double", n), ({ tag }) => Effect.succeed(tag))
    const doubles = yield* Effect.forEach([1, 2, 3, 4], doubled, { concurrency: "unbounded" })
    assert.deepStrictEqual(doubles, [2, 4, "Three", 8])
    assert.deepStrictEqual(messages, [4])
  })
)

it.effect("workers count one limit for each caller, of every kind, and each network", () =>
  Effect.gen(function* () {
    const limits = { caller: { most: 3, window: 60_000 }, network: { most: 1, window: 60_000 }, trustedProxies: 1 }
    const { caller, network, trustedProxies } = remoteLimits(limits, connected(limitMethods(yield* RequestLimits)))
    assert.strictEqual(trustedProxies, 1)
    const callers = [
      { _tag: "User", userId: "1" },
      { _tag: "Administrator", administratorId: "1" },
      { _tag: "Operator", operatorId: "1" },
      { _tag: "Device", deviceId: 1n, organizationId: 1n },
      { _tag: "Device", deviceId: 2n, organizationId: 1n }
    ] as unknown as ReadonlyArray<AnyCaller>
    for (const one of callers) {
      const remaining: Array<number> = []
      for (let nth = 0; nth < 4; nth++) remaining.push((yield* caller!(one)).remaining)
      assert.deepStrictEqual(remaining, [2, 1, 0, 0])
      assert.isAbove((yield* caller!(one)).wait, 0)
    }
    assert.strictEqual((yield* network!("192.0.2.1")).wait, 0)
    assert.isAbove((yield* network!("192.0.2.1")).wait, 0)
  }).pipe(
    Effect.provide(
      layerRateLimits({ caller: { most: 3, window: 60_000 }, network: { most: 1, window: 60_000 }, trustedProxies: 0 })
    ),
    Effect.provide(layerRateLimitStore)
  )
)
