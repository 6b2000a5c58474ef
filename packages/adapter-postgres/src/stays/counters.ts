/** The batched statement that counts open stays for administrators. */
import {
  type AdministratorId,
  type PermissionLevel,
  type PermissionTooLow,
  type Premises,
  PremisesNotFound,
  requireLevel
} from "@sojourn/core"
import { Effect, Exit, Option, Result } from "effect"
import { arrays } from "../database/columns.ts"
import { type BulkStatement, unrepeated } from "../database/BulkStatement.ts"
import type { Database } from "../database/Database.ts"
import type { PremisesKey } from "../database/PremisesDirectory.ts"
import { COUNT_OPEN } from "./reads.sql.ts"

/** An administrator's request for the number of open stays of premises. */
export interface CounterReading extends PremisesKey {
  readonly administratorId: AdministratorId
  readonly premises: Premises
}

interface CounterRow {
  /** The number of the reading in the statement, from 1. */
  readonly n: number
  readonly level: PermissionLevel | null
  /** Null where another row of the same premises has the number, or no reader of them may know it. */
  readonly inside: bigint | null
}

/** A text that identifies premises. */
export const nameOf = ({ organizationId, placeId }: PremisesKey): string => `${organizationId} ${placeId}`

const outcomeOf = (
  { premises }: CounterReading,
  row: CounterRow | undefined,
  inside: number
): Exit.Exit<number, PremisesNotFound | PermissionTooLow> => {
  if (row === undefined) return Exit.fail(new PremisesNotFound({ premises }))
  const required = requireLevel(Option.fromNullishOr(row.level), "viewer")
  return Result.isFailure(required) ? Exit.fail(required.failure) : Exit.succeed(inside)
}

/**
 * The statement of counters. It counts each premises once for all readers, and starts after all of them asked: it sees
 * every movement that was answered before.
 */
export const counters = (db: Database): BulkStatement<CounterReading, number, PremisesNotFound | PermissionTooLow> =>
  unrepeated(
    {
      operation: "count open stays",
      run: (readings) =>
        Effect.map(
          db.run<CounterRow>(COUNT_OPEN, [
            arrays.bigints(readings, ({ organizationId }) => organizationId),
            arrays.bigints(readings, ({ placeId }) => placeId),
            arrays.texts(readings, ({ administratorId }) => administratorId)
          ]),
          (rows) => {
            const found: Array<CounterRow | undefined> = []
            const counted = new Map<string, number>()
            for (const row of rows) {
              const number = row.n - 1
              found[number] = row
              if (row.inside !== null) counted.set(nameOf(readings[number]!), Number(row.inside))
            }
            return readings.map((reading, i) => outcomeOf(reading, found[i], counted.get(nameOf(reading)) ?? 0))
          }
        )
    },
    (reading) => `${nameOf(reading)} ${reading.administratorId}`
  )
