/** The port for the proven ties between users and people. Movements ask it who the caller is. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountLink, AccountLinkNotFound, LinkedToAnother } from "../../domain/accounts/AccountLink.ts"
import type { OrganizationId, OrgAuthServerId, UserId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { TrackingMode } from "../../domain/shared/TrackingMode.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** How the organization of some premises tracks, and whom it knows a user as. */
export interface Tie {
  readonly organizationId: OrganizationId
  readonly mode: TrackingMode
  readonly linked: Option.Option<OrgAuthServerId>
}

/**
 * The proven ties between users and the people of organizations' authentication servers (spec: accounts#links).
 *
 * A user has at most one link to an organization, and a person of it is linked to at most one user.
 */
export class AccountLinkStore extends Context.Service<
  AccountLinkStore,
  {
    /**
     * Applies the rule `mayLink` and replaces the user's earlier link, as one step.
     * Fails with `LinkedToAnother` while another user is linked to the person.
     * Of racing users one is linked to a person; of racing links of one user one stays.
     * Laws: `accounts/AccountLinkStore.ts` "of 20 users who link to one person at the same moment one does", "of 20 people
     * that one user links to at the same moment the user has one, and the others are free".
     */
    readonly put: (link: AccountLink) => Effect.Effect<void, LinkedToAnother | OrganizationNotFound | StoreError>
    /**
     * Removes a user's link to an organization, which frees the person.
     * Of racing removals one succeeds.
     * Laws: `accounts/AccountLinkStore.ts` "a user without a link has none to end", "of 20 removals of one link at the same
     * moment one removes it".
     */
    readonly remove: (
      userId: UserId,
      organizationId: OrganizationId
    ) => Effect.Effect<void, AccountLinkNotFound | StoreError>
    /**
     * Reads the mode of premises and whom the user is linked to there; none where there are no such premises.
     * Laws: `accounts/AccountLinkStore.ts` "a user is tied to an organization and its places alike, with its mode", "premises
     * that do not exist have no ties".
     */
    readonly tie: (premises: Premises, userId: UserId) => Effect.Effect<Option.Option<Tie>, StoreError>
  }
>()("@sojourn/core/AccountLinkStore") {}
