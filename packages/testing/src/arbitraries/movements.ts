/** Random stays, and what movements of them claim and are decided on. */
import {
  type ClosedStay,
  LARGEST_LAG_MS,
  type MovementClaim,
  type MovementFacts,
  type OpenStay,
  OrgAuthServerId,
  Timestamp
} from "@sojourn/core"
import { Arbitrary, Option } from "effect"
import { anyOf, integer, maybe, oneOf } from "./choice.ts"
import { organizationId, premises, stayId } from "./ids.ts"
import { mode } from "./permissions.ts"
import { after, nearNow, NOW } from "./times.ts"

/** A person of three. */
export const person: Arbitrary.Arbitrary<OrgAuthServerId> = Arbitrary.map(
  anyOf(["ada", "bob", "uid=cleo,ou=people"]),
  (id) => OrgAuthServerId.make(id)
)

/** How an organization tracks, and whom it knows the caller as. */
export const movementFacts: Arbitrary.Arbitrary<MovementFacts> = Arbitrary.all({
  mode,
  linked: Arbitrary.map(maybe(person), (id) => Option.fromUndefinedOr(id))
})

/** What a request says: at about now, as one of the people of the facts, or without saying. */
export const movementClaim: Arbitrary.Arbitrary<MovementClaim> = Arbitrary.all({
  timestamp: maybe(
    oneOf(nearNow, nearNow, nearNow, anyOf([after(NOW, -LARGEST_LAG_MS), after(NOW, -LARGEST_LAG_MS - 1)]))
  ),
  orgAuthServerId: maybe(person),
  now: Arbitrary.Constant(NOW)
})

/** An open stay that began at about now, identified or anonymous. */
export const openStay: Arbitrary.Arbitrary<OpenStay> = Arbitrary.all({
  _tag: Arbitrary.Constant("OpenStay"),
  id: stayId,
  organizationId,
  premises,
  orgAuthServerId: maybe(person),
  keyId: integer(0, 255),
  entrance: nearNow
})

/** A stay that was closed by an exit. */
export const closedStay: Arbitrary.Arbitrary<ClosedStay> = Arbitrary.map(
  Arbitrary.all([openStay, anyOf([0, 1, 1000, 3_600_000])]),
  ([{ id, organizationId, premises, orgAuthServerId, entrance }, duration]) => ({
    _tag: "ClosedStay",
    id,
    organizationId,
    premises,
    orgAuthServerId,
    entrance,
    exit: Timestamp(entrance + duration)
  })
)
