/** Converts rows and their columns to values of the domain. */
import type { Timestamp } from "@sojourn/core"
import { Effect } from "effect"

export const timestampOf = (date: Date): Timestamp => date.getTime() as Timestamp

/** The time of a column that may be null. */
export const instantOf = (column: Date | null): Timestamp | undefined =>
  column === null ? undefined : timestampOf(column)

/** The number of a column that may be null. */
export const numberOf = <Value extends number = number>(column: bigint | null): Value | undefined =>
  column === null ? undefined : (Number(column) as Value)

/** The ids of an array as PostgreSQL writes it: `{1,2}`. */
export const idsOf = <Id extends bigint = bigint>(array: string): ReadonlyArray<Id> =>
  array === "{}"
    ? []
    : array
        .slice(1, -1)
        .split(",")
        .map((id) => BigInt(id) as Id)

/** The first row of an answer; fails where there is none. */
export const requireRow = <Row, E, Missing>(rows: Effect.Effect<ReadonlyArray<Row>, E>, missing: () => Missing) =>
  Effect.flatMap(rows, ([row]): Effect.Effect<Row, Missing> =>
    row === undefined ? Effect.fail(missing()) : Effect.succeed(row)
  )

/** The number in the column `count` of the only row. */
export const countOf = <E>(
  rows: Effect.Effect<ReadonlyArray<{ readonly count: bigint }>, E>
): Effect.Effect<number, E> => Effect.map(rows, ([row]) => Number(row!.count))
