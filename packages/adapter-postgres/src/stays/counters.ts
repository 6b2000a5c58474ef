import {
  type AdministratorId,
  type PermissionLevel,
  type PermissionTooLow,
  type Premises,
  PremisesNotFound,
  requireLevel
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { arrays } from "../database/columns.ts"
import type { BulkStatement } from "../database/BulkStatement.ts"
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

/** The distinct pairs of reader and premises, and the index of each reading in them. */
const distinct = (asked: ReadonlyArray<CounterReading>) => {
  const numbers = new Map<string, number>()
  const readings: Array<CounterReading> = []
  const numberOf = asked.map((reading) => {
    const name = `${nameOf(reading)} ${reading.administratorId}`
    const number = numbers.get(name) ?? readings.length
    if (number === readings.length) {
      numbers.set(name, number)
      readings.push(reading)
    }
    return number
  })
  return { readings, numberOf }
}

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
export const counters = (db: Database): BulkStatement<CounterReading, number, PremisesNotFound | PermissionTooLow> => ({
  operation: "count open stays",
  run: (asked) => {
    const { readings, numberOf } = distinct(asked)
    return Effect.map(
      db.run<CounterRow>(COUNT_OPEN, [
        arrays.bigints(readings, ({ organizationId }) => organizationId),
        arrays.bigints(readings, ({ placeId }) => placeId),
        arrays.texts(readings, ({ administratorId }) => administratorId)
      ]),
      (rows) => {
        const found = new Map<number, CounterRow>()
        const counted = new Map<string, number>()
        for (const row of rows) {
          const number = row.n - 1
          found.set(number, row)
          if (row.inside !== null) counted.set(nameOf(readings[number]!), Number(row.inside))
        }
        return asked.map((reading, i) => outcomeOf(reading, found.get(numberOf[i]!), counted.get(nameOf(reading)) ?? 0))
      }
    )
  }
})
