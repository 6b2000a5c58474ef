/** Accesses of a window of time, in pages. */
import * as Order from "effect/Order"
import type { AccessPosition } from "../keys/AccessPositions.ts"
import type { OrgAuthServerId, StayId } from "../shared/Ids.ts"
import { type Premises, premisesId } from "../shared/Premises.ts"
import type { TimeWindow } from "../shared/TimeWindow.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { type AuthenticatedAccess, AccessOrder } from "./Access.ts"

/** Which accesses of people are listed: those whose entrance is in the window. */
export interface AccessWindow extends TimeWindow {
  readonly premises: Premises
  /** Without the accesses of the places of an organization. */
  readonly isOwn: boolean
  /** The accesses of these people alone; undefined: of all. */
  readonly people: ReadonlyArray<OrgAuthServerId> | undefined
}

/** An instant with more accesses is not sorted as a whole: each run of so many, in the order of entrances, is sorted for itself. */
export const MAX_RUN = 10_000

/** Distinguishes lists of accesses: those of the same accesses have the same text. */
export const listOf = ({ premises, from, to, isOwn, people }: AccessWindow): string =>
  JSON.stringify([
    premises._tag,
    String(premisesId(premises)),
    from,
    to,
    isOwn,
    people === undefined ? null : [...new Set(people)].sort()
  ])

/** The position of a stay in the order of stores. */
export interface StayPosition {
  readonly entrance: Timestamp
  readonly id: StayId
}

const NO_ID = 0n as StayId

/** The end of a run that holds all stays of its instant. */
export const END_OF_INSTANT = 9_223_372_036_854_775_807n as StayId

/** Whether an access was listed before a position, of those after the position's `after`. */
export const isListed = (position: AccessPosition | undefined, { id, stay }: AuthenticatedAccess): boolean =>
  position !== undefined && stay.entrance === position.entrance && stay.id <= position.until && id <= position.last

/** A page of accesses, and where the next one goes on; undefined at the end. */
export interface AccessPage {
  readonly accesses: ReadonlyArray<AuthenticatedAccess>
  readonly next: AccessPosition | undefined
}

/** What a page is made of. */
export interface AccessesRead {
  /** The accesses after `position`, in the order of their stays. */
  readonly accesses: ReadonlyArray<AuthenticatedAccess>
  /** The last stay that was read; undefined where there are no more. */
  readonly readUntil: StayPosition | undefined
  /** Where the page before ended. */
  readonly position: AccessPosition | undefined
  readonly limit: number
  /** More than `limit`: {@link MAX_RUN}. */
  readonly maxRun: number
}

/**
 * The page of at most `limit` accesses after a position, by entrance and then by the id of the access; undefined where more stays have to be
 * read for it (spec: stays#window-pages).
 */
export const accessPage = ({ accesses, readUntil, position, limit, maxRun }: AccessesRead): AccessPage | undefined => {
  const before = accesses.findIndex(({ stay }) => stay.entrance === readUntil?.entrance)
  const complete = before < 0 ? accesses.length : before
  const isWithin = complete >= limit && accesses.length > limit
  const isCut = readUntil !== undefined && !isWithin
  if (isCut && accesses.length - complete < maxRun) return undefined

  /** Whether the access is of a later run than the one that the position is in. */
  const isLater = ({ stay }: AuthenticatedAccess) => stay.entrance === position?.entrance && stay.id > position.until
  const byRun = Order.combine(
    Order.mapInput(Order.Number, ({ stay }: AuthenticatedAccess) => stay.entrance),
    Order.mapInput(Order.Boolean, isLater)
  )
  const listed = accesses
    .slice(0, readUntil === undefined || isCut ? accesses.length : complete)
    .sort(Order.combine(byRun, AccessOrder))
    .slice(0, limit)
  const last = listed.at(-1)
  if (last === undefined || accesses.length <= limit) return { accesses: listed, next: undefined }

  const { entrance } = last.stay
  const isOfPosition = entrance === position?.entrance
  if (isOfPosition && !isLater(last)) return { accesses: listed, next: { ...position, last: last.id } }
  const after = isOfPosition ? position.until : NO_ID
  const until = isCut && entrance === readUntil.entrance ? readUntil.id : END_OF_INSTANT
  return { accesses: listed, next: { entrance, after, until, last: last.id } }
}
