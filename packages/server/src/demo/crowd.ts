/** A crowd of simulated people who come to an organization of the demo, visit its places, and leave. */
import {
  type ExitToken,
  type Movement,
  Movements,
  type OrganizationId,
  OrganizationPremises,
  type PlaceId,
  PlacePremises,
  type Premises,
  type Timestamp,
  User,
  UserId
} from "@sojourn/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/** A place that people visit; `pull` is its part of the visits in relation to the others. */
export interface Attraction {
  readonly id: PlaceId
  readonly pull: number
}

export interface CrowdOptions {
  readonly organizationId: OrganizationId
  readonly attractions: ReadonlyArray<Attraction>
  /** How many people there are. About three quarters of them are inside at a time. */
  readonly size: number
}

/** Means of times, in milliseconds. A person makes a movement every 50 seconds or so. */
const MEAN = { away: 100_000, visit: 90_000, walk: 8_000 }

/** How much of the crowd is there when it begins. */
const PART_PRESENT = 0.75

/** How long ago, at most, the people who are there at the beginning say that they came, in milliseconds. */
const CAME_BEFORE = 90 * 60_000

/** How many places a person visits at most before they leave. */
const MAX_VISITS = 5

/** The time in which the pull of a place rises and falls once, in milliseconds. */
const WAVE = 8 * 60_000

/** How long a person waits when the storage is away, in milliseconds. */
const UNAVAILABLE = 10_000

/**
 * A time that is exponentially distributed around a mean, and at most four times as long, from a random number from 0 to 1: people
 * come and go independently of each other.
 */
export const spread = (mean: number, random: number): number => Math.min(4 * mean, -Math.log(1 - random) * mean)

/**
 * The index of the place that a person visits at a time, from a random number from 0 to 1. Pulls rise and fall, one place after the
 * other, between a fifth and nine fifths of the place's own.
 */
export const choose = (pulls: ReadonlyArray<number>, now: number, random: number): number => {
  const weights = pulls.map((pull, i) => pull * (1 + 0.8 * Math.sin(2 * Math.PI * (now / WAVE + i / pulls.length))))
  let rest = random * weights.reduce((sum, weight) => sum + weight, 0)
  const index = weights.findIndex((weight) => (rest -= weight) < 0)
  return index < 0 ? pulls.length - 1 : index
}

const pause = (mean: number) => Effect.flatMap(Random.next, (random) => Effect.sleep(spread(mean, random)))

/**
 * Runs a crowd until it is interrupted: then all of them leave. It goes through the use case of movements, as phones do through the
 * interface. People who are there at the beginning say when they came; what the service records is what happens. A crowd ends by itself
 * when its organization no longer takes it in.
 */
export const runCrowd = Effect.fnUntraced(function* ({ organizationId, attractions, size }: CrowdOptions) {
  const { track } = yield* Movements
  const pulls = attractions.map(({ pull }) => pull)

  /** Is inside for as long as `use` takes, and leaves whatever becomes of it. */
  const visit = <E, R>(user: User, premises: Premises, since: number | undefined, use: Effect.Effect<void, E, R>) => {
    const entrance: Movement = { _tag: "Entrance", premises, timestamp: since as Timestamp | undefined }
    const leave = (exitToken: ExitToken) => Effect.ignore(track(user, { _tag: "Exit", premises, exitToken }))
    return Effect.acquireUseRelease(
      track(user, entrance),
      () => use,
      ({ exitToken }) => leave(exitToken)
    )
  }

  const visitPlaces = Effect.fnUntraced(function* (user: User, since: number | undefined) {
    const visits = yield* Random.nextIntBetween(1, MAX_VISITS)
    for (let i = 0; i < visits; i++) {
      const place = attractions[choose(pulls, yield* Clock.currentTimeMillis, yield* Random.next)]
      // A place that is not there any more is passed by.
      if (place !== undefined) {
        const premises = PlacePremises(place.id)
        yield* Effect.ignore(visit(user, premises, i === 0 ? since : undefined, pause(MEAN.visit)))
      }
      yield* pause(MEAN.walk)
    }
  })

  const live = Effect.fnUntraced(function* (n: number) {
    const user = User(UserId.make(`demo-crowd-${n}`))
    const premises = OrganizationPremises(organizationId)
    let since: number | undefined
    if ((yield* Random.next) < PART_PRESENT) {
      const now = yield* Clock.currentTimeMillis
      since = Math.round(now - (yield* Random.next) * CAME_BEFORE)
    } else {
      yield* pause(MEAN.away)
    }
    while (true) {
      const inPlace =
        since === undefined ? undefined : Math.round(Math.max(since, (yield* Clock.currentTimeMillis) - MEAN.visit))
      yield* visit(user, premises, since, visitPlaces(user, inPlace)).pipe(
        Effect.catchTag("StoreError", () => Effect.sleep(UNAVAILABLE))
      )
      since = undefined
      yield* pause(MEAN.away)
    }
  })

  yield* Effect.forEach(Array.from({ length: size }).keys(), (n) => Effect.ignore(live(n + 1)), {
    concurrency: "unbounded",
    discard: true
  })
})
