/** The port for organizations. Decisions are made within its steps, on facts that cannot change before the write. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { AccountChange, AdministratorName, NamedAccounts } from "../../domain/accounts/Administrator.ts"
import type { PlaceArea } from "../../domain/areas/AreaConstraints.ts"
import type { AdministratorId, OrganizationId } from "../../domain/shared/Ids.ts"
import type {
  NewOrganization,
  Organization,
  OrganizationNameTaken,
  OrganizationNotFound
} from "../../domain/organizations/Organization.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { Page } from "./Page.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** What a change of an organization is decided on, as it is in that moment. */
export interface OrganizationFacts {
  readonly organization: Organization
  /** The areas of its places, by their ids; empty unless the change asked for them. */
  readonly places: ReadonlyArray<PlaceArea>
  /** The level of the administrator in whose name the change is made. */
  readonly level: Option.Option<PermissionLevel>
}

/** An organization with its numbers, as an operator sees it. */
export interface OrganizationOverview {
  readonly organization: Organization
  readonly places: number
  /** How many administrators are bound to it, invitations included. */
  readonly administrators: number
  /**
   * How many people are inside, as far as answers say so: open stays and people counted, of the organization itself, or of its outermost places
   * together where they have more.
   */
  readonly inside: number
}

/**
 * Facts that were read without a lock, so that a decision on them can be prepared. A change that is given them may be decided on them instead
 * of reading them again, as long as the organization has this revision: nothing that any decision on it depends on has changed.
 */
export interface Preview<Facts> {
  readonly facts: Facts
  /** Grows with the changes of the organization, its places and permissions; 0 of a store that does not count them. */
  readonly revision: bigint
}

/** Which facts a change of an organization is decided on. */
export interface OrganizationFactsQuery {
  readonly organizationId: OrganizationId
  /** In whose name; none for an operator. */
  readonly administratorId: Option.Option<AdministratorId>
  readonly withPlaces: boolean
}

/** A change of one organization: pure, and possibly called more than once. */
export interface OrganizationUpdate<E> extends OrganizationFactsQuery {
  readonly preview?: Preview<OrganizationFacts> | undefined
  readonly decide: (facts: OrganizationFacts) => Result.Result<Organization, E>
}

/** The organizations (spec: organizations#organizations). A name is unique among them. */
export class OrganizationStore extends Context.Service<
  OrganizationStore,
  {
    /**
     * Creates an organization with its owner's account and permission, as one step, and answers it.
     * The id is new and never used before. `decide` says how accounts change, and the owner's is the `accountAfter` of that; the owner
     * nominates themselves.
     * Of racing creations with one name one succeeds, and the others are `OrganizationNameTaken`.
     * Laws: `organizations/OrganizationStore.ts` "of 20 organizations that take one name at the same moment one gets
     * it", "20 organizations of one new owner at the same moment make one account", "a creation that is refused leaves
     * nothing: neither name nor account", "an owner who is invited is found by the first who proves the mail address, and nominated themselves".
     */
    readonly create: <E>(creation: {
      readonly organization: NewOrganization
      readonly owner: AdministratorName
      readonly now: Timestamp
      readonly decide: (accounts: NamedAccounts) => Result.Result<AccountChange, E>
    }) => Effect.Effect<Organization, E | OrganizationNameTaken | StoreError>
    /**
     * Reads an organization; none where there is none.
     * Law: `organizations/OrganizationStore.ts` "an organization that was never created is not there".
     */
    readonly get: (organizationId: OrganizationId) => Effect.Effect<Option.Option<Organization>, StoreError>
    /**
     * Finds the organization that has this name; none where none has it.
     * Law: `organizations/OrganizationStore.ts` "a name finds the organization that has it, until it is renamed or
     * deleted".
     */
    readonly findByName: (name: string) => Effect.Effect<Option.Option<Organization>, StoreError>
    /**
     * Reads a page of the organizations by id, from the first one or after one.
     * Law: `organizations/OrganizationStore.ts` "the list is in the order of ids, and the id of a deleted
     * organization is never used again".
     */
    readonly list: (after?: OrganizationId) => Effect.Effect<Page<Organization>, StoreError>
    /**
     * Reads a page of the organizations by id with their numbers, of at most `limit` of them. It checks no permission.
     * Law: `organizations/OrganizationStore.ts` "organizations are listed with the numbers of their places, administrators and people inside".
     */
    readonly overview: (query: {
      readonly after?: OrganizationId | undefined
      readonly limit: number
    }) => Effect.Effect<Page<OrganizationOverview>, StoreError>
    /** Reads the facts that `update` decides on, without a lock. */
    readonly preview: (
      query: OrganizationFactsQuery
    ) => Effect.Effect<Preview<OrganizationFacts>, OrganizationNotFound | StoreError>
    /**
     * Reads the facts, unless the preview still holds, decides, and writes the decision, as one step.
     * A change that others can see adds an event to the feed in the same step. Fails with `OrganizationNameTaken`, or as
     * `decide` does, which changes nothing.
     * Updates of one organization follow each other. A permission that was withdrawn before an update began has no effect in
     * it.
     * Laws: `organizations/OrganizationStore.ts` "30 updates of one organization at the same moment follow each
     * other: none is lost", "an update is decided on the administrator's level in this organization, in that moment", "an update is not
     * decided on a preview after a change", "of 10 organizations that are renamed alike at the same moment one gets the name".
     */
    readonly update: <E>(
      update: OrganizationUpdate<E>
    ) => Effect.Effect<Organization, E | OrganizationNotFound | OrganizationNameTaken | StoreError>
  }
>()("@sojourn/core/OrganizationStore") {}
