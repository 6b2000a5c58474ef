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
import { arrays, values } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import type { Batched } from "../batching/Batched.ts"
import type { PremisesKey } from "../database/PremisesDirectory.ts"
import { COUNT_OPEN, COUNT_OPEN_FOR_ONE } from "./reads.sql.ts"

/** An administrator who asks how many are inside. */
export interface CounterReading extends PremisesKey {
  readonly administratorId: AdministratorId
  readonly premises: Premises
}

interface CounterRow {
  /** Which of those who asked, from 1. */
  readonly n: number
  readonly level: PermissionLevel | null
  /** Null where another row of the same premises has it, or nobody who asked may know it. */
  readonly inside: bigint | null
}

/** How long it takes to count somebody who is inside, in milliseconds, and to answer a reader. */
const COUNTING_ONE = 0.0001
const ANSWERING = 0.03

/** What tells some premises from all others. */
export const nameOf = ({ organizationId, placeId }: PremisesKey): string => `${organizationId} ${placeId}`

/** Each reader and premises once, and which of these each of `asked` is. */
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
 * Counters that are asked for at the same moment are one statement, which counts every crowd once, whoever asks. It begins
 * after all of them asked, so it sees what they know to have happened. `learn` is told how many are where.
 */
export const counters = (
  db: Database,
  learn: (name: string, inside: number) => void
): Batched<CounterReading, number, PremisesNotFound | PermissionTooLow> => ({
  operation: "count open stays",
  work: (_, inside) => ANSWERING + inside * COUNTING_ONE,
  run: (asked) => {
    const { readings, numberOf } = distinct(asked)
    const isOne = readings.length === 1
    const { bigints, texts } = isOne ? values : arrays
    return Effect.map(
      db.run<CounterRow>(isOne ? COUNT_OPEN_FOR_ONE : COUNT_OPEN, [
        bigints(readings, ({ organizationId }) => organizationId),
        bigints(readings, ({ placeId }) => placeId),
        texts(readings, ({ administratorId }) => administratorId)
      ]),
      (rows) => {
        const found = new Map<number, CounterRow>()
        const counted = new Map<string, number>()
        for (const row of rows) {
          const number = row.n - 1
          found.set(number, row)
          if (row.inside === null) continue
          const name = nameOf(readings[number]!)
          const inside = Number(row.inside)
          counted.set(name, inside)
          learn(name, inside)
        }
        return asked.map((reading, i) => outcomeOf(reading, found.get(numberOf[i]!), counted.get(nameOf(reading)) ?? 0))
      }
    )
  }
})
