/** Ends of stays that no exit ended: a manager ends those of people as accesses, or clears premises; a policy clears them each day. */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type PermissionTooLow, requireLevel } from "../accounts/Permission.ts"
import type { PermissionLevel } from "../accounts/PermissionLevel.ts"
import { PeopleNotTracked } from "../musters/Muster.ts"
import { OrgAuthServerId } from "../shared/Ids.ts"
import type { Premises } from "../shared/Premises.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"
import {
  type ClosedStay,
  type MovementClaim,
  type OpenStay,
  requireTimely,
  settle,
  type TimestampInFuture,
  type TimestampTooOld
} from "./Stay.ts"

/** The people whose stays end. */
export const EndedPeople = Schema.Array(OrgAuthServerId).check(Schema.isMinLength(1), Schema.isMaxLength(1_000))

/** When the stays of people end: none of them is claimed. */
export type EndClaim = Pick<MovementClaim, "timestamp" | "now">

/** Managers end stays of people where people are known, at a time that an exit may have (spec: stays#end). */
export const mayEndStays = (
  level: Option.Option<PermissionLevel>,
  mode: TrackingMode,
  premises: Premises,
  claim: EndClaim
): Result.Result<void, PermissionTooLow | PeopleNotTracked | TimestampInFuture | TimestampTooOld> =>
  Result.gen(function* () {
    yield* requireLevel(level, "manager")
    if (mode === "anonymous") return yield* Result.fail(new PeopleNotTracked({ premises }))
    yield* requireTimely({ ...claim, orgAuthServerId: undefined })
  })

/**
 * The access that an end makes of an open stay, by the rule `settle`; none where it began after the end. The access gets an id of its own, so
 * that no exit token leads to it.
 */
export const endedStay = (stay: OpenStay, claim: EndClaim): Option.Option<ClosedStay> =>
  Result.getSuccess(
    settle({ mode: "authenticated", linked: Option.none() }, stay, { ...claim, orgAuthServerId: undefined })
  )

/** Whether an open stay ends at the daily moment of the policy: it was recorded before that. */
export const isEndedDaily = (recorded: Timestamp, moment: Timestamp): boolean => recorded < moment
