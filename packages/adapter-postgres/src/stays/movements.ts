/** The batched statement that writes entrances and exits: the hot path of the service. */
import {
  admit,
  type ClosedStay,
  type IdentityNotOwn,
  type MovementFacts,
  type NotLinked,
  type Opened,
  type OrganizationId,
  type OrgAuthServerId,
  PremisesNotFound,
  RETRY_KEY_LIFETIME,
  settle,
  type StayId,
  type TimestampInFuture,
  type TimestampTooOld,
  type TrackingMode,
  TwoGenerationCache
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Data, Effect, Exit, type Latch, Option, Result } from "effect"
import type { BulkStatement } from "../database/BulkStatement.ts"
import { brokenKey, type Database, WriteConflict } from "../database/Database.ts"
import { timestampOf } from "../database/rows.ts"
import { type LocatedClosing, type LocatedOpening, movementStatement } from "./movementStatement.ts"
import { makeFirstPartition } from "./StayPartitions.ts"

/** A movement to be written. */
export type Moving = LocatedOpening | LocatedClosing

/** The organization of a movement. */
export const organizationOf = (moving: Moving): OrganizationId =>
  moving._tag === "Opening" ? moving.organizationId : moving.closing.stay.organizationId

/** The entrance was not written, and has to be part of a transaction: it ends other stays, or the cached tracking mode was stale. */
export class NeedsTransaction extends Data.TaggedError("NeedsTransaction") {}

export type OpeningRefusal = PremisesNotFound | NotLinked | IdentityNotOwn | TimestampInFuture | TimestampTooOld

/** The stay that was closed; none where the statement did not close it, for any reason. */
export type Settled = Option.Option<ClosedStay>

/** The facts of a movement, as a statement returns them; it leaves out those that make no difference. */
export interface FactsRow {
  readonly tracking_mode?: TrackingMode | null
  readonly linked?: OrgAuthServerId | null
}

/** The row of a movement. */
export interface MovedRow extends FactsRow {
  /** The number of an entrance; that of an exit is negative. */
  readonly n: number
  /** Of an entrance by a statement for anonymous organizations: whether the organization is. */
  readonly is_anonymous?: boolean | null
  readonly person?: OrgAuthServerId | null
  /** The stay of an entrance; null where it was not written. */
  readonly id?: StayId | null
  /** The key and the entrance of a stay that was open before an entrance, or that its retry key opened. */
  readonly key_id?: number | null
  readonly entered_at?: Date | null
  /** Whether the retry key answers an earlier entrance. */
  readonly is_repeated?: boolean | null
  /** Whether the entrance ends other stays of the person, as places are exclusive. */
  readonly is_exclusive?: boolean | null
}

/** Left out is what an anonymous organization says. So is it for exits of anonymous stays by callers who claim no person, as the rule is the same. */
export const factsOf = ({ tracking_mode, linked }: FactsRow): MovementFacts => ({
  mode: tracking_mode ?? "anonymous",
  linked: Option.fromNullishOr(linked)
})

/** The tracking modes of organizations, as the last movement of each read them. An entry may be stale: statements read the mode. */
export type TrackingModes = TwoGenerationCache<OrganizationId, TrackingMode>

/** The largest number of organizations in a generation. */
const CAPACITY = 50_000

export const makeTrackingModes = (): TrackingModes => new TwoGenerationCache(CAPACITY)

/** Was the organization anonymous? False where that is not known. */
export const wasAnonymous = (modes: TrackingModes, organizationId: OrganizationId): boolean =>
  modes.get(organizationId) === "anonymous"

const learn = (modes: TrackingModes, organizationId: OrganizationId, mode: TrackingMode): void => {
  if (modes.get(organizationId) !== mode) modes.set(organizationId, mode)
}

/** Can a movement be written without a look at people: was its organization anonymous when last read, and does it claim no person? */
const isAnonymous = (moving: Moving, modes: TrackingModes): boolean =>
  wasAnonymous(modes, organizationOf(moving)) &&
  (moving._tag === "Opening" || (!moving.isLookedUp && moving.closing.claim.orgAuthServerId === undefined))

/** Orders exits by the keys of their stays. All batches lock stays in this order, which prevents deadlocks. */
export const byStay = ({ closing: { stay: one } }: LocatedClosing, { closing: { stay: other } }: LocatedClosing) =>
  one.stayId < other.stayId ? -1 : one.stayId > other.stayId ? 1 : 0

