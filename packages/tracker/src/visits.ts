/** The visits of this device and their way to the server, as pure functions on what is stored of them. */
import type { GeofencePremises, GeofenceState, GeofenceTransition } from "@sojourn/core/Geofence"
import type { RefusedMovement } from "./types.ts"

/** A visit that the server does not know whole. Its times are by the device's clock, in milliseconds since 1970. */
export interface Visit {
  readonly premises: GeofencePremises
  readonly since: number
  /** The sequence of its entrance. */
  readonly entrance: number
  /** The time of the entrance as it is sent. */
  readonly sent?: number
  /** Whether that time is the device's, as the server's was unknown. */
  readonly isDoubtful?: boolean
  /** What the server answered to the entrance. */
  readonly token?: string
  readonly began?: number
  readonly exit?: {
    readonly sequence: number
    readonly at: number
    readonly sent?: number
  }
}

/** A visit that the server knows whole, kept for its accesses. */
export interface EndedVisit {
  readonly premises: GeofencePremises
  readonly token: string
  readonly at: number
}

/** Everything that the tracker stores but areas and an archive of tokens. */
export interface TrackerState {
  readonly version: 1
  /** A random name of this installation. */
  readonly installation: string
  /** The sequence of the last movement. */
  sequence: number
  follows: ReadonlyArray<number>
  geofence: GeofenceState | undefined
  /** The time of the last position of the geofence. */
  positionAt: number
  /** In the order of their entrances. */
  visits: ReadonlyArray<Visit>
  /** Visits that ended since the archive was written. */
  ended: ReadonlyArray<EndedVisit>
  refused: ReadonlyArray<RefusedMovement>
  /** The user's `orgAuthServerId` by organization. */
  links: Readonly<Record<string, string>>
  /** The last change of each tab that wrote, so that a tab sees whether another one has overwritten its change. */
  changes: Readonly<Record<string, number>>
}

/** How many refusals are kept. */
const MAX_REFUSED = 50

export const newState = (installation: string): TrackerState => ({
  version: 1,
  installation,
  sequence: 0,
  follows: [],
  geofence: undefined,
  positionAt: 0,
  visits: [],
  ended: [],
  refused: [],
  links: {},
  changes: {}
})

export const keyOf = ({ organizationId, placeId }: GeofencePremises): string =>
  placeId === undefined ? `organization ${organizationId}` : `place ${placeId}`

/** The premises alone, of what has more fields. */
export const premisesOf = ({ organizationId, placeId }: GeofencePremises): GeofencePremises =>
  placeId === undefined ? { organizationId: organizationId! } : { placeId }

const isAt = (premises: GeofencePremises) => {
  const key = keyOf(premises)
  return (visit: Visit) => keyOf(visit.premises) === key
}

/** The visit of these premises that is not over. */
const presentVisit = ({ visits }: TrackerState, premises: GeofencePremises): Visit | undefined => {
  const isHere = isAt(premises)
  return visits.find((visit) => visit.exit === undefined && isHere(visit))
}

/** A movement that was decided, by the geofence or by hand. */
export type Decided = Pick<GeofenceTransition, "movement" | "timestamp"> & GeofencePremises

/**
 * Adds a movement to the state. An entrance to premises that the device is inside of is the same visit; an exit from others is
 * none. Answers whether anything changed.
 */
export const record = (state: TrackerState, decided: Decided, nextSequence: () => number): boolean => {
  const present = presentVisit(state, decided)
  if (decided.movement === "entrance") {
    if (present !== undefined) return false
    const visit = { premises: premisesOf(decided), since: decided.timestamp, entrance: nextSequence() }
    state.visits = [...state.visits, visit]
    return true
  }
  if (present === undefined) return false
  const exit = { sequence: nextSequence(), at: Math.max(decided.timestamp, present.since) }
  replace(state, present, { ...present, exit })
  return true
}

const replace = (state: TrackerState, old: Visit, ...next: ReadonlyArray<Visit>) => {
  state.visits = state.visits.flatMap((visit) => (visit === old ? next : [visit]))
}

/** A movement that waits to be sent. */
export interface Waiting {
  readonly movement: "entrance" | "exit"
  readonly visit: Visit
  readonly sequence: number
  /** When it happened, by the device's clock. */
  readonly at: number
  /** Its time as it is sent, once that is decided. */
  readonly sent: number | undefined
  readonly isDoubtful: boolean
}

const waitingOf = (visit: Visit): ReadonlyArray<Waiting> => {
  const { entrance, since, sent, isDoubtful = false, token, exit } = visit
  return [
    ...(token === undefined
      ? [{ movement: "entrance", visit, sequence: entrance, at: since, sent, isDoubtful } as const]
      : []),
    ...(exit === undefined ? [] : [{ movement: "exit", visit, sent: undefined, isDoubtful: false, ...exit } as const])
  ]
}

export const countWaiting = ({ visits }: TrackerState): number => visits.flatMap(waitingOf).length

/** The first movement that can be sent: an exit waits for the token of its entrance, and premises may be left out. */
export const firstWaiting = ({ visits }: TrackerState, except: ReadonlySet<string>): Waiting | undefined =>
  visits
    .filter(({ premises }) => !except.has(keyOf(premises)))
    .flatMap((visit) => waitingOf(visit).slice(0, 1))
    .reduce<Waiting | undefined>(
      (first, one) => (first !== undefined && first.sequence < one.sequence ? first : one),
      undefined
    )

/** Changes the visit that a movement is of, if it still waits: another tab may have settled it. Answers whether it did. */
const change = (
  state: TrackerState,
  { movement, visit, sequence }: Waiting,
  to: (present: Visit) => ReadonlyArray<Visit>
): boolean => {
  const isHere = isAt(visit.premises)
  const present = state.visits.find(
    (one) =>
      isHere(one) && waitingOf(one).some((waiting) => waiting.movement === movement && waiting.sequence === sequence)
  )
  if (present === undefined) return false
  replace(state, present, ...to(present))
  return true
}

/**
 * Decides the time that a movement is sent with. The first tab that stores one decides: an exit that is sent with another time is
 * another exit.
 */
export const freeze = (
  state: TrackerState,
  waiting: Waiting,
  { sent, isDoubtful }: { readonly sent: number; readonly isDoubtful: boolean }
): boolean =>
  change(state, waiting, (visit) => {
    const isEntrance = waiting.movement === "entrance"
    if ((isEntrance ? visit.sent : visit.exit?.sent) !== waiting.sent) return [visit]
    return [isEntrance ? { ...visit, sent, isDoubtful } : { ...visit, exit: { ...visit.exit!, sent } }]
  })

/** Keeps the token that an entrance was answered with, and its time. */
export const settleEntrance = (state: TrackerState, waiting: Waiting, token: string, began: number): boolean =>
  change(state, waiting, (visit) => [{ ...visit, token, began }])

/** Ends a visit whose exit the server recorded. */
export const settleExit = (state: TrackerState, waiting: Waiting): boolean =>
  change(state, waiting, ({ premises, token, exit }) => {
    state.ended = [...state.ended, { premises, token: token!, at: exit!.at }]
    return []
  })

/** Drops a movement that the server refused for good, and what depends on it: the rest of the visit. */
export const refuse = (state: TrackerState, waiting: Waiting, status: number, reason: string): boolean =>
  change(state, waiting, ({ premises }) => {
    const { movement, at: timestamp, sequence } = waiting
    const refused: RefusedMovement = { movement, ...premises, timestamp, sequence, status, reason }
    state.refused = [...state.refused, refused].slice(-MAX_REFUSED)
    return []
  })
