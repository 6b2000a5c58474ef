import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { type BoundFlags, boundsOf } from "../src/commands/bounds.ts"
import { streamsOf } from "../src/commands/streams.ts"

const USUAL: BoundFlags = {
  maxConnections: "10000",
  maxInFlight: "2048",
  probePort: "",
  drainDelay: "1s",
  drainTimeout: "10s"
}

describe("the flags for the server's limits", () => {
  it.effect("are parsed as numbers and durations", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* boundsOf(USUAL), {
        maxConnections: 10_000,
        maxInFlight: 2048,
        probePort: undefined,
        drainDelay: Duration.seconds(1),
        drainTimeout: Duration.seconds(10)
      })
      assert.strictEqual((yield* boundsOf({ ...USUAL, probePort: "65535" })).probePort, 65_535)
      assert.strictEqual((yield* boundsOf({ ...USUAL, probePort: "0" })).probePort, 0)
    })
  )

  const WRONG: ReadonlyArray<readonly [flag: string, flags: Partial<BoundFlags>]> = [
    ["--max-connections", { maxConnections: "0" }],
    ["--max-in-flight", { maxInFlight: "-1" }],
    ["--max-in-flight", { maxInFlight: "1e3" }],
    ["--probe-port", { probePort: "65536" }],
    ["--probe-port", { probePort: "http" }],
    ["--drain-delay", { drainDelay: "soon" }],
    ["--drain-timeout", { drainTimeout: "10" }]
  ]
  for (const [flag, flags] of WRONG) {
    const value = Object.values(flags)[0]!
    it.effect(`refuse an invalid value, naming flag and value: ${flag} ${value}`, () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(boundsOf({ ...USUAL, ...flags }))
        assert.isTrue(message.startsWith(`${flag} is `) && message.endsWith(`: ${value}`), message)
      })
    )
  }
})

describe("the flags for presence streams", () => {
  const USUAL = { maxSubscribers: "2000", streamLifetime: "1h", feedRetention: "7d", historyRetention: "90d" }

  it.effect("are parsed as a number and durations", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* streamsOf(USUAL), {
        maxSubscribers: 2000,
        streamLifetime: Duration.hours(1),
        feedRetention: Duration.days(7),
        historyRetention: Duration.days(90)
      })
    })
  )

  for (const [flag, flags] of [
    ["--max-subscribers", { maxSubscribers: "0" }],
    ["--stream-lifetime", { streamLifetime: "0s" }],
    ["--stream-lifetime", { streamLifetime: "250ms" }],
    ["--feed-retention", { feedRetention: "a week" }],
    ["--history-retention", { historyRetention: "0d" }]
  ] as const) {
    const value = Object.values(flags)[0]!
    it.effect(`refuse an invalid value, naming flag and value: ${flag} ${value}`, () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(streamsOf({ ...USUAL, ...flags }))
        assert.isTrue(message.startsWith(`${flag} is `) && message.endsWith(`: ${value}`), message)
      })
    )
  }
})
