/** The ids of cells. Each cell issues ids of a range of its own, so that an id tells the cell that issued it. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { branded } from "./branded.ts"

/** How many ids a range has: 35 trillion, which is 11 years of 100,000 entrances a second. 256 ranges end at `LARGEST_ISSUED_ID`. */
const RANGE_SIZE = 2n ** 45n

/** The number of a cell, 0 to 255. Cell 0 is the home cell; a service without cells is one cell 0. */
export const CellNumber = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })).pipe(branded("CellNumber"))
export type CellNumber = typeof CellNumber.Type

/** The ids that a cell issues. */
export interface IdRange {
  readonly first: bigint
  readonly last: bigint
}

/**
 * The range of a cell's ids. The number before the first is of the range as well, and never issued: it stands for "none yet".
 */
export const idRangeOf = (cell: CellNumber): IdRange => {
  const start = BigInt(cell) * RANGE_SIZE
  return { first: start + 1n, last: start + RANGE_SIZE - 1n }
}

/** The cell that issued an id; none of an id that no cell issues. */
export const cellOfId = (id: bigint): Option.Option<CellNumber> => {
  const cell = Number(id / RANGE_SIZE)
  return id % RANGE_SIZE === 0n || cell > 255 ? Option.none() : Option.some(cell as CellNumber)
}
