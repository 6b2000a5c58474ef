import * as Data from "effect/Data"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { ExitToken } from "./ExitToken.ts"
import type { OrgAuthServerId } from "./Ids.ts"
import type { ClosedStay } from "./Stay.ts"

/** A completed stay as the owner of its token reads it. */
export interface AnonymousAccess {
  readonly stay: ClosedStay
  readonly exitToken: ExitToken
}

/** A completed stay of a person whom the organization knows. */
export interface AuthenticatedAccess {
  readonly stay: ClosedStay
  readonly orgAuthServerId: OrgAuthServerId
}

/** A user reads their own accesses alone (interface, section 4.3). */
export class AccessesOfAnother extends Data.TaggedError("AccessesOfAnother")<{}> {}

/** The person whose accesses a user may read: asked for alone, and linked to the user. */
export const ownAccesses = (
  asked: ReadonlyArray<OrgAuthServerId>,
  linked: Option.Option<OrgAuthServerId>
): Result.Result<OrgAuthServerId, AccessesOfAnother> =>
  asked.length === 1 && Option.isSome(linked) && asked[0] === linked.value
    ? Result.succeed(linked.value)
    : Result.fail(new AccessesOfAnother())
