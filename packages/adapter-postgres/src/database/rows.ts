/** Converts columns of rows to values of the domain. */
import type { Timestamp } from "@sojourn/core"

export const timestampOf = (date: Date): Timestamp => date.getTime() as Timestamp

/** The time of a column that may be null. */
export const instantOf = (column: Date | null): Timestamp | undefined =>
  column === null ? undefined : timestampOf(column)

/** The number of a column that may be null. */
export const numberOf = <Value extends number = number>(column: bigint | null): Value | undefined =>
  column === null ? undefined : (Number(column) as Value)
