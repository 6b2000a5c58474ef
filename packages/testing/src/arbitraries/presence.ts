/** Random histories for the feed: what is recorded and published, in rounds of one moment each. */
import type { Capacity } from "@sojourn/core"
import { Arbitrary } from "effect"
import { anyOf, integer, maybe, oneOf } from "./choice.ts"

/**
 * A step in the life of an anonymous organization with two places: 0 is the organization itself, 1 and 2 are its places.
 */
export type PresenceStep =
  | { readonly _tag: "Enter"; readonly at: number }
  /** Which of the stays so far, counted from the latest. */
  | { readonly _tag: "Leave"; readonly stay: number }
  /** So many milliseconds after the time of the round. */
  | { readonly _tag: "Publish"; readonly later: number }
  | { readonly _tag: "SetCapacity"; readonly at: number; readonly capacity: Capacity | undefined }
  /** Ends the place, and makes another one in its stead in the next round. */
  | { readonly _tag: "EndPlace"; readonly at: number }
  | { readonly _tag: "Rename"; readonly at: number; readonly name: string }
  | { readonly _tag: "Abandon"; readonly most: number }
  | { readonly _tag: "Grain"; readonly seconds: number }

const at = integer(0, 2)

const movement: Arbitrary.Arbitrary<PresenceStep> = oneOf<PresenceStep>(
  Arbitrary.all({ _tag: Arbitrary.Constant("Enter"), at }),
  Arbitrary.all({ _tag: Arbitrary.Constant("Enter"), at }),
  Arbitrary.all({ _tag: Arbitrary.Constant("Leave"), stay: integer(0, 6) })
)

const capacity: Arbitrary.Arbitrary<Capacity | undefined> = maybe(
  Arbitrary.all({ capacity: integer(1, 6), warnAt: anyOf([0.5, 1, 0.8]) })
)

const other: Arbitrary.Arbitrary<PresenceStep> = oneOf<PresenceStep>(
  Arbitrary.all({ _tag: Arbitrary.Constant("Publish"), later: anyOf([0, 1, 999, 1000, 60_000]) }),
  Arbitrary.all({ _tag: Arbitrary.Constant("Publish"), later: anyOf([0, 1, 999, 1000, 60_000]) }),
  Arbitrary.all({ _tag: Arbitrary.Constant("SetCapacity"), at, capacity }),
  Arbitrary.all({ _tag: Arbitrary.Constant("SetCapacity"), at, capacity }),
  Arbitrary.all({ _tag: Arbitrary.Constant("EndPlace"), at: integer(1, 2) }),
  Arbitrary.all({ _tag: Arbitrary.Constant("Rename"), at, name: anyOf(["one", "two"]) }),
  Arbitrary.all({ _tag: Arbitrary.Constant("Abandon"), most: integer(1, 4) }),
  Arbitrary.all({ _tag: Arbitrary.Constant("Grain"), seconds: anyOf([0, 1, 2, 60]) })
)

/** Rounds of steps; the steps of one round happen at one moment. */
export const presenceHistory: Arbitrary.Arbitrary<ReadonlyArray<ReadonlyArray<PresenceStep>>> = Arbitrary.array(
  Arbitrary.array(oneOf(movement, movement, other), { minLength: 1, maxLength: 12 }),
  { minLength: 2, maxLength: 8 }
)
