/** Completed stays as clients read them, and whose a user may read. */
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import type { ExitToken } from "../keys/ExitToken.ts"
import type { AccessId, OrgAuthServerId } from "../shared/Ids.ts"
import type { ClosedStay } from "./Stay.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** A completed stay as the owner of its token reads it. */
export interface AnonymousAccess {
  readonly id: AccessId
  readonly stay: ClosedStay
  readonly exitToken: ExitToken
}

/** A completed stay of a person whom the organization knows. */
export interface AuthenticatedAccess {
  readonly id: AccessId
  readonly stay: ClosedStay
  readonly orgAuthServerId: OrgAuthServerId
}

/** The order of access lists: by entrance, then by the access's id (spec: stays#access-order). */
export const AccessOrder: Order.Order<AnonymousAccess | AuthenticatedAccess> = (one, other) =>
  Order.Number(one.stay.entrance, other.stay.entrance) || Order.BigInt(one.id, other.id)

/** A user reads their own accesses alone (spec: stays#own-accesses). */
export class AccessesOfAnother extends TaggedError(
  "AccessesOfAnother",
  "a user may read only the accesses of the person to whom they are linked"
)<{}> {}

/** The person whose accesses a user may read: asked for alone, and linked to the user. */
export const ownAccesses = (
  orgAuthServerIds: ReadonlyArray<OrgAuthServerId>,
  linked: Option.Option<OrgAuthServerId>
): Result.Result<OrgAuthServerId, AccessesOfAnother> =>
  orgAuthServerIds.length === 1 && Option.isSome(linked) && orgAuthServerIds[0] === linked.value
    ? Result.succeed(linked.value)
    : Result.fail(new AccessesOfAnother())
