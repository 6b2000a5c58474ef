/** The accuracy of the geofence on simulated walks and days, with each kind of noise: `npm run tracks` in short. */
import { assert, describe, it } from "@effect/vitest"
import { type MakeDecider, NOISE_KINDS, type NoiseKind, type Score, scoreGeofence, scoreTracks } from "@sojourn/testing"
import { makeGeofence } from "../../../src/index.ts"

const ours: MakeDecider = (area) => makeGeofence([area])

/** Bounds on generated tracks: far above what was measured on many, so that chance breaks none. */
const BOUNDS: Score = {
  still: 0.7,
  near: 4,
  apart: 0,
  indoors: 0.7,
  missed: 0.02,
  invented: 0.08,
  entranceDelay: 120,
  exitDelay: 330,
  timestampError: 20
}

const KINDS: Readonly<Record<NoiseKind, Partial<Score>>> = {
  good: { still: 0, near: 0.7, invented: 0.05, timestampError: 12 },
  urban: { still: 0 },
  jumps: { still: 0.4 },
  manyJumps: { still: 1.4 },
  constant: {},
  badIndoors: { missed: 0.06, entranceDelay: 240, timestampError: 40 },
  clock: { still: 0 },
  canyon: { near: 8, apart: 1.4 }
}

const assertWithin = (score: Score, bounds: Score) => {
  for (const [name, most] of Object.entries(bounds) as ReadonlyArray<[keyof Score, number]>) {
    assert.isAtMost(score[name], most, name)
  }
}

describe("the geofence on generated tracks", () => {
  it.each(Object.entries(KINDS) as ReadonlyArray<[NoiseKind, Partial<Score>]>)(
    "is within bounds: %s",
    (kind, bounds) => {
      const score = scoreGeofence(
        ours,
        scoreTracks({ seed: 20260601, walks: 6, days: 10, positioning: NOISE_KINDS[kind] })
      )
      assertWithin(score, { ...BOUNDS, ...bounds })
    }
  )

  it("works with sparse fixes", () => {
    const score = scoreGeofence(ours, scoreTracks({ seed: 20260603, walks: 12, days: 2, interval: 60_000 }))
    assertWithin(score, {
      ...BOUNDS,
      missed: 0.05,
      invented: 0.1,
      entranceDelay: 300,
      exitDelay: 400,
      timestampError: 50
    })
  })
})
