/**
 * The port `CapacityStore` in PostgreSQL. A capacity is part of the head of its premises, where `tell` compares it with the
 * people inside.
 */
import {
  type AdministratorId,
  type Capacity,
  type CapacityLevel,
  type CapacityStore,
  levelOf,
  nextLevel,
  type PermissionLevel,
  type Premises,
  PremisesNotFound,
  warningFrom
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Database, Storing } from "../database/Database.ts"
import { lockOrganization } from "../database/locks.ts"
import type { PremisesDirectory } from "../database/PremisesDirectory.ts"
import { numberOf } from "../database/rows.ts"
import { placeOfRow } from "./events.ts"
import { CAPACITY, SET_CAPACITY } from "./feed.sql.ts"
import { tellNews, tellPremises } from "./tellNews.ts"

interface CapacityRow {
  /** Of the administrator; null without a permission. */
  readonly permission: PermissionLevel | null
  /** How many people are inside by the events that were told. */
  readonly told: bigint
  readonly inside: bigint
  readonly capacity: bigint | null
  readonly warn_at: number | null
  readonly level: CapacityLevel
}

const capacityOf = (row: CapacityRow): Capacity | undefined => {
  const capacity = numberOf(row.capacity)
  return capacity === undefined ? undefined : { capacity, warnAt: row.warn_at! }
}

const isSame = (one: Capacity | undefined, other: Capacity | undefined): boolean =>
  one?.capacity === other?.capacity && one?.warnAt === other?.warnAt

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
            yield* tellPremises(db, organizationId, placeId, now)
            const before = yield* read(premises, administratorId)
            // As the events tell: a movement since then has a delta of its own.
            const inside = Number(before.told)
            const level = isSame(capacity, capacityOf(before))
              ? nextLevel(capacity, before.level, inside)
              : levelOf(capacity, inside)
            const values =
              capacity === undefined ? [null, null, null] : [capacity.capacity, capacity.warnAt, warningFrom(capacity)]
            yield* db.run(SET_CAPACITY, [organizationId, placeId, ...values, level])
            if (level !== before.level) {
              const place = placeOfRow({ place_id: placeId })
              yield* tellNews(db, organizationId, [
                { _tag: "CapacityChanged", placeId: place, level, inside, capacity: capacity?.capacity }
              ])
            }
            return { organizationId, premises, inside, capacity, level }
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
