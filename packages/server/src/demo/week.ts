/**
 * The past week of the demo's campus: an invented visit of each person who came, from the midnight seven days ago until now. Hours are those
 * of this machine's time zone, so that nights are nights.
 */
import {
  adoptStays,
  type EarlierStay,
  type ExitToken,
  Operator,
  OperatorId,
  OrganizationPremises,
  type PlaceId,
  PlacePremises,
  Timestamp
} from "@sojourn/core"
import { Clock, Effect, Option, Random } from "effect"
import type { Attraction } from "./campus.ts"
import { choose, type CrowdOptions, indexByWeight, type PersonInside, PART_PRESENT } from "./crowd.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

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
  /** None: inside now. */
  readonly exit?: number | undefined
}

/** The visit of one person, and the places that they went to: the last one may be open, too. */
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

  /** The people who are inside now go to the places that attract them now, and are in the last of them. */
  const visitUntilNow = (entrance: number): Visit["places"] => {
    const places: Array<Interval & { readonly id: PlaceId }> = []
    const pulls = attractions.map(({ pull }) => pull)
    for (let at = entrance + between(WALK); at < now; at += between(WALK)) {
      const place = attractions[choose(pulls, at, random())]
      if (place === undefined) return places
      const end = at + between(IN_PLACE)
      places.push({ id: place.id, entrance: at, exit: end < now ? end : undefined })
      at = end
    }
    return places
  }

  const visit = (entrance: number) => {
    const planned = entrance + between(VISIT)
    // All of them are gone by now: who is inside now came for the crowd.
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
    visits.push({ entrance, places: visitUntilNow(entrance) })
  }
  return visits
}

/**
 * Gives the campus its past week, unless it has had movements before. Answers who is inside now, and none where the campus had movements
 * before. The same time gives the same week.
 */
export const adoptWeek = Effect.fnUntraced(function* ({ organizationId, attractions, size }: CrowdOptions) {
  const now = yield* Clock.currentTimeMillis
  const random = yield* Random.Random
  const visits = visitsOf({ attractions, size, now, random: () => random.nextDoubleUnsafe() })
  const stays: Array<EarlierStay> = []
  /** The visits and places of the open stays, in their order. */
  const open: Array<{ readonly visit: Visit; readonly id?: PlaceId }> = []
  const add = (premises: EarlierStay["premises"], { entrance, exit }: Interval) =>
    stays.push({
      premises,
      entrance: Timestamp(entrance),
      exit: exit === undefined ? undefined : Timestamp(exit)
    })
  const within = new Map(attractions.map((place) => [place.id, place.within]))
  for (const visit of visits) {
    add(OrganizationPremises(organizationId), visit)
    if (visit.exit === undefined) open.push({ visit })
    for (const place of visit.places) {
      for (const id of [...within.get(place.id)!, place.id]) {
        add(PlacePremises(id), place)
        if (place.exit === undefined) open.push({ visit, id })
      }
    }
  }
  const tokens = yield* adoptStays(Operator(OperatorId.make("demo-operator")), organizationId, stays)
  if (Option.isNone(tokens)) return []
  const inside = new Map<Visit, PersonInside>()
  for (const [n, { visit, id }] of open.entries()) {
    const exitToken: ExitToken = tokens.value[n]!
    const { places, ...person } = inside.get(visit) ?? { exitToken, places: [] }
    inside.set(visit, { ...person, places: id === undefined ? places : [...places, { id, exitToken }] })
  }
  return [...inside.values()]
}, Random.withSeed("the demo's campus"))