/** The outcome of an entrance, from its row. */
export const openingOutcome = (
  { organizationId, opening: { premises, claim, keyId } }: LocatedOpening,
  row: MovedRow | undefined
): Exit.Exit<Opened, OpeningRefusal | WriteConflict> => {
  if (row === undefined) return Exit.fail(new PremisesNotFound({ premises }))
  const admitted = admit(factsOf(row), claim)
  if (Result.isFailure(admitted)) return Exit.fail(admitted.failure)
  const { id = null, person, key_id: earlierKey, entered_at: earlierEntrance } = row
  if (id === null) return CONFLICT
  return Exit.succeed({
    id,
    organizationId,
    premises,
    orgAuthServerId: person ?? undefined,
    keyId: earlierKey ?? keyId,
    entrance: earlierEntrance ? timestampOf(earlierEntrance) : admitted.success.entrance
  })
}

const CONFLICT: Exit.Exit<never, WriteConflict> = Exit.fail(new WriteConflict())
const NEEDS_TRANSACTION = Exit.fail(new NeedsTransaction())
const NOTHING_CLOSED: Exit.Exit<Settled> = Exit.succeed(Option.none())

/** The outcome of an exit, from its row. */
const closingOutcome = (
  { closing: { premises, stay, claim } }: LocatedClosing,
  row: MovedRow | undefined
): Exit.Exit<Settled> => {
  if (!row?.entered_at) return NOTHING_CLOSED
  const settled = settle(
    factsOf(row),
    {
      _tag: "OpenStay",
      id: stay.stayId,
      organizationId: stay.organizationId,
      premises,
      orgAuthServerId: row.person ?? undefined,
      keyId: 0,
      entrance: timestampOf(row.entered_at)
    },
    claim
  )
  // The exit is written: a refusal here means that the rule and the statement differ, which is a defect.
  return Result.isFailure(settled) ? Exit.die(settled.failure) : Exit.succeed(Option.some(settled.success))
}

/**
 * The statement of movements. It reads the facts, writes what the rule allows on them, and returns both. The answer is then
 * computed by the rule on those facts: SQL only prevents writes that the rule would refuse. Where the two disagree a concurrent
 * transaction changed the facts (`WriteConflict`), and the movement runs again. It appends pending changes, and opens `appended`.
 */
export const movements = (
  db: Database,
  modes: TrackingModes,
  appended: Latch.Latch
): BulkStatement<Moving, Opened | Settled, OpeningRefusal | NeedsTransaction> => {
  const runInFirst = makeFirstPartition(db)
  return {
    operation: "track movements",
    run: (items) => {
      const openings = items.filter((moving) => moving._tag === "Opening")
      const closings = items.filter((moving) => moving._tag === "Closing").sort(byStay)
      const areAnonymous = items.every((moving) => isAnonymous(moving, modes))
      const [text, parameters] = movementStatement(openings, closings, areAnonymous)
      const ran =
        closings.length === 0 ? db.run<MovedRow>(text, parameters) : runInFirst<MovedRow>(text, parameters, closings)
      return Effect.map(ran, (rows) => {
        if (rows.length > 0) appended.openUnsafe()
        const found = new Map<Moving, MovedRow>()
        for (const row of rows) {
          const moving = row.n > 0 ? openings[row.n - 1]! : closings[-row.n - 1]!
          found.set(moving, row)
          if (row.tracking_mode) learn(modes, organizationOf(moving), row.tracking_mode)
        }
        return items.map((moving) => {
          const row = found.get(moving)
          if (moving._tag === "Closing") return closingOutcome(moving, row)
          if (row?.is_anonymous === false) {
            learn(modes, moving.organizationId, "authenticated")
            return NEEDS_TRANSACTION
          }
          const outcome = openingOutcome(moving, row)
          const isAdmitted = outcome === CONFLICT || Exit.isSuccess(outcome)
          return isAdmitted && row?.is_exclusive === true && row.is_repeated !== true ? NEEDS_TRANSACTION : outcome
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

/** Deletes a retry key that is expired: $3 the key, $4 the instant at and before which it was used. */
const FORGET = `
delete from entrance_retry
where organization_id = $1::bigint and place_id = $2::bigint and retry_key = $3::text and used_at <= $4::timestamptz`
