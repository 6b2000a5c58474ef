/** The rules of stays: what an entrance opens and what an exit closes. */
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { IdentityNotOwn, identify, type NotLinked } from "../accounts/AccountLink.ts"
import type { OrganizationId, OrgAuthServerId, PlaceId, StayId } from "../shared/Ids.ts"
import type { Premises } from "../shared/Premises.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import { LARGEST_LAG_MS, LARGEST_LEAD, Timestamp } from "../shared/Timestamp.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"

/** A stay without an exit: its person is inside the premises. */
export interface OpenStay {
  readonly _tag: "OpenStay"
  readonly id: StayId
  readonly organizationId: OrganizationId
  readonly premises: Premises
  /** The person, where the organization knew people when the stay was opened. Nothing else identifies whose it is. */
  readonly orgAuthServerId?: OrgAuthServerId | undefined
  /** The id of the key that the stay's exit token is derived with. */
  readonly keyId: number
  readonly entrance: Timestamp
}

/** What an exit makes of an open stay: an access, fully registered (spec: stays#states). */
export interface ClosedStay {
  readonly _tag: "ClosedStay"
  readonly id: StayId
  readonly organizationId: OrganizationId
  readonly premises: Premises
  readonly orgAuthServerId?: OrgAuthServerId | undefined
  readonly entrance: Timestamp
  readonly exit: Timestamp
}

/** The premises of a movement do not exist. */
export class PremisesNotFound extends TaggedError("PremisesNotFound", "the organization or the place does not exist")<{
  readonly premises: Premises
}> {}

/** The timestamp lies further in the future than the clocks of phones do. */
export class TimestampInFuture extends TaggedError("TimestampInFuture", "the timestamp is too far in the future")<{
  readonly timestamp: Timestamp
  readonly now: Timestamp
}> {}

/** The timestamp lies too far in the past: of a clock that was never set. */
export class TimestampTooOld extends TaggedError("TimestampTooOld", "the timestamp is too far in the past")<{
  readonly timestamp: Timestamp
  readonly now: Timestamp
}> {}

/**
 * The token closes no stay here: unknown, forged, of other premises or another person, of a stay that ended at another
 * time or was abandoned. One refusal for all, so that guessing a token reveals nothing of a stay.
 */
export class ExitNotMatched extends TaggedError(
  "ExitNotMatched",
  "the exit token closes no stay here at this time"
)<{}> {}

/** The exit is before the entrance; the token remains valid. */
export class ExitBeforeEntrance extends TaggedError("ExitBeforeEntrance", "the exit is before the entrance")<{
  readonly entrance: Timestamp
}> {}

/** What the rules of a movement are decided on: how the organization tracks, and whom the caller is linked to there. */
export interface MovementFacts {
  readonly mode: TrackingMode
  readonly linked: Option.Option<OrgAuthServerId>
}

/** What the rules of a movement need of the request. */
export interface MovementClaim {
  readonly timestamp: Timestamp | undefined
  readonly orgAuthServerId: OrgAuthServerId | undefined
  /** The service's clock. */
  readonly now: Timestamp
}

/** A movement may be claimed as far ahead as the clocks of phones run, and for as long ago as they may have been without a network. */
export const requireTimely = ({
  timestamp,
  now
}: MovementClaim): Result.Result<void, TimestampInFuture | TimestampTooOld> => {
  if (timestamp === undefined) return Result.void
  if (timestamp > now + LARGEST_LEAD) return Result.fail(new TimestampInFuture({ timestamp, now }))
  return timestamp < now - LARGEST_LAG_MS ? Result.fail(new TimestampTooOld({ timestamp, now })) : Result.void
}

/** Who a new stay belongs to, and when it begins: the rule of an entrance (spec: stays#movements). */
export const admit = (
  facts: MovementFacts,
  claim: MovementClaim
): Result.Result<
  { readonly person: Option.Option<OrgAuthServerId>; readonly entrance: Timestamp },
  NotLinked | IdentityNotOwn | TimestampInFuture | TimestampTooOld
> => {
  const person = identify(facts.mode, facts.linked, claim.orgAuthServerId)
  if (Result.isFailure(person)) return Result.fail(person.failure)
  const timely = requireTimely(claim)
  if (Result.isFailure(timely)) return Result.fail(timely.failure)
  return Result.succeed({ person: person.success, entrance: claim.timestamp ?? claim.now })
}

/** Does the caller, where they are linked at all, claim to be another person? */
const claimsAnother = (facts: MovementFacts, stay: OpenStay | ClosedStay, claimed: OrgAuthServerId | undefined) => {
  if (facts.mode === "anonymous" || claimed === undefined) return false
  const own = Option.getOrUndefined(facts.linked) ?? stay.orgAuthServerId
  return own !== undefined && claimed !== own
}

const belongsToAnother = (facts: MovementFacts, stay: OpenStay | ClosedStay): boolean =>
  stay.orgAuthServerId !== undefined && Option.isSome(facts.linked) && facts.linked.value !== stay.orgAuthServerId

/**
 * The stay as an exit leaves it: the rule of an exit (spec: stays#exit-once). An open stay is closed; a closed one answers
 * the same exit again, which without a timestamp every exit is. The token alone is needed. Any caller may use it,
 * except one who is known to be another person than the stay's.
 */
export const settle = (
  facts: MovementFacts,
  stay: OpenStay | ClosedStay,
  claim: MovementClaim
): Result.Result<
  ClosedStay,
  IdentityNotOwn | ExitNotMatched | TimestampInFuture | TimestampTooOld | ExitBeforeEntrance
> => {
  if (claimsAnother(facts, stay, claim.orgAuthServerId)) return Result.fail(new IdentityNotOwn())
  if (belongsToAnother(facts, stay)) return Result.fail(new ExitNotMatched())
  if (stay._tag === "ClosedStay") {
    const isSame = claim.timestamp === undefined || claim.timestamp === stay.exit
    return isSame ? Result.succeed(stay) : Result.fail(new ExitNotMatched())
  }
  const timely = requireTimely(claim)
  if (Result.isFailure(timely)) return Result.fail(timely.failure)
  // A phone's clock may have put the entrance ahead of ours: leaving now is then leaving at once.
  const exit = claim.timestamp ?? (Math.max(claim.now, stay.entrance) as Timestamp)
  if (exit < stay.entrance) return Result.fail(new ExitBeforeEntrance({ entrance: stay.entrance }))
  const { id, organizationId, premises, orgAuthServerId, entrance } = stay
  return Result.succeed({ _tag: "ClosedStay", id, organizationId, premises, orgAuthServerId, entrance, exit })
}

/**
 * Whether an entrance into a place ends an open stay of the same person where the organization's places are exclusive: one in another place
 * that the entered one is no part of (spec: stays#exclusive).
 */
export const isLeftBehind = (
  { premises }: Pick<OpenStay, "premises">,
  entered: Premises,
  ancestors: ReadonlyArray<PlaceId>
): boolean =>
  premises._tag === "PlacePremises" &&
  entered._tag === "PlacePremises" &&
  premises.placeId !== entered.placeId &&
  !ancestors.includes(premises.placeId)

/** When a stay ends that an entrance leaves behind: with the entrance, or at its own beginning where that was later. */
export const endOfLeftBehind = ({ entrance }: Pick<OpenStay, "entrance">, entered: Timestamp): Timestamp =>
  Timestamp(Math.max(entrance, entered))

/** The order in which stores answer closed stays: by entrance, then by id. */
export const ClosedStayOrder: Order.Order<ClosedStay> = (one, other) =>
  Order.Number(one.entrance, other.entrance) || Order.BigInt(one.id, other.id)
