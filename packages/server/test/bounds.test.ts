/** The flags for bounds, presence streams and upkeep: what they mean, and the message about an invalid value. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { boundsOf, streamsOf } from "../src/commands/bounds.ts"
import { upkeepOf } from "../src/commands/upkeep.ts"

const USUAL = {
  maxConnections: "10000",
  maxInFlight: "2048",
  keepAlive: "65s",
  metricsPort: "",
  drainDelay: "1s",
  drainTimeout: "10s",
  maxSubscribers: "2000",
  maxSubscribersPerCaller: "20",
  streamLifetime: "1h",
  sweepInterval: "1m",
  feedRetention: "7d",
  historyRetention: "90d",
  musterRetention: "30d",
  auditRetention: "400d"
}
const all = (flags: typeof USUAL) => Effect.all([boundsOf(flags), streamsOf(flags), upkeepOf(flags)])

describe("the flags for bounds, presence streams and upkeep", () => {
  it.effect("are parsed as numbers and durations", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* all(USUAL), [
        {
          maxConnections: 10_000,
          maxInFlight: 2048,
          keepAlive: Duration.seconds(65),
          metricsPort: undefined,
          drainDelay: Duration.seconds(1),
          drainTimeout: Duration.seconds(10)
        },
        { maxSubscribers: 2000, maxSubscribersPerCaller: 20, streamLifetime: Duration.hours(1) },
        {
          sweepInterval: Duration.minutes(1),
          feedRetention: Duration.days(7),
          historyRetention: Duration.days(90),
          musterRetention: Duration.days(30),
          auditRetention: Duration.days(400)
        }
      ])
      assert.strictEqual((yield* boundsOf({ ...USUAL, metricsPort: "65535" })).metricsPort, 65_535)
      assert.strictEqual((yield* boundsOf({ ...USUAL, metricsPort: "0" })).metricsPort, 0)
      assert.isUndefined((yield* upkeepOf({ ...USUAL, sweepInterval: "0" })).sweepInterval)
    })
  )

  const WRONG: ReadonlyArray<readonly [flag: string, flags: Partial<typeof USUAL>]> = [
    ["--max-connections", { maxConnections: "0" }],
    ["--max-in-flight", { maxInFlight: "-1" }],
    ["--max-in-flight", { maxInFlight: "1e3" }],
    ["--keep-alive", { keepAlive: "0s" }],
    ["--keep-alive", { keepAlive: "65" }],
    ["--metrics-port", { metricsPort: "65536" }],
    ["--metrics-port", { metricsPort: "http" }],
    ["--drain-delay", { drainDelay: "soon" }],
    ["--drain-timeout", { drainTimeout: "10" }],
    ["--max-subscribers", { maxSubscribers: "0" }],
    ["--max-subscribers-per-caller", { maxSubscribersPerCaller: "0" }],
    ["--stream-lifetime", { streamLifetime: "0s" }],
    ["--stream-lifetime", { streamLifetime: "250ms" }],
    ["--sweep-interval", { sweepInterval: "0s" }],
    ["--feed-retention", { feedRetention: "a week" }],
    ["--history-retention", { historyRetention: "0d" }],
    ...["0", "0d", "30", "forever", "-1d"].map(
      (musterRetention) => ["--muster-retention", { musterRetention }] as const
    )
  ]
  for (const [flag, flags] of WRONG) {
    const value = Object.values(flags)[0]!
    it.effect(`refuse an invalid value, naming flag and value: ${flag} ${value}`, () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(all({ ...USUAL, ...flags }))
        assert.isTrue(message.startsWith(`${flag} is `) && message.endsWith(`: ${value}`), message)
      })
    )
  }
})
