/** The batched statement that writes entrances and exits: the hot path of the service. */
import { type Opened, type OrganizationId, RETRY_KEY_LIFETIME } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Exit, type Latch, Option } from "effect"
import { byStay, closingOutcome, type LocatedClosing, type Settled } from "./closings.ts"
import type { BulkStatement } from "../database/BulkStatement.ts"
import { brokenKey, type Database, WriteConflict } from "../database/Database.ts"
import type { MovedRow } from "./facts.ts"
import { makeFirstPartition } from "./StayPartitions.ts"
import { movementStatement } from "./movementStatement.ts"
import type { TrackingModeCache } from "./TrackingModeCache.ts"
import { type EndsOthers, type LocatedOpening, openingOutcome, type OpeningRefusal } from "./openings.ts"
import { FORGET } from "./stays.sql.ts"

/** A movement to be written. */
export type Moving = LocatedOpening | LocatedClosing

type Outcome = Exit.Exit<Opened | Settled, OpeningRefusal | EndsOthers | WriteConflict>

const CONFLICT: Outcome = Exit.fail(new WriteConflict())

/** Entrances that a statement of `anonymous.sql.ts` did not write. */
const unwritten = new WeakSet<Moving>()

/** Can a movement be written without a look at people: was its organization anonymous when last read, and does it claim no person? */
const isAnonymous = (moving: Moving, modes: TrackingModeCache): boolean => {
  if (moving._tag === "Opening") return modes.isAnonymous(moving.organizationId)
  const { stay, claim } = moving.closing
  return !moving.isLookedUp && claim.orgAuthServerId === undefined && modes.isAnonymous(stay.organizationId)
}

/**
 * The statement of movements. It reads the facts, writes what the rule allows on them, and returns both. The answer is then
 * computed by the rule on those facts: SQL only prevents writes that the rule would refuse. Where the two disagree a concurrent
 * transaction changed the facts (`WriteConflict`), and the movement runs again. It appends pending changes, and opens `appended`.
 */
export const movements = (
  db: Database,
  modes: TrackingModeCache,
  appended: Latch.Latch
): BulkStatement<Moving, Opened | Settled, OpeningRefusal | EndsOthers> => {
  const runIn = makeFirstPartition(db)
  return {
    operation: "track movements",
    run: (items) => {
      const openings = items.filter((moving) => moving._tag === "Opening")
      const closings = items.filter((moving) => moving._tag === "Closing").sort(byStay)
      const areAnonymous = items.every((moving) => isAnonymous(moving, modes) && !unwritten.has(moving))
      const [text, parameters] = movementStatement(openings, closings, areAnonymous)
      return Effect.map(runIn<MovedRow>(text, parameters, closings), (rows) => {
        if (rows.length > 0) appended.openUnsafe()
        const found = new Map<Moving, MovedRow>()
        for (const row of rows) {
          const moving = row.n > 0 ? openings[row.n - 1]! : closings[-row.n - 1]!
          found.set(moving, row)
          const { tracking_mode: mode } = row
          if (mode !== undefined && mode !== null) modes.learn(organizationOf(moving), mode)
        }
        return items.map((moving): Outcome => {
          const row = found.get(moving)
          if (moving._tag === "Closing") return closingOutcome(moving, row)
          if (row !== undefined || !areAnonymous) return openingOutcome(moving, row)
          // The statement does not answer why it wrote nothing. `MOVE_IDENTIFIED` does.
          unwritten.add(moving)
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
  }
}

/** The organization of a movement. */
export const organizationOf = (moving: Moving): OrganizationId =>
  moving._tag === "Opening" ? moving.organizationId : moving.closing.stay.organizationId
