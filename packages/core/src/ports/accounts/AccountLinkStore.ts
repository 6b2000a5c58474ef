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
 * The proven ties between users and the people of organizations' authentication servers (contract, section 8). A user
 * has at most one link to an organization, and a person of it is linked to at most one user.
 *
 * - `put` applies the rule `mayLink` and replaces the user's earlier link, as one step.
 * - `tie` answers none when the premises do not exist.
 */
export class AccountLinkStore extends Context.Service<
  AccountLinkStore,
  {
    readonly put: (link: AccountLink) => Effect.Effect<void, LinkedToAnother | OrganizationNotFound | StoreError>
    readonly remove: (
      userId: UserId,
      organizationId: OrganizationId
    ) => Effect.Effect<void, AccountLinkNotFound | StoreError>
    readonly tie: (premises: Premises, userId: UserId) => Effect.Effect<Option.Option<Tie>, StoreError>
  }
>()("@sojourn/core/AccountLinkStore") {}
