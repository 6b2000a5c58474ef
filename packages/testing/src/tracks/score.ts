/** How well a geofence does on tracks whose truth is known. */
import type { GeofenceFix, GeofenceTransition } from "@sojourn/core"
import { stillTrack, type Track, type TrackOptions, type TrueVisit, walkTrack } from "./tracks.ts"

type Decision = Pick<GeofenceTransition, "movement" | "timestamp">

/** What is measured: a geofence of one area. */
export interface Decider {
  readonly push: (fix: GeofenceFix) => ReadonlyArray<Decision>
  readonly tick?: (now: number) => ReadonlyArray<Decision>
}

/** Makes what is measured, anew for each track. */
export type MakeDecider = (area: Track["area"]) => Decider

/** A visit as it was reported: the reported times, and the times at which they were decided. */
interface ReportedVisit {
  readonly from: number
  readonly entered: number
  readonly to: number
  readonly left: number
}

const TICK = 5_000

/** Feeds a track to a geofence, with a tick every 5 seconds. */
const decisions = (track: Track, make: MakeDecider): ReadonlyArray<Decision & { readonly decided: number }> => {
  const decider = make(track.area)
  const found: Array<Decision & { readonly decided: number }> = []
  const note = (decided: number, made: ReadonlyArray<Decision>) => {
    const error = track.fixClockError(decided)
    // Reported times do not run back with a clock: those that lie ahead stand for the decision.
    for (const { movement, timestamp } of made) {
      found.push({ movement, timestamp: Math.min(timestamp - error, decided), decided })
    }
  }
  let now = track.from
  for (const { fix, arrived } of track.fixes) {
    for (; now <= arrived; now += TICK) if (decider.tick) note(now, decider.tick(now + track.deviceClockError(now)))
    note(arrived, decider.push(fix))
  }
  return found
}

const reported = (track: Track, make: MakeDecider): ReadonlyArray<ReportedVisit> => {
  const visits: Array<ReportedVisit> = []
  for (const { movement, timestamp, decided } of decisions(track, make)) {
    if (movement === "entrance") visits.push({ from: timestamp, entered: decided, to: track.to, left: track.to })
    else visits.push({ ...visits.pop()!, to: timestamp, left: decided })
  }
  return visits
}

/** Visits at least this long must not be missed. */
const LONG = 300_000

/** What walks showed. Delays and errors are in seconds, one for each visit of five minutes and longer that was found. */
interface Walks {
  long: number
  missed: number
  reported: number
  invented: number
  readonly entranceDelays: Array<number>
  readonly exitDelays: Array<number>
  readonly errors: Array<number>
}

const overlap = (a: TrueVisit, b: TrueVisit): boolean => a.from < b.to && b.from < a.to

const addWalk = (walks: Walks, track: Track, make: MakeDecider): void => {
  const found = reported(track, make)
  walks.reported += found.length
  walks.invented += found.filter((visit) => !track.visits.some((real) => overlap(real, visit))).length
  for (const real of track.visits) {
    if (real.to - real.from < LONG) continue
    walks.long++
    const met = found.filter((visit) => overlap(real, visit))
    const [first, last] = [met[0], met.at(-1)]
    if (first === undefined || last === undefined) {
      walks.missed++
      continue
    }
    walks.entranceDelays.push(Math.max(0, first.entered - real.from) / 1000)
    walks.errors.push(Math.abs(first.from - real.from) / 1000)
    if (real.to === track.to) continue
    walks.exitDelays.push(Math.max(0, last.left - real.to) / 1000)
    walks.errors.push(Math.abs(last.to - real.to) / 1000)
  }
}

const quantile = (values: ReadonlyArray<number>, part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0

/** The measures of a geofence. Transitions are per day of a phone that lies still; delays and errors are in seconds. */
export interface Score {
  readonly still: number
  readonly near: number
  readonly apart: number
  readonly indoors: number
  /** Of the visits of 5 minutes and longer. */
  readonly missed: number
  /** Of the visits that were reported. */
  readonly invented: number
  /** The 95th percentiles. */
  readonly entranceDelay: number
  readonly exitDelay: number
  /** The median. */
  readonly timestampError: number
}

/** Which tracks: `walks` of six hours, and `days` of each way to lie still, from a seed on. */
export interface TracksWanted extends TrackOptions {
  readonly seed: number
  readonly walks: number
  readonly days: number
}

/** Tracks to measure with: walks, and days of phones that lie still inside, 10 m outside and farther away. */
export interface ScoreTracks {
  readonly walks: Iterable<Track>
  readonly still: Iterable<Track>
  readonly near: Iterable<Track>
  readonly apart: Iterable<Track>
  /** Days indoors in other buildings. */
  readonly indoors: Iterable<Track>
}

/** How far outside the border a phone is apart: nothing may be reported of it. */
const APART = [30, 40, 60, 100]

/** How far outside the border a phone is in another building. */
const NEXT_DOOR = [80, 120, 180, 250]

/** Makes the tracks to measure with, one after the other. */
export const scoreTracks = ({ seed, walks, days, ...options }: TracksWanted): ScoreTracks => {
  const many = <A>(count: number, make: (i: number) => A): Iterable<A> => ({
    *[Symbol.iterator]() {
      for (let i = 0; i < count; i++) yield make(i)
    }
  })
  const lying = (metresOf: (day: number) => number, isIndoors?: boolean) =>
    many(days, (day) =>
      stillTrack(seed + day, { ...options, metres: metresOf(day), ...(isIndoors !== undefined && { isIndoors }) })
    )
  return {
    walks: many(walks, (i) => walkTrack(seed + i, options)),
    still: lying(() => -30),
    near: lying(() => 10),
    apart: lying((day) => APART[day % APART.length]!),
    indoors: lying((day) => NEXT_DOOR[day % NEXT_DOOR.length]!, true)
  }
}

/** Measures a geofence on tracks. */
export const scoreGeofence = (make: MakeDecider, tracks: ScoreTracks): Score => {
  const all: Walks = { long: 0, missed: 0, reported: 0, invented: 0, entranceDelays: [], exitDelays: [], errors: [] }
  for (const walk of tracks.walks) addWalk(all, walk, make)
  const perDay = (tracks: Iterable<Track>) => {
    let [days, surplus] = [0, 0]
    for (const day of tracks) {
      days++
      surplus += Math.max(0, decisions(day, make).length - day.visits.length)
    }
    return surplus / Math.max(1, days)
  }
  return {
    still: perDay(tracks.still),
    near: perDay(tracks.near),
    apart: perDay(tracks.apart),
    indoors: perDay(tracks.indoors),
    missed: all.missed / Math.max(1, all.long),
    invented: all.invented / Math.max(1, all.reported),
    entranceDelay: quantile(all.entranceDelays, 0.95),
    exitDelay: quantile(all.exitDelays, 0.95),
    timestampError: quantile(all.errors, 0.5)
  }
}
