/** The rule that says which cell a new organization goes to. */
import type { CellNumber } from "@sojourn/core"

/** A cell that new organizations may go to. */
export interface CellLoad {
  readonly number: CellNumber
  readonly weight: number
  readonly organizations: number
}

/**
 * The cell of a new organization: the one with the fewest organizations for its weight once it has the new one, of equal ones the first. A
 * cell with weight 0 gets none, unless all have weight 0: then the first gets it.
 */
export const chooseCell = (cells: readonly [CellLoad, ...ReadonlyArray<CellLoad>]): CellNumber => {
  const share = ({ weight, organizations }: CellLoad) => (weight > 0 ? (organizations + 1) / weight : Infinity)
  return cells.reduce((best, cell) => (share(cell) < share(best) ? cell : best)).number
}
