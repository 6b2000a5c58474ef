/** Short forms of the arbitraries that most others are built from. */
import { Arbitrary, Schema } from "effect"

/** A whole number from `minimum` to `maximum`, both included. */
export const integer = (minimum: number, maximum: number): Arbitrary.Arbitrary<number> =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

/**
 * One of these values. One that stands in the list twice is met twice as often; the first is what shrinking prefers.
 */
export const anyOf = <const A>(values: readonly [A, ...ReadonlyArray<A>]): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(integer(0, values.length - 1), (index) => values[index] ?? values[0])

/** A value of one of these arbitraries, each met equally often. */
export const oneOf = <A>(
  ...choices: readonly [Arbitrary.Arbitrary<A>, ...ReadonlyArray<Arbitrary.Arbitrary<A>>]
): Arbitrary.Arbitrary<A> => Arbitrary.flatMap(integer(0, choices.length - 1), (index) => choices[index] ?? choices[0])

/** A value, or none in one case of three. */
export const maybe = <A>(value: Arbitrary.Arbitrary<A>): Arbitrary.Arbitrary<A | undefined> =>
  oneOf<A | undefined>(Arbitrary.Constant(undefined), value, value)

/** Some of these values, each at most once, in any order. */
export const someOf = <A>(values: ReadonlyArray<A>): Arbitrary.Arbitrary<ReadonlyArray<A>> =>
  Arbitrary.map(
    Arbitrary.all(values.map((value) => Arbitrary.map(integer(0, 7), (rank) => ({ value, rank })))),
    (ranked) =>
      ranked
        .filter(({ rank }) => rank < 5)
        .sort((one, other) => one.rank - other.rank)
        .map(({ value }) => value)
  )
