import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Result from "effect/Result"

/** A parameter that holds one thing of each of many; what is not there is null. */
const column =
  <Value>(elementType: number) =>
  <Item>(items: ReadonlyArray<Item>, value: (item: Item) => Value | null | undefined): PgTypes.Parameter =>
    Result.getOrThrow(
      PgTypes.array(
        items.map((item) => value(item) ?? null),
        elementType
      )
    )

export const bigints = column<bigint>(PgTypes.OID.int8)
export const smallints = column<number>(PgTypes.OID.int2)
export const texts = column<string>(PgTypes.OID.text)
/** Of milliseconds since the epoch. */
export const instants = column<number>(PgTypes.OID.timestamptz)
