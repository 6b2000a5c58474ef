/** Parameters of statements: an array of each column for many items, or a plain value of each column for one. */
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result } from "effect"

/** Makes a parameter of one value of each item; null where the value is undefined. */
type Column<Value> = <Item>(
  items: ReadonlyArray<Item>,
  value: (item: Item) => Value | null | undefined
) => PgTypes.Parameter

const column =
  <Value>(elementType: number): Column<Value> =>
  (items, value) =>
    Result.getOrThrow(
      PgTypes.array(
        items.map((item) => value(item) ?? null),
        elementType
      )
    )

/** Maps items to parameters. */
export type Columns = typeof arrays

/** Maps items to parameters that are arrays. */
export const arrays = {
  bigints: column<bigint>(PgTypes.OID.int8),
  smallints: column<number>(PgTypes.OID.int2),
  integers: column<number>(PgTypes.OID.int4),
  doubles: column<number>(PgTypes.OID.float8),
  texts: column<string>(PgTypes.OID.text),
  /** Of milliseconds since the epoch. */
  instants: column<number>(PgTypes.OID.timestamptz)
}

const first =
  <Value>(parameter: (value: Value | null) => PgTypes.Parameter): Column<Value> =>
  ([item], value) =>
    parameter(item === undefined ? null : (value(item) ?? null))

/** Maps a single item to parameters that are plain values. */
export const values: Columns = {
  bigints: first(PgTypes.int8),
  smallints: first(PgTypes.int2),
  integers: first(PgTypes.int4),
  doubles: first(PgTypes.float8),
  texts: first(PgTypes.text),
  instants: first(PgTypes.timestamptz)
}
