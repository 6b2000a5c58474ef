/** The open stays during the measurement: movements change who is inside, and keep the number. */
import { type Opened, StayLog, Timestamp, type TrackingMode, UserId } from "@sojourn/core"
import { Effect, Option } from "effect"
import { drawFrom, type Population, type Site } from "./Population.ts"

/** A person inside. */
interface Inside {
  readonly stay: Opened
  readonly userId: UserId
  /** Keeps a person from entering where they are; undefined for anonymous stays. */
  readonly key: string | undefined
}

/** The people inside, who come and go. */
export interface Crowd {
  /** Enters a random site, or the one given: an anonymous visitor, or a person who is not there yet. */
  readonly enter: (mode: TrackingMode, site?: Site) => Effect.Effect<void, unknown>
  /** A random one of the people inside leaves. */
  readonly leave: (mode: TrackingMode) => Effect.Effect<void, unknown>
}

/** How many people are drawn before it counts as hopeless that one is not inside yet. */
const MAX_DRAWN_PEOPLE = 10_000

const PASSER_BY = UserId.make("passer-by")

/** An empty crowd. A person who enters a given site stays there: only those who entered a random site leave. */
export const makeCrowd = Effect.fnUntraced(function* (population: Population) {
  const log = yield* StayLog
  const inside: Record<TrackingMode, Array<Inside>> = { anonymous: [], authenticated: [] }
  const taken = new Set<string>()

  /** A person who is not at the site, who is there from now on. */
  const drawPerson = (sites: ReadonlyArray<Site>) => {
    for (let drawn = 0; drawn < MAX_DRAWN_PEOPLE; drawn++) {
      const site = drawFrom(sites)
      const { userId } = drawFrom(site.people)
      const key = `${site.organizationId} ${site.placeId} ${userId}`
      if (taken.has(key)) continue
      taken.add(key)
      return { site, userId, key }
    }
    throw new Error("all people are inside already: there are too few")
  }

  const now = () => ({ timestamp: undefined, orgAuthServerId: undefined, now: Timestamp(Date.now()) })

  const enter = Effect.fnUntraced(function* (mode: TrackingMode, at?: Site) {
    const sites = at === undefined ? population[mode] : [at]
    const { site, userId, key } =
      mode === "authenticated" ? drawPerson(sites) : { site: drawFrom(sites), userId: PASSER_BY, key: undefined }
    const stay = yield* log.open({
      premises: site.premises,
      userId,
      claim: now(),
      keyId: 0,
      retryKey: Option.none()
    })
    if (at === undefined) inside[mode].push({ stay, userId, key })
  })

  /** Removes a random one of the people inside. The order of the rest changes. */
  const takeInside = (mode: TrackingMode): Inside => {
    const all = inside[mode]
    const index = Math.floor(Math.random() * all.length)
    const taken = all[index]!
    all[index] = all.at(-1)!
    all.pop()
    return taken
  }

  const leave = Effect.fnUntraced(function* (mode: TrackingMode) {
    const { stay, userId, key } = takeInside(mode)
    yield* log.close({
      premises: stay.premises,
      stay: { organizationId: stay.organizationId, stayId: stay.id },
      userId,
      claim: now()
    })
    if (key !== undefined) taken.delete(key)
  })

  return { enter, leave } satisfies Crowd
})
