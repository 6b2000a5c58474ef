/** A crowd of simulated people who come to an organization of the demo, visit its places, and leave. */
import {
  Movements,
  type OrganizationId,
  OrganizationPremises,
  type PlaceId,
  PlacePremises,
  type Premises,
  User,
  UserId
} from "@sojourn/core"
import { Clock, Effect, Random } from "effect"
import type { Attraction } from "./campus.ts"

export interface CrowdOptions {
  readonly organizationId: OrganizationId
  readonly attractions: ReadonlyArray<Attraction>
  /** How many people there are. About three quarters of them are inside at a time. */
  readonly size: number
}

/** Means of times, in milliseconds. A person makes a movement every 50 seconds or so. */
const MEAN_MS = { away: 100_000, visit: 90_000, walk: 8_000 }

/** How much of the crowd is there when it begins. */
export const PART_PRESENT = 0.75

/** How many places a person visits at most before they leave. */
const MAX_VISITS = 5

/** The time in which the pull of a place rises and falls once, in milliseconds. */
const WAVE_MS = 8 * 60_000

/** How long a person waits when the storage is away, in milliseconds. */
const UNAVAILABLE_PAUSE_MS = 10_000

/**
 * A time that is exponentially distributed around a mean, and at most four times as long, from a random number from 0 to 1: people
 * come and go independently of each other.
 */
export const spread = (mean: number, random: number): number => Math.min(4 * mean, -Math.log(1 - random) * mean)

/** The index of one of the weights, each as often as its weight says, by a random number from 0 to 1; undefined where all are 0. */
export const indexByWeight = (weights: ReadonlyArray<number>, random: number): number | undefined => {
  let rest = random * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, weight] of weights.entries()) {
    rest -= weight
    if (rest < 0) return index
  }
  return undefined
}

/**
 * The index of the place that a person visits at a time, from a random number from 0 to 1. Pulls rise and fall, one place after the
 * other, between a fifth and nine fifths of the place's own.
 */
export const choose = (pulls: ReadonlyArray<number>, now: number, random: number): number => {
  const weights = pulls.map((pull, i) => pull * (1 + 0.8 * Math.sin(2 * Math.PI * (now / WAVE_MS + i / pulls.length))))
  return indexByWeight(weights, random) ?? pulls.length - 1
}

const pause = (mean: number) => Effect.flatMap(Random.next, (random) => Effect.sleep(spread(mean, random)))

/**
 * Runs a crowd until it is interrupted: then all of them leave. It goes through the use case of movements, as phones do through the
 * interface. A crowd ends by itself when its organization no longer takes it in.
 */
export const runCrowd = Effect.fnUntraced(function* ({ organizationId, attractions, size }: CrowdOptions) {
  const { track } = yield* Movements
  const pulls = attractions.map(({ pull }) => pull)

  /** Enters, is inside for as long as `use` takes, and leaves whatever becomes of it. */
  const visit = <E, R>(user: User, premises: Premises, use: Effect.Effect<void, E, R>) =>
    Effect.acquireUseRelease(
      track(user, { _tag: "Entrance", premises }),
      () => use,
      ({ exitToken }) => Effect.ignore(track(user, { _tag: "Exit", premises, exitToken }))
    )

  /** Visits a place and those that it is a part of, the outermost first. One that is not there any more is passed by. */
  const visitPlace = (user: User, path: ReadonlyArray<PlaceId>) =>
    path.reduceRight((use, id) => Effect.ignore(visit(user, PlacePremises(id), use)), pause(MEAN_MS.visit))

  const visitPlaces = Effect.fnUntraced(function* (user: User) {
    const visits = yield* Random.nextIntBetween(1, MAX_VISITS)
    for (let i = 0; i < visits; i++) {
      const place = attractions[choose(pulls, yield* Clock.currentTimeMillis, yield* Random.next)]
      if (place !== undefined) yield* visitPlace(user, [...place.within, place.id])
      yield* pause(MEAN_MS.walk)
    }
  })

  const live = Effect.fnUntraced(function* (n: number) {
    const user = User(UserId.make(`demo-crowd-${n}`))
    const premises = OrganizationPremises(organizationId)
    if ((yield* Random.next) >= PART_PRESENT) yield* pause(MEAN_MS.away)
    const visitOnce = Effect.gen(function* () {
      yield* visit(user, premises, visitPlaces(user)).pipe(
        Effect.catchTag("StoreError", () => Effect.sleep(UNAVAILABLE_PAUSE_MS))
      )
      yield* pause(MEAN_MS.away)
    })
    return yield* Effect.forever(visitOnce)
  })

  yield* Effect.forEach(Array.from({ length: size }).keys(), (n) => Effect.ignore(live(n + 1)), {
    concurrency: "unbounded",
    discard: true
  })
})
