/** The scenes of `npm run live` in seconds: what they check holds. No time is judged. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf, measure, type Measured, SCENES, tableOf } from "../live/scenes.ts"

describe("live", () => {
  it.live("every subscriber receives each event once, also one that pauses", () =>
    Effect.gen(function* () {
      const scene = { name: "short", subscribers: 5, perSecond: 100, hasSlowReader: true, hasOpenTransaction: true }
      const measured = yield* measure(scene, 2)
      assert.deepStrictEqual(faultsOf(measured), [])
      assert.isAbove(measured.heard.events, 0)
      assert.match(tableOf([measured]), /\| short /)
    })
  )

  it.live("connections that read nothing cost others nothing, and further streams are refused", () =>
    Effect.gen(function* () {
      const measured = yield* measure({ name: "short", subscribers: 2, silent: 30, perSecond: 20 }, 2)
      assert.deepStrictEqual(faultsOf(measured), [])
      assert.strictEqual(measured.heard.silent, 30)
    })
  )

  it("reports each fault of a scene", () => {
    const heard = {
      connected: 200,
      silent: 0,
      refused: 0,
      events: 9,
      snapshots: {},
      gaps: 0,
      wrongSums: 0,
      p50: 1,
      p99: 1,
      longest: 1,
      last: ["state"],
      errors: {}
    }
    const [scene] = SCENES
    const faults = (some: Partial<typeof heard>, losses: ReadonlyArray<string> = []) =>
      faultsOf({ scene, heard: { ...heard, ...some }, outcome: { errors: {} }, losses } as unknown as Measured)
    assert.deepStrictEqual(faults({}), [])
    for (const some of [
      { connected: 199 },
      { silent: 1 },
      { gaps: 1 },
      { wrongSums: 1 },
      { last: ["a", "b"] },
      { events: 0 }
    ]) {
      assert.lengthOf(faults(some), 1, JSON.stringify(some))
    }
    assert.deepStrictEqual(faults({ errors: { closed: 2 } }, ["lost"]), ["crowd: lost", "crowd: 2 times closed"])
  })
})
