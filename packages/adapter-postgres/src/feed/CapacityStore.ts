/**
 * The port `CapacityStore` in PostgreSQL. A capacity is part of the totals of its premises, where `publish` compares it with the
 * people inside.
 */
import {
  administratorOf,
  type CapacityStore,
  capacityUpdated,
  type EventGrain,
  eventIntervalOf,
  insideOf,
  nextLevel,
  type OrganizationId,
  type PermissionLevel,
  type Premises,
  PremisesNotFound,
  type PresenceTotals,
  publishableFrom,
  publishingIntervalOf,
  type Reader,
  recorded,
  setCapacity,
  setCapacityLater,
  type TrackingMode,
  warningFrom
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect } from "effect"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { levelOfDisplay, readAs, type ReaderColumns } from "../database/levels.ts"
import { lockOrganization } from "../database/locks.ts"
import type { PremisesDirectory, PremisesKey } from "../database/PremisesDirectory.ts"
import { numberOf } from "../database/rows.ts"
import { APPEND_LEVEL, CAPACITY, SET_CAPACITY } from "./capacity.sql.ts"
import { publishDue, publishEvents, publishPremises } from "./publishEvents.ts"
import { type CapacityColumns, capacityOf, totalsOf } from "./totals.ts"

interface CapacityRow extends CapacityColumns, ReaderColumns {
  /** How many people are inside by the events that were published. */
  readonly published: bigint
  readonly inside: bigint
  readonly event_grain: bigint | null
  readonly tracking_mode: TrackingMode
  readonly publishing_mode: TrackingMode
}

/** The totals of the premises, whose `entered` stands for all who are inside by the events that were published. */
const publishedTotals = (row: CapacityRow, placeId: bigint): PresenceTotals =>
  totalsOf({ ...row, place_id: placeId, entered: row.published, departed: 0n })

const policyOf = (row: CapacityRow) => ({ eventGrain: numberOf<EventGrain>(row.event_grain) })

type Setting = Parameters<CapacityStore["Service"]["set"]>[0]

export const makeCapacityStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing
): CapacityStore["Service"] => {
  /** The capacity of premises and the number of open stays, for a reader of a level. */
  const read = Effect.fnUntraced(function* (premises: Premises, reader: Reader, required: PermissionLevel) {
    const { organizationId, placeId } = yield* directory.require(premises)
    const rows = db.run<CapacityRow>(CAPACITY, [organizationId, placeId, administratorOf(reader) ?? null])
    const missing = () => new PremisesNotFound({ premises })
    const [row] = yield* readAs(rows, required, missing, levelOfDisplay(reader, organizationId))
    return row
  })

  const write = (organizationId: OrganizationId, placeId: bigint, { capacity, level }: PresenceTotals) => {
    const values =
      capacity === undefined ? [null, null, null] : [capacity.capacity, capacity.warnAt, warningFrom(capacity)]
    return db.run(SET_CAPACITY, [organizationId, placeId, ...values, level])
  }

  /**
   * Sets the capacity in an organization whose counts are exact. Pending changes that are due are published before, so that the level
   * is that of all people inside.
   */
  const setNow = Effect.fnUntraced(function* (
    { premises, administratorId, capacity, now }: Setting,
    { organizationId, placeId }: PremisesKey,
    found: CapacityRow
  ) {
    const interval = eventIntervalOf(policyOf(found), found.tracking_mode)
    const isDue = publishableFrom(publishedTotals(found, placeId), interval, now) <= now
    if (isDue) yield* publishPremises(db, organizationId, placeId, now)
    const before = isDue ? yield* read(premises, administratorId, "manager") : found
    // As of the events: a movement that is committed after the publication has a pending change of its own.
    const isWaiting = !isDue && before.published !== before.inside
    const { totals, events } = setCapacity(publishedTotals(before, placeId), capacity, isWaiting)
    yield* write(organizationId, placeId, totals)
    yield* publishEvents(db, organizationId, events)
    return { level: totals.level, inside: Number(before.inside) }
  })

  /** Sets the capacity in an organization with a publishing interval: its level is published at the next multiple. */
  const setAtNextMultiple = Effect.fnUntraced(function* (
    { capacity, now }: Setting,
    { organizationId, placeId }: PremisesKey,
    found: CapacityRow
  ) {
    const { totals, isLevelPending } = setCapacityLater(publishedTotals(found, placeId), capacity)
    yield* write(organizationId, placeId, totals)
    if (isLevelPending) yield* db.run(APPEND_LEVEL, [organizationId, placeId, PgTypes.timestamptz(now)])
    return { level: totals.level, inside: insideOf(totals) }
  })

  return {
    set: (setting) =>
      Effect.flatMap(storing("find a place", directory.require(setting.premises)), (key) =>
        storing.by(key.organizationId).transaction("set a capacity", function* () {
          const { premises, administratorId, capacity, now } = setting
          yield* lockOrganization(db, key.organizationId)
          yield* read(premises, administratorId, "manager")
          yield* publishDue(db, key.organizationId, now)
          const found = yield* read(premises, administratorId, "manager")
          const hasInterval = publishingIntervalOf(policyOf(found), found.publishing_mode) !== undefined
          const { level, inside } = yield* (hasInterval ? setAtNextMultiple : setNow)(setting, key, found)
          const { organizationId } = key
          return recorded(
            { organizationId, premises, inside, capacity, level: nextLevel(capacity, level, inside) },
            capacityUpdated(organizationId, premises, capacityOf(found), capacity)
          )
        })
      ),

    get: ({ premises, reader }) =>
      storing.gen("read a capacity", function* () {
        const { organizationId } = yield* directory.require(premises)
        const row = yield* read(premises, reader, "viewer")
        const [capacity, inside] = [capacityOf(row), Number(row.inside)]
        return { organizationId, premises, inside, capacity, level: nextLevel(capacity, row.level, inside) }
      })
  }
}
