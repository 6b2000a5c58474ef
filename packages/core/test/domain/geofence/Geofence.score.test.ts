/** The accuracy of the geofence on simulated walks: missed and invented visits, delays and timestamp errors. */
import { assert, describe, it } from "@effect/vitest"
import { good, type MakeDecider, scoreGeofence, scoreTracks } from "@sojourn/testing"
import { makeGeofence } from "../../../src/index.ts"

const ours: MakeDecider = (area) => makeGeofence([area])

/** Bounds on generated tracks: far above what was measured on many, so that chance breaks none. */
describe("the geofence on generated tracks", () => {
  it("misses no visit in a street, invents few, and rests where the phone rests", () => {
    const score = scoreGeofence(ours, scoreTracks({ seed: 20260601, walks: 12, days: 3 }))
    assert.strictEqual(score.still, 0)
    assert.strictEqual(score.apart, 0)
    assert.isAtMost(score.near, 4)
    assert.isAtMost(score.missed, 0.02)
    assert.isAtMost(score.invented, 0.08)
    assert.isAtMost(score.entranceDelay, 120)
    assert.isAtMost(score.exitDelay, 220)
    assert.isAtMost(score.timestampError, 20)
  })

  it("is better with good phones, and works with sparse fixes", () => {
    const sharp = scoreGeofence(ours, scoreTracks({ seed: 20260602, walks: 8, days: 1, positioning: good }))
    assert.strictEqual(sharp.still + sharp.apart + sharp.missed, 0)
    assert.isAtMost(sharp.invented, 0.05)
    assert.isAtMost(sharp.timestampError, 12)
    const sparse = scoreGeofence(ours, scoreTracks({ seed: 20260603, walks: 20, days: 3, interval: 60_000 }))
    assert.isAtMost(sparse.still + sparse.apart, 1)
    assert.isAtMost(sparse.missed, 0.05)
    assert.isAtMost(sparse.invented, 0.1)
  })
})
