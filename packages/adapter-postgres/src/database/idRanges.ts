/** The ranges of ids of cells, in statements. */
import { CellNumber, idRangeOf } from "@sojourn/core"

/**
 * The bits of an id that tell it from others of its cell: `id | RANGE_END` is the end of the cell's range. Ids of one cell rise with time.
 * Those of an organization fall where it was moved to a cell of a lower range.
 */
export const RANGE_END = String(idRangeOf(CellNumber.make(0)).last)
