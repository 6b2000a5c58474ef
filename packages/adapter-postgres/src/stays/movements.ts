/** The batched statement that writes entrances and exits: the hot path of the service. */
import { type Opened, type OrganizationId, RETRY_KEY_LIFETIME } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import {
  byStay,
  closingOutcome,
  closingParameters,
  isAnonymousClosing,
  type LocatedClosing,
  type Settled
} from "./closings.ts"
import { arrays, values } from "../database/columns.ts"
import type { BulkStatement } from "../database/BulkStatement.ts"
import { brokenKey, type Database, WriteConflict } from "../database/Database.ts"
import { factsOf, type MovedRow } from "./facts.ts"
import type { TrackingModeCache } from "./TrackingModeCache.ts"
import {
  isAnonymousOpening,
  type LocatedOpening,
  openingOutcome,
  openingParameters,
  type OpeningRefusal
} from "./openings.ts"
import { FORGET, movementStatement, type Variant } from "./stays.sql.ts"

/** A movement to be written. */
export type Moving = LocatedOpening | LocatedClosing

/** The outcome of a movement. */
type Outcome = Exit.Exit<Opened | Settled, OpeningRefusal | WriteConflict>

const CONFLICT: Outcome = Exit.fail(new WriteConflict())

const variantOf = <Item>(items: ReadonlyArray<Item>, isAnonymous: (item: Item) => boolean): Variant =>
  items.length === 0 ? "none" : items.every(isAnonymous) ? "anonymous" : "identified"

/**
 * The statement of movements. It reads the facts, writes what the rule allows on them, and returns both. The answer is then
 * computed by the rule on those facts: SQL only prevents writes that the rule would refuse. Where the two disagree a concurrent
 * transaction changed the facts (`WriteConflict`), and the movement runs again. It appends pending changes, and opens `appended`.
 */
export const movements = (
  db: Database,
  modes: TrackingModeCache,
  appended: Latch.Latch
): BulkStatement<Moving, Opened | Settled, OpeningRefusal> => ({
  operation: "track movements",
  run: (asked) => {
    const openings = asked.filter((moving) => moving._tag === "Opening")
    const closings = asked.filter((moving) => moving._tag === "Closing").sort(byStay)
    const opening = variantOf(openings, (item) => isAnonymousOpening(item, modes))
    const closing = variantOf(closings, (item) => isAnonymousClosing(item, modes))
    const isSingle = openings.length <= 1 && closings.length <= 1
    const columns = isSingle ? values : arrays
    const parameters = [
      ...openingParameters(openings, opening, columns),
      ...closingParameters(closings, closing, columns)
    ]
    return Effect.map(db.run<MovedRow>(movementStatement(opening, closing, isSingle), parameters), (rows) => {
      if (rows.length > 0) appended.openUnsafe()
      const found = new Map<Moving, MovedRow>()
      for (const row of rows) {
        const moving = row.n > 0 ? openings[row.n - 1]! : closings[-row.n - 1]!
        found.set(moving, row)
        const { tracking_mode: mode } = row
        if (mode !== undefined && mode !== null) modes.learn(organizationOf(moving), mode)
      }
      return asked.map((moving): Outcome => {
        const row = found.get(moving)
        if (moving._tag === "Closing") return closingOutcome(moving, row)
        const isAnonymous = row !== undefined && factsOf(row).mode === "anonymous"
        if (opening === "identified" || isAnonymous) return openingOutcome(moving, row)
        // The anonymous variant does not tell why it wrote nothing. The identified one does.
        modes.forget(moving.organizationId)
        return CONFLICT
      })
    })
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

/** The organization of a movement. */
export const organizationOf = (moving: Moving): OrganizationId =>
  moving._tag === "Opening" ? moving.organizationId : moving.closing.stay.organizationId
