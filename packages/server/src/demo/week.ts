/**
 * The past week of the demo's campus: an invented visit of each person who came, from the midnight seven days ago until now. Hours are those
 * of this machine's time zone, so that nights are nights.
 */
import {
  type AccessDraft,
  type Administrator,
  Histories,
  Imports,
  Operator,
  OperatorId,
  OrganizationPremises,
  type PlaceId,
  Timestamp
} from "@sojourn/core"
import { Clock, Effect, Random } from "effect"
import type { Attraction } from "./campus.ts"
import { choose, type CrowdOptions, indexByWeight, PART_PRESENT } from "./crowd.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How far back is looked for movements, in milliseconds. */
const LOOK_BACK_MS = 8 * 24 * HOUR

/** The part of the crowd that is inside at each hour of a working day, from midnight on. The highest is at lunch. */
const DAY: ReadonlyArray<number> = [
  0.02, 0.01, 0.01, 0.01, 0.01, 0.02, 0.05, 0.15, 0.45, 0.75, 0.85, 0.85, 1, 0.95, 0.75, 0.7, 0.6, 0.45, 0.3, 0.2, 0.14,
  0.09, 0.05, 0.03
]

/** How busy each day of the week is, from Sunday on. */
const WEEKDAYS: ReadonlyArray<number> = [0.1, 1, 1.04, 1, 0.97, 0.85, 0.25]

/** How long a visit takes, in minutes: less than the longest stay of the campus. */
const VISIT = { least: 35, most: 115, mean: 75 }

/** How long a person is in a place, and on the way to it, in minutes. */
const IN_PLACE = { least: 12, most: 50 }
const WALK = { least: 1, most: 4 }

/** Over how many minutes the people of the week hand over to those who are inside now. */
const HANDOVER_MINUTES = 90

/** The size of the crowd in the past week, which takes a server's start longer the larger it is. */
const SIZE = { least: 100, most: 1_000 }

/** The parameters of the week. `random` returns numbers from 0 to 1. */
export interface WeekOptions extends Pick<CrowdOptions, "attractions" | "size"> {
  readonly now: number
  readonly random: () => number
}

interface Interval {
  readonly entrance: number
  readonly exit: number
}

/** The visit of one person, and the places that they went to. */
export interface Visit extends Interval {
  readonly places: ReadonlyArray<Interval & { readonly id: PlaceId }>
}

/** The hour of the day at a time, with its fraction. */
const hourOf = (at: number): number => {
  const date = new Date(at)
  return date.getHours() + date.getMinutes() / 60
}

/** The part of the crowd that is inside at a time. */
export const presenceAt = (at: number): number => {
  const hour = hourOf(at)
  const [before, after] = [DAY[Math.floor(hour)]!, DAY[(Math.floor(hour) + 1) % 24]!]
  return WEEKDAYS[new Date(at).getDay()]! * (before + (after - before) * (hour % 1))
}

/** How much a place attracts at a time, in relation to others: nothing while it is closed. */
const pullAt = ({ pull, open: [opens, closes], rush }: Attraction, hour: number): number => {
  if (hour < opens || hour >= closes) return 0
  return rush !== undefined && hour >= rush.from && hour < rush.to ? pull * rush.times : pull
}

