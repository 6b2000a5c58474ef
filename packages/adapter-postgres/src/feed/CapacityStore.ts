/**
 * The port `CapacityStore` in PostgreSQL. A capacity is part of the head of its premises, where `tell` compares it with the
 * people inside.
 */
import {
  type AdministratorId,
  type Capacity,
  type CapacityLevel,
  type CapacityStore,
  type EventGrain,
  grainOf,
  insideOf,
  nextLevel,
  type PermissionLevel,
  type Premises,
  type PresenceHead,
  PremisesNotFound,
  publishingIntervalOf,
  setCapacity,
  setCapacityLater,
  tellableFrom,
  type TrackingMode,
  warningFrom
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Database, Storing } from "../database/Database.ts"
import { lockOrganization } from "../database/locks.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"
import { instantOf, numberOf } from "../database/rows.ts"
import { placeOfRow } from "./events.ts"
import { CAPACITY, RECORD_LEVEL, SET_CAPACITY } from "./feed.sql.ts"
import { lockPremises, tellDue, tellNews, tellPremises } from "./tellNews.ts"

interface CapacityRow {
  /** Of the administrator; null without a permission. */
  readonly permission: PermissionLevel | null
  /** How many people are inside by the events that were told. */
  readonly told: bigint
  readonly inside: bigint
  readonly capacity: bigint | null
  readonly warn_at: number | null
  readonly level: CapacityLevel
  /** When a `PresenceChanged` of the premises was told last. */
  readonly told_at: Date | null
  readonly event_grain: bigint | null
  readonly tracking_mode: TrackingMode
}

const capacityOf = (row: CapacityRow): Capacity | undefined => {
  const capacity = numberOf(row.capacity)
  return capacity === undefined ? undefined : { capacity, warnAt: row.warn_at! }
}

/** The head of the premises, whose `entered` stands for all who are inside by the events that were told. */
const headOf = (row: CapacityRow, placeId: bigint): PresenceHead => ({
  placeId: placeOfRow({ place_id: placeId }),
  entered: Number(row.told),
  left: 0,
  capacity: capacityOf(row),
  level: row.level,
  toldAt: instantOf(row.told_at)
})

export const makeCapacityStore = (
  db: Database,
  directory: PremisesDirectory,
  storing: Storing
): CapacityStore["Service"] => {
  /** The capacity of premises and the number of open stays, with the permission that decides who may know them. */
  const read = Effect.fnUntraced(function* (premises: Premises, administratorId: AdministratorId) {
    const { organizationId, placeId } = yield* directory.require(premises)
    const [row] = yield* db.run<CapacityRow>(CAPACITY, [organizationId, placeId, administratorId])
    if (row === undefined) return yield* new PremisesNotFound({ premises })
    return row
  })

  return {
    set: ({ premises, administratorId, capacity, now, decide }) =>
      storing(
        "set a capacity",
        db.transaction(
          Effect.gen(function* () {
            const { organizationId, placeId } = yield* directory.require(premises)
            yield* lockOrganization(db, organizationId)
            const { permission } = yield* read(premises, administratorId)
            yield* Effect.fromResult(decide(Option.fromNullishOr(permission)))
            yield* lockPremises(db, organizationId, placeId, now)
            const values =
              capacity === undefined ? [null, null, null] : [capacity.capacity, capacity.warnAt, warningFrom(capacity)]
            const keep = ({ level }: PresenceHead) => db.run(SET_CAPACITY, [organizationId, placeId, ...values, level])
            const answer = ({ level }: PresenceHead, inside: number) => ({
              organizationId,
              premises,
              inside,
              capacity,
              level: nextLevel(capacity, level, inside)
            })
            const found = yield* read(premises, administratorId)
            const policy = { eventGrain: numberOf<EventGrain>(found.event_grain) }
            if (publishingIntervalOf(policy, found.tracking_mode) !== undefined) {
              yield* tellDue(db, organizationId, now)
              const published = headOf(yield* read(premises, administratorId), placeId)
              const { head, isLevelPending } = setCapacityLater(published, capacity)
              yield* keep(head)
              if (isLevelPending) yield* db.run(RECORD_LEVEL, [organizationId, placeId, PgTypes.timestamptz(now)])
              return answer(head, insideOf(head))
            }
            const grain = grainOf(policy, found.tracking_mode)
            const isDue = tellableFrom(headOf(found, placeId), grain, now) <= now
            if (isDue) yield* tellPremises(db, organizationId, placeId, now)
            const before = isDue ? yield* read(premises, administratorId) : found
            // As the events tell: a movement since then has a delta of its own.
            const isWaiting = !isDue && before.told !== before.inside
            const { head, news } = setCapacity(headOf(before, placeId), capacity, isWaiting)
            yield* keep(head)
            yield* tellNews(db, organizationId, news)
            return answer(head, Number(before.inside))
          })
        )
      ),

    get: ({ premises, administratorId, decide }) =>
      storing(
        "read a capacity",
        Effect.gen(function* () {
          const { organizationId } = yield* directory.require(premises)
          const row = yield* read(premises, administratorId)
          yield* Effect.fromResult(decide(Option.fromNullishOr(row.permission)))
          const [capacity, inside] = [capacityOf(row), Number(row.inside)]
          return { organizationId, premises, inside, capacity, level: nextLevel(capacity, row.level, inside) }
        })
      )
  }
}
