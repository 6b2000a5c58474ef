import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Result from "effect/Result"

/** A parameter that holds one thing of each item; what is not there is null. */
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

/** How items become parameters. */
export type Columns = typeof arrays

/** Parameters that are about many items: arrays. */
export const arrays = {
  bigints: array<bigint>(PgTypes.OID.int8),
  smallints: array<number>(PgTypes.OID.int2),
  texts: array<string>(PgTypes.OID.text),
  /** Of milliseconds since the epoch. */
  instants: array<number>(PgTypes.OID.timestamptz)
}

/** The same about an item that is alone: plain values, which cost PostgreSQL and the process less. */
export const values: Columns = {
  bigints: ofTheFirst(PgTypes.int8),
  smallints: ofTheFirst(PgTypes.int2),
  texts: ofTheFirst(PgTypes.text),
  instants: ofTheFirst(PgTypes.timestamptz)
}
