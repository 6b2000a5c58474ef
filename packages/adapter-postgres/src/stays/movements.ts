import { type Opened, type OrganizationId, RETRY_KEY_LIFETIME } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import {
  byStay,
  closingOutcome,
  closingParameters,
  isAnonymousClosing,
  type LocatedClosing,
  type Settled
} from "./closings.ts"
import { arrays, values } from "../database/columns.ts"
import { brokenKey, type Database, WriteConflict } from "../database/Database.ts"
import type { MovedRow } from "./facts.ts"
import type { Batched } from "../batching/Batched.ts"
import type { TrackingModeCache } from "./TrackingModeCache.ts"
import {
  isAnonymousOpening,
  type LocatedOpening,
  openingOutcome,
  openingParameters,
  type OpeningRefusal
} from "./openings.ts"
import { SINGLE_ROW, FORGET, batchStatement, type Variant } from "./stays.sql.ts"

/** A movement to be written. */
export type Moving = LocatedOpening | LocatedClosing

/** The outcome of a movement. */
type Outcome = Exit.Exit<Opened | Settled, OpeningRefusal | WriteConflict>

const CONFLICT: Outcome = Exit.fail(new WriteConflict())

const variantOf = <Item>(items: ReadonlyArray<Item>, isAnonymous: (item: Item) => boolean): Variant =>
  items.length === 0 ? "none" : items.every(isAnonymous) ? "anonymous" : "identified"

/** Caches the tracking mode of a row. */
const learn = (modes: TrackingModeCache, moving: Moving, { tracking_mode: mode }: MovedRow) => {
  if (mode !== undefined && mode !== null) modes.learn(organizationOf(moving), mode)
}

/** Writes one entrance by a single-row statement. */
const writeSingleEntrance = (
  db: Database,
  modes: TrackingModeCache,
  moving: LocatedOpening
): Effect.Effect<Outcome, SqlError> => {
  const variant = isAnonymousOpening(moving, modes) ? "anonymous" : "identified"
  return Effect.map(
    db.run<MovedRow>(SINGLE_ROW.opening[variant], openingParameters([moving], variant, values)),
    ([row]): Outcome => {
      if (row === undefined && variant === "anonymous") {
        // The anonymous variant does not tell why it wrote nothing. The identified one does.
        modes.forget(moving.organizationId)
        return CONFLICT
      }
      if (row !== undefined) learn(modes, moving, row)
      return openingOutcome(moving, row, variant)
    }
  )
}

/** Writes one exit by a single-row statement. */
const writeSingleExit = (
  db: Database,
  modes: TrackingModeCache,
  moving: LocatedClosing
): Effect.Effect<Outcome, SqlError> => {
  const variant = isAnonymousClosing(moving, modes) ? "anonymous" : "identified"
  return Effect.map(
    db.run<MovedRow>(SINGLE_ROW.closing[variant], closingParameters([moving], variant, values)),
    ([row]): Outcome => {
      if (row !== undefined) learn(modes, moving, row)
      return closingOutcome(moving, row)
    }
  )
}

/** A movement and its index in the batch. */
interface Placed<M> {
  readonly moving: M
  readonly at: number
}

/** Writes several movements by one statement. */
const writeBatch = (
  db: Database,
  modes: TrackingModeCache,
  asked: ReadonlyArray<Moving>
): Effect.Effect<ReadonlyArray<Outcome>, SqlError> => {
  const entering: Array<Placed<LocatedOpening>> = []
  const leaving: Array<Placed<LocatedClosing>> = []
  asked.forEach((moving, at) =>
    moving._tag === "Opening" ? entering.push({ moving, at }) : leaving.push({ moving, at })
  )
  leaving.sort((one, other) => byStay(one.moving, other.moving))
  const openings = entering.map(({ moving }) => moving)
  const closings = leaving.map(({ moving }) => moving)
  const opening = variantOf(openings, (item) => isAnonymousOpening(item, modes))
  const closing = variantOf(closings, (item) => isAnonymousClosing(item, modes))
  return Effect.map(
    db.run<MovedRow>(batchStatement(opening, closing), [
      ...openingParameters(openings, opening, arrays),
      ...closingParameters(closings, closing, arrays)
    ]),
    (rows) => {
      const found: Array<MovedRow | undefined> = asked.map(() => undefined)
      for (const row of rows) {
        const { moving, at } = row.n > 0 ? entering[row.n - 1]! : leaving[-row.n - 1]!
        found[at] = row
        learn(modes, moving, row)
      }
      return asked.map((moving, at) =>
        moving._tag === "Opening" ? openingOutcome(moving, found[at], opening) : closingOutcome(moving, found[at])
      )
    }
  )
}

/**
 * The batch statement of movements. One statement reads the facts, writes what the rule allows on them, and returns both. The
 * answer is then computed by the rule on those facts: SQL only prevents writes that the rule would refuse. Where the two
 * disagree a concurrent transaction changed the facts (`WriteConflict`), and the movement runs again.
 */
export const movements = (
  db: Database,
  modes: TrackingModeCache
): Batched<Moving, Opened | Settled, OpeningRefusal> => ({
  operation: "track movements",
  run: (asked) => {
    const [first] = asked
    if (first === undefined) return Effect.succeed([])
    if (asked.length > 1) return writeBatch(db, modes, asked)
    const single = first._tag === "Opening" ? writeSingleEntrance(db, modes, first) : writeSingleExit(db, modes, first)
    return Effect.map(single, (outcome) => [outcome])
  },
  // The retry key exists: from a concurrent entrance, which the next run finds, or from more than a day ago, which is deleted here.
  recover: (moving, error) =>
    moving._tag === "Opening" && brokenKey(error) === "entrance_retry_key"
      ? Effect.as(
          db.run(FORGET, [
            moving.organizationId,
            moving.placeId,
            Option.getOrNull(moving.opening.retryKey),
            PgTypes.timestamptz(moving.opening.claim.now - RETRY_KEY_LIFETIME)
          ]),
          true
        )
      : Effect.succeed(false)
})

const organizationOf = (moving: Moving): OrganizationId =>
  moving._tag === "Opening" ? moving.organizationId : moving.closing.stay.organizationId
