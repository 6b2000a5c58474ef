import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type IdentityNotOwn, identify, type NotLinked } from "../accounts/AccountLink.ts"
import { cellOfId, idRangeOf } from "../shared/CellIds.ts"
import type { FavoriteId, OrganizationId, OrgAuthServerId, UserId } from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"

/** A user's wish to keep an organization at hand (spec: organizations#favorites). */
export interface Favorite {
  readonly userId: UserId
  readonly organizationId: OrganizationId
  /** The person whom the user was linked to, where the organization tracked authenticated. */
  readonly orgAuthServerId?: OrgAuthServerId | undefined
  readonly creationDate: Timestamp
}

/** The user has the organization as a favorite already (spec: organizations#favorite-once). */
export class FavoriteExists extends TaggedError("FavoriteExists", "the organization is already a favorite")<{
  readonly organizationId: OrganizationId
}> {}

/** The user has no such favorite (spec: organizations#favorite-removed). */
export class FavoriteNotFound extends TaggedError("FavoriteNotFound", "the organization is not a favorite")<{
  readonly organizationId: OrganizationId
}> {}

/** Favorites belong to their user alone. */
export class FavoritesOfAnother extends TaggedError(
  "FavoritesOfAnother",
  "a user may use only their own favorites"
)<{}> {}

/** The number before those of a user's favorites in the cell of an organization. */
export const noFavoriteIn = (organizationId: OrganizationId): bigint =>
  Option.match(cellOfId(organizationId), { onNone: () => 0n, onSome: (cell) => idRangeOf(cell).first - 1n })

/**
 * The id of a user's next favorite in a cell: it counts the favorites of this user alone. A number over all users would order favorites, and so
 * name the anonymous stays that begin right after one is added.
 */
export const nextFavoriteId = (organizationId: OrganizationId, others: Iterable<FavoriteId>): FavoriteId => {
  let last = noFavoriteIn(organizationId)
  for (const id of others) if (id > last) last = id
  return (last + 1n) as FavoriteId
}

/** The favorites are the caller's own. */
export const ownFavorites = (
  caller: UserId,
  requested: UserId | undefined
): Result.Result<UserId, FavoritesOfAnother> =>
  requested === undefined || requested === caller ? Result.succeed(caller) : Result.fail(new FavoritesOfAnother())

/**
 * The favorite to keep for a claim, whose `orgAuthServerId` is the person whom the user claims to be. Where the organization
 * tracks authenticated, it names the person whom the user is linked to.
 */
export const claimFavorite = (
  mode: TrackingMode,
  linked: Option.Option<OrgAuthServerId>,
  claim: Favorite
): Result.Result<Favorite, NotLinked | IdentityNotOwn> =>
  Result.map(identify(mode, linked, claim.orgAuthServerId), (person) => ({
    ...claim,
    orgAuthServerId: Option.getOrUndefined(person)
  }))
