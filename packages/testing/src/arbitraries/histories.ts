/** Random histories of stays, which `StayModel` and every `StayLog` have to live alike. */
import type { OrgAuthServerId, TrackingMode } from "@sojourn/core"
import { Arbitrary } from "effect"
import { anyOf, integer, maybe, oneOf } from "./choice.ts"
import { person } from "./movements.ts"
import { mode } from "./permissions.ts"

/** A step in the life of one organization with one place and three users. Times are milliseconds from the clock. */
export type Step =
  | {
      readonly _tag: "Enter"
      readonly at: "organization" | "place"
      readonly user: number
      readonly claims: OrgAuthServerId | undefined
      readonly time: number | undefined
      readonly key: number | undefined
    }
  | {
      readonly _tag: "Leave"
      /** Which of the stays so far, counted from the latest. */
      readonly stay: number
      readonly elsewhere: boolean
      readonly user: number
      readonly claims: OrgAuthServerId | undefined
      readonly time: number | undefined
    }
  | { readonly _tag: "Link"; readonly user: number; readonly person: OrgAuthServerId }
  | { readonly _tag: "Unlink"; readonly user: number }
  | { readonly _tag: "Track"; readonly mode: TrackingMode }
  | { readonly _tag: "Wait"; readonly milliseconds: number }

const user = integer(0, 2)
const time = maybe(anyOf([0, -1000, -2000, -500_000, 1000, 300_000, 300_001]))
const claims = oneOf(Arbitrary.Constant(undefined), Arbitrary.Constant(undefined), person)

const enter: Arbitrary.Arbitrary<Step> = Arbitrary.all({
  _tag: Arbitrary.Constant("Enter"),
  at: anyOf(["organization", "place"]),
  user,
  claims,
  time,
  key: oneOf(Arbitrary.Constant(undefined), integer(0, 1))
})

const leave: Arbitrary.Arbitrary<Step> = Arbitrary.all({
  _tag: Arbitrary.Constant("Leave"),
  stay: integer(0, 4),
  elsewhere: anyOf([false, false, false, true]),
  user,
  claims,
  time
})

const other: Arbitrary.Arbitrary<Step> = oneOf<Step>(
  Arbitrary.all({ _tag: Arbitrary.Constant("Link"), user, person }),
  Arbitrary.all({ _tag: Arbitrary.Constant("Link"), user, person }),
  Arbitrary.all({ _tag: Arbitrary.Constant("Unlink"), user }),
  Arbitrary.all({ _tag: Arbitrary.Constant("Track"), mode }),
  Arbitrary.all({ _tag: Arbitrary.Constant("Wait"), milliseconds: anyOf([1, 3_600_000, 43_200_000]) })
)

const links: Arbitrary.Arbitrary<ReadonlyArray<Step>> = Arbitrary.map(Arbitrary.all([person, person]), (people) =>
  people.map((person, user): Step => ({ _tag: "Link", user, person }))
)

const steps: Arbitrary.Arbitrary<ReadonlyArray<Step>> = Arbitrary.array(oneOf(enter, enter, leave, leave, other), {
  minLength: 15,
  maxLength: 50
})

/** The links of two users, and then fifteen to fifty steps, most of them movements. */
export const history: Arbitrary.Arbitrary<ReadonlyArray<Step>> = Arbitrary.map(
  Arbitrary.all([links, steps]),
  ([first, then]) => [...first, ...then]
)
