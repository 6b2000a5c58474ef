/** The scenes of `npm run live` in seconds: what they check holds. No time is judged. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readArguments, SCENES } from "../live/Arguments.ts"
import { live } from "../live/live.ts"
import { webhooks } from "../live/webhooks.ts"
import { faultsOf, report } from "../live/report.ts"

describe("live", () => {
  it.live("every subscriber receives each event once, also one that pauses", () =>
    Effect.gen(function* () {
      const scene = { name: "short", subscribers: 5, perSecond: 100, hasSlowReader: true }
      const measured = yield* live(
        { scenes: [scene], hasCounters: false, hasWebhooks: false, hasMusters: false, seconds: 2, flags: [] },
        () => {}
      )
      assert.deepStrictEqual(measured.flatMap(faultsOf), [])
      assert.isAbove(measured[0]!.heard.events, 0)
      assert.match(report(measured), /\| short /)
    })
  )

  it.live("connections that read nothing cost others nothing, and further streams are refused", () =>
    Effect.gen(function* () {
      const scene = { name: "short", subscribers: 2, silent: 30, perSecond: 20 }
      const measured = yield* live(
        { scenes: [scene], hasCounters: false, hasWebhooks: false, hasMusters: false, seconds: 2, flags: [] },
        () => {}
      )
      assert.deepStrictEqual(measured.flatMap(faultsOf), [])
      assert.strictEqual(measured[0]!.heard.silent, 30)
    })
  )

  it.live("webhooks get each event once, also beside slow receivers", () =>
    Effect.gen(function* () {
      const told = yield* webhooks(() => {}, [{ webhooks: 12, changes: 10, every: 0, slow: 2 }])
      assert.match(told, /\| 12, 2 slow +\| +100 \|/)
    })
  )

  it.effect("reads its arguments", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* readArguments([]), {
        scenes: SCENES,
        hasCounters: true,
        hasWebhooks: true,
        hasMusters: true,
        seconds: 20
      })
      const read = yield* readArguments(["counters", "idle", "--seconds", "3", "--", "--max-in-flight", "9"])
      assert.deepStrictEqual(
        [read.scenes.map(({ name }) => name), read.hasCounters, read.seconds, read.flags.slice(-2)],
        [["idle"], true, 3, ["--max-in-flight", "9"]]
      )
      assert.match((yield* Effect.flip(readArguments(["crowds"]))).message, /there is no scene "crowds"/)
      assert.match((yield* Effect.flip(readArguments(["--seconds", "0"]))).message, /is no number above zero/)
    })
  )
})
