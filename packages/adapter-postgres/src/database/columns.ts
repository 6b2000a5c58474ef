import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Result from "effect/Result"

/** Makes a parameter of one value of each item; null where the value is undefined. */
const column =
  <Value>(elementType: number) =>
  <Item>(items: ReadonlyArray<Item>, value: (item: Item) => Value | null | undefined): PgTypes.Parameter =>
    Result.getOrThrow(
      PgTypes.array(
        items.map((item) => value(item) ?? null),
        elementType
      )
    )

/** Maps items to parameters that are arrays. */
export const arrays = {
  bigints: column<bigint>(PgTypes.OID.int8),
  smallints: column<number>(PgTypes.OID.int2),
  texts: column<string>(PgTypes.OID.text),
  /** Of milliseconds since the epoch. */
  instants: column<number>(PgTypes.OID.timestamptz)
}
