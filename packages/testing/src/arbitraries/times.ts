/** Random times, and the one moment that the clocks of tests stand at. */
import { LARGEST_LEAD, Timestamp } from "@sojourn/core"
import { Arbitrary } from "effect"
import { anyOf, integer, oneOf } from "./choice.ts"

/** The clock of the tests stands here: 2026-03-01T08:00:00.000Z. */
export const NOW: Timestamp = Timestamp(1_772_352_000_000)

/** The first and the last instant that a timestamp can be. */
export const EARLIEST: Timestamp = Timestamp(-Infinity)
export const LATEST: Timestamp = Timestamp(Infinity)

/** The instant that lies so many milliseconds from another. */
export const after = (timestamp: Timestamp, milliseconds: number): Timestamp => Timestamp(timestamp + milliseconds)

/** Milliseconds between two events: mostly none, one, or about as much as a phone's clock may run ahead. */
export const offset: Arbitrary.Arbitrary<number> = oneOf(
  anyOf([0, 1, -1, 1000, -1000, 60_000, -60_000]),
  anyOf([LARGEST_LEAD, LARGEST_LEAD + 1, LARGEST_LEAD - 1, -LARGEST_LEAD, 2 * LARGEST_LEAD]),
  integer(-3, 3),
  integer(-86_400_000, 86_400_000)
)

/** Instants near each other. */
export const nearNow: Arbitrary.Arbitrary<Timestamp> = Arbitrary.map(offset, (distance) => after(NOW, distance))

/** Any instant: near it, near the ends of months and years, and at the very ends of time. */
export const timestamp: Arbitrary.Arbitrary<Timestamp> = oneOf(
  nearNow,
  Arbitrary.map(
    Arbitrary.all([anyOf([0, 951_782_400_000, 1_709_164_800_000, 1_483_228_800_000, -2_208_988_800_000]), offset]),
    ([edge, distance]) => Timestamp(edge + distance)
  ),
  anyOf([EARLIEST, LATEST, after(EARLIEST, 1), after(LATEST, -1)]),
  Arbitrary.map(integer(EARLIEST, LATEST), Timestamp)
)
