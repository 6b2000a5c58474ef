/** Random capacities, and numbers of people near the borders of their levels. */
import type { Capacity } from "@sojourn/core"
import { Arbitrary } from "effect"
import { anyOf, integer, oneOf } from "./choice.ts"

/** A part as it is written: so many millionths, above 0 and up to 1. */
export const millionths: Arbitrary.Arbitrary<number> = oneOf(
  anyOf([800_000, 70_000, 290_000, 500_000, 1_000_000, 1, 999_000, 999_999]),
  integer(1, 1_000_000)
)

/** The capacity of a room, of a stadium, or of any number that is allowed. */
export const capacityNumber: Arbitrary.Arbitrary<number> = oneOf(
  integer(1, 30),
  anyOf([100, 1, 2, 19, 20, 21, 39, 40, 250, 9_999_999, 10_000_000]),
  integer(1, 10_000_000)
)

/** A capacity with a warning at any part of it. */
export const capacity: Arbitrary.Arbitrary<Capacity> = Arbitrary.map(
  Arbitrary.all([capacityNumber, millionths]),
  ([capacity, part]) => ({ capacity, warnAt: part / 1_000_000 })
)

/**
 * A number of people inside premises with a capacity: near the beginnings of its levels and where they are left, or any.
 */
export const insideNear = ({ capacity, warnAt }: Capacity): Arbitrary.Arbitrary<number> => {
  const margin = Math.max(1, Math.floor(capacity / 20))
  const warning = Math.ceil(warnAt * capacity)
  const edges = [capacity, warning, capacity + 1].flatMap((edge) => [edge, edge - margin])
  return oneOf(
    Arbitrary.map(Arbitrary.all([integer(0, edges.length - 1), integer(-2, 2)]), ([edge, off]) =>
      Math.max(0, (edges[edge] ?? 0) + off)
    ),
    integer(0, 2 * capacity)
  )
}