/** The visits of the week, in no order. */
export const visitsOf = ({ attractions, size, now, random }: WeekOptions): ReadonlyArray<Visit> => {
  const between = ({ least, most }: { readonly least: number; readonly most: number }) =>
    Math.round((least + (most - least) * random()) * MINUTE)
  const today = new Date(now)
  const begin = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 7).getTime()
  const people = PART_PRESENT * Math.min(Math.max(size, SIZE.least), SIZE.most)
  const visits: Array<Visit> = []

  /** Visits places until the end of the visit, one after the other, as long as some are open. */
  const visitUntil = (entrance: number, exit: number): Visit["places"] => {
    const places: Array<Interval & { readonly id: PlaceId }> = []
    for (let at = entrance + between(WALK); at < exit; at += between(WALK)) {
      const hour = hourOf(at)
      const index = indexByWeight(
        attractions.map((attraction) => pullAt(attraction, hour)),
        random()
      )
      if (index === undefined) return places
      const { id, open } = attractions[index]!
      const end = Math.min(at + between(IN_PLACE), exit, at + Math.floor((open[1] - hour) * HOUR))
      if (end <= at) return places
      places.push({ id, entrance: at, exit: end })
      at = end
    }
    return places
  }

  /** The people who are inside until now go to the places that attract them now, and are in the last of them. */
  const visitUntilNow = (entrance: number): Visit["places"] => {
    const places: Array<Interval & { readonly id: PlaceId }> = []
    const pulls = attractions.map(({ pull }) => pull)
    for (let at = entrance + between(WALK); at < now; at += between(WALK)) {
      const place = attractions[choose(pulls, at, random())]
      if (place === undefined) return places
      const end = at + between(IN_PLACE)
      places.push({ id: place.id, entrance: at, exit: Math.min(end, now) })
      at = end
    }
    return places
  }

  const visit = (entrance: number) => {
    const planned = entrance + between(VISIT)
    // All of them are gone before now: who is inside until then came for the crowd.
    const exit = planned < now ? planned : Math.round(entrance + (now - entrance) * random())
    visits.push({ entrance, exit, places: visitUntil(entrance, exit) })
  }

  // The history begins with a person who is there at midnight.
  visit(begin)
  for (let at = begin; at < now; at += MINUTE) {
    const arrivals = (people * presenceAt(at + (VISIT.mean / 2) * MINUTE)) / VISIT.mean
    const handedOver = Math.min(1, (now - at) / (HANDOVER_MINUTES * MINUTE))
    for (let rest = arrivals * handedOver; random() < rest; rest--) {
      visit(Math.min(now, at + Math.floor(random() * MINUTE)))
    }
  }
  for (let n = 0; n < Math.round(PART_PRESENT * size); n++) {
    const entrance = now - Math.round(random() * HANDOVER_MINUTES * MINUTE)
    visits.push({ entrance, exit: now, places: visitUntilNow(entrance) })
  }
  return visits
}

/** Whether the organization had any movement in the past week. */
const isVisited = Effect.fnUntraced(function* (owner: Administrator, { organizationId }: CrowdOptions, now: number) {
  const range = { step: "day", from: Timestamp(now - LOOK_BACK_MS), to: Timestamp(now + 1) } as const
  const rows = yield* Histories.use((histories) => histories.rows(owner, OrganizationPremises(organizationId), range))
  return rows.some(({ entered }) => entered > 0)
})

/**
 * Imports the past week of the campus, unless it had movements in it. Who is inside at its end leaves then, and the crowd takes their place. The
 * same time gives the same week.
 */
export const importWeek = Effect.fnUntraced(function* (owner: Administrator, crowd: CrowdOptions) {
  const { organizationId, attractions, size } = crowd
  const now = yield* Clock.currentTimeMillis
  if (yield* isVisited(owner, crowd, now)) return
  const random = yield* Random.Random
  const rows: Array<AccessDraft> = []
  const add = (placeId: PlaceId | undefined, { entrance, exit }: Interval) =>
    rows.push({ line: rows.length + 1, placeId, entrance: Timestamp(entrance), exit: Timestamp(exit) })
  const within = new Map(attractions.map((place) => [place.id, place.within]))
  for (const visit of visitsOf({ attractions, size, now, random: () => random.nextDoubleUnsafe() })) {
    add(undefined, visit)
    for (const place of visit.places) for (const id of [...within.get(place.id)!, place.id]) add(id, place)
  }
  const operator = Operator(OperatorId.make("demo-operator"))
  yield* Imports.use((imports) => imports.accesses(operator, organizationId, rows))
}, Random.withSeed("the demo's campus"))
