import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Result from "effect/Result"

/** Makes a parameter of one value of each item; null where the value is undefined. */
type Column<Value> = <Item>(
  items: ReadonlyArray<Item>,
  value: (item: Item) => Value | null | undefined
) => PgTypes.Parameter

const array =
  <Value>(elementType: number): Column<Value> =>
  (items, value) =>
    Result.getOrThrow(
      PgTypes.array(
        items.map((item) => value(item) ?? null),
        elementType
      )
    )

const ofTheFirst =
  <Value>(parameter: (value: Value | null) => PgTypes.Parameter): Column<Value> =>
  ([item], value) =>
    parameter(item === undefined ? null : (value(item) ?? null))

/** Maps items to parameters. */
export type Columns = typeof arrays

/** Parameters of many items: arrays. */
export const arrays = {
  bigints: array<bigint>(PgTypes.OID.int8),
  smallints: array<number>(PgTypes.OID.int2),
  texts: array<string>(PgTypes.OID.text),
  /** Of milliseconds since the epoch. */
  instants: array<number>(PgTypes.OID.timestamptz)
}

/** The same of a single item: plain values, which cost PostgreSQL and the process less. */
export const values: Columns = {
  bigints: ofTheFirst(PgTypes.int8),
  smallints: ofTheFirst(PgTypes.int2),
  texts: ofTheFirst(PgTypes.text),
  instants: ofTheFirst(PgTypes.timestamptz)
}
