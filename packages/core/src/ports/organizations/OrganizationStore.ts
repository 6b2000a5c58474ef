/** The port for organizations. Decisions are made within its steps, on facts that cannot change before the write. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { AccountChange, NamedAccounts } from "../../domain/accounts/Administrator.ts"
import type { AreaRecord } from "../../domain/areas/AreaConstraints.ts"
import type { AdministratorId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { Mail } from "../../domain/shared/Mail.ts"
import type {
  NewOrganization,
  Organization,
  OrganizationNameTaken,
  OrganizationNotFound
} from "../../domain/organizations/Organization.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { Page } from "../shared/Page.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** What a change of an organization is decided on, as it is in that moment. */
export interface OrganizationFacts {
  readonly organization: Organization
  /** The areas of its places; empty unless the change asked for them. `PlaceStore.areas` answers them themselves. */
  readonly places: ReadonlyArray<AreaRecord>
  /** The level of the administrator in whose name the change is made. */
  readonly level: Option.Option<PermissionLevel>
}

/** Which facts a change of an organization is decided on. */
export interface OrganizationFactsQuery {
  readonly organizationId: OrganizationId
  /** In whose name; none for an operator. */
  readonly administratorId: Option.Option<AdministratorId>
  readonly withPlaces: boolean
}

/** A change of one organization: pure, and possibly asked more than once. */
export interface OrganizationUpdate<E> extends OrganizationFactsQuery {
  readonly decide: (facts: OrganizationFacts) => Result.Result<Organization, E>
}

/**
 * The organizations.
 *
 * - `create` answers the organization under a new id, never used before, with the accounts changed as `decide` says, of which
 *   one is `owner`'s, and that one bound as its owner, nominated by themselves: all of it or nothing. A name is unique among organizations.
 * - `update` reads the facts, decides, and writes what `decide` answers, as one step: updates of one organization follow
 *   each other, and a permission that was withdrawn before an update began has no effect in it.
 * - `facts` reads what `update` would decide on, without a lock.
 * - `list` answers a page of the organizations in the order of their ids, from the first one or `after` one.
 */
export class OrganizationStore extends Context.Service<
  OrganizationStore,
  {
    readonly create: <E>(creation: {
      readonly organization: NewOrganization
      readonly owner: { readonly administratorId: AdministratorId; readonly mail: Mail }
      readonly now: Timestamp
      readonly decide: (accounts: NamedAccounts) => Result.Result<AccountChange, E>
    }) => Effect.Effect<Organization, E | OrganizationNameTaken | StoreError>
    readonly get: (organizationId: OrganizationId) => Effect.Effect<Option.Option<Organization>, StoreError>
    readonly list: (after?: OrganizationId) => Effect.Effect<Page<Organization>, StoreError>
    readonly facts: (
      query: OrganizationFactsQuery
    ) => Effect.Effect<OrganizationFacts, OrganizationNotFound | StoreError>
    readonly update: <E>(
      update: OrganizationUpdate<E>
    ) => Effect.Effect<Organization, E | OrganizationNotFound | OrganizationNameTaken | StoreError>
  }
>()("@sojourn/core/OrganizationStore") {}
