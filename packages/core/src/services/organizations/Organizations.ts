/** The use cases of organizations: creation, reading, changes and constraints. */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import {
  type AccountChange,
  type AdministratorsDiffer,
  invitedOwner,
  vouchedAccount
} from "../../domain/accounts/Administrator.ts"
import {
  type AreaTooComplex,
  PlaceOutsideOrganization,
  requireCompared,
  type TrackingAreaTooLarge
} from "../../domain/areas/AreaConstraints.ts"
import type { AuthenticationServerMissing } from "../../domain/accounts/AuthenticationServer.ts"
import {
  type AuthenticationServerRefused,
  type AuthenticationServerUrl,
  parseAuthenticationServerUrl,
  requireAllowed
} from "../../domain/accounts/AuthenticationServerUrl.ts"
import type { Administrator, DisplayCaller, Operator, User } from "../../domain/accounts/Caller.ts"
import type { AdministratorId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { Mail } from "../../domain/shared/Mail.ts"
import {
  changeOrganization,
  checkNewOrganization,
  constrainOrganization,
  type NewOrganization,
  type Organization,
  type OrganizationChange,
  type OrganizationNameTaken,
  OrganizationNotFound
} from "../../domain/organizations/Organization.ts"
import { type PermissionTooLow, requireLevel } from "../../domain/accounts/Permission.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import type { TrackingArea, TrackingAreaMalformed } from "../../domain/areas/TrackingArea.ts"
import {
  type OrganizationFacts,
  type OrganizationOverview,
  OrganizationStore,
  type Preview
} from "../../ports/organizations/OrganizationStore.ts"
import type { Page } from "../../ports/organizations/Page.ts"
import { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { AreaChanges } from "../areas/AreaChanges.ts"
import { authorizeIn } from "../shared/authority.ts"
import { AuthenticationServers } from "../accounts/AuthenticationServers.ts"
import { now } from "../shared/now.ts"
import { byCaller } from "../audit/byCaller.ts"

/** The fields of an organization that a caller passes as text, and that the rules parse and validate. */
interface Drafted {
  readonly trackingArea: string
  readonly authenticationServerURL?: string | undefined
}

/** A new organization as an operator requests it. */
export type OrganizationDraft = Omit<NewOrganization, "trackingArea" | "authenticationServer"> & Drafted

/** The first owner of an organization: without an id, the first caller who proves to have the mail address. */
export interface FirstOwner {
  readonly administratorId?: AdministratorId | undefined
  readonly mail: Mail
}

/** A change of an organization as an owner requests it: the fields that are present; `null` clears an optional one. */
export type OrganizationEdit = Omit<OrganizationChange, "trackingArea" | "authenticationServer"> & {
  readonly trackingArea?: string | undefined
  readonly authenticationServerURL?: string | null | undefined
}

/** The refusals of an organization's data. */
export type OrganizationRefusal =
  | OrganizationNameTaken
  | TrackingAreaMalformed
  | TrackingAreaTooLarge
  | PlaceOutsideOrganization
  | AreaTooComplex
  | AuthenticationServerMissing
  | AuthenticationServerRefused

/** Creates, reads and changes organizations (spec: organizations#organizations). */
export class Organizations extends Context.Service<
  Organizations,
  {
    /** Creates an organization with its first owner, whose account is registered when it does not exist, or who is invited. */
    readonly create: (
      operator: Operator,
      draft: OrganizationDraft,
      owner: FirstOwner
    ) => Effect.Effect<Organization, OrganizationRefusal | AdministratorsDiffer | StoreError>
    /**
     * The organization of the draft's name, which is created when there is none: for programs that start more than once, also at
     * the same moment. One that exists is answered as it is, whatever else the draft and the owner say.
     */
    readonly ensure: (
      operator: Operator,
      draft: OrganizationDraft,
      owner: FirstOwner
    ) => Effect.Effect<Organization, OrganizationRefusal | AdministratorsDiffer | StoreError>
    /** Reads an organization: any for a user or an operator, one to which they are bound for an administrator, its own for a display. */
    readonly get: (
      caller: User | Administrator | DisplayCaller | Operator,
      organizationId: OrganizationId
    ) => Effect.Effect<Organization, OrganizationNotFound | PermissionTooLow | StoreError>
    /** Lists a page of organizations in the order of their ids: the first page, or the one `after` an organization. */
    readonly list: (user: User, after?: OrganizationId) => Effect.Effect<Page<Organization>, StoreError>
    /** Lists a page of at most `limit` organizations with their numbers, in the order of their ids. */
    readonly overview: (
      operator: Operator,
      query: { readonly after?: OrganizationId | undefined; readonly limit: number }
    ) => Effect.Effect<Page<OrganizationOverview>, StoreError>
    /** Changes the fields that are present. Requires an owner. */
    readonly edit: (
      administrator: Administrator,
      organizationId: OrganizationId,
      edit: OrganizationEdit
    ) => Effect.Effect<Organization, OrganizationNotFound | PermissionTooLow | OrganizationRefusal | StoreError>
    /** Changes only the tracking area. Requires a manager. */
    readonly editTrackingArea: (
      administrator: Administrator,
      organizationId: OrganizationId,
      trackingArea: string
    ) => Effect.Effect<Organization, OrganizationNotFound | PermissionTooLow | OrganizationRefusal | StoreError>
    /** Sets the largest area, in square metres, that the organization may track; undefined removes the constraint. */
    readonly constrain: (
      operator: Operator,
      organizationId: OrganizationId,
      maxArea: number | undefined
    ) => Effect.Effect<Organization, OrganizationNotFound | TrackingAreaTooLarge | StoreError>
  }
>()("@sojourn/core/Organizations") {
  static readonly layer: Layer.Layer<Organizations, never, OrganizationStore | PermissionStore> = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const store = yield* OrganizationStore
      const permissions = yield* PermissionStore
      const policy = yield* AuthenticationServers
      const changes = yield* AreaChanges

      const server = (text: string): Result.Result<AuthenticationServerUrl, AuthenticationServerRefused> =>
        Result.flatMap(parseAuthenticationServerUrl(text), (url) => requireAllowed(url, policy))

      const serverOf = (text: string | null | undefined) =>
        typeof text === "string" ? Effect.fromResult(server(text)) : Effect.succeed(text)

      const change = Effect.fnUntraced(function* (
        administrator: Administrator,
        organizationId: OrganizationId,
        { trackingArea: text, authenticationServerURL, ...rest }: OrganizationEdit,
        required: PermissionLevel
      ) {
        const at = yield* now
        // The area is not parsed for an administrator without the level.
        yield* authorizeIn(permissions, administrator, organizationId, required)
        const authenticationServer = yield* serverOf(authenticationServerURL)
        const query = { organizationId, administratorId: Option.some(administrator.administratorId) }
        const decide = (
          { organization, level }: OrganizationFacts,
          trackingArea?: TrackingArea
        ): Result.Result<Organization, PermissionTooLow | OrganizationRefusal> =>
          Result.andThen(requireLevel(level, required), () =>
            changeOrganization(organization, { ...rest, trackingArea, authenticationServer }, at)
          )
        if (text === undefined) return yield* store.update({ ...query, withPlaces: false, decide })
        return yield* changes.make(organizationId, text, (trackingArea, compared) => {
          const withPlaces = { ...query, withPlaces: true }
          const decideMove = (facts: OrganizationFacts) =>
            Result.gen(function* () {
              const changed = yield* decide(facts, trackingArea)
              if (text === facts.organization.trackingArea.text) return changed
              yield* requireCompared(
                compared,
                facts.places.map((other) => ({ relation: "around", subject: undefined, other }))
              )
              return changed
            })
          return {
            conflict: ({ other: { id } }, fault) =>
              new PlaceOutsideOrganization({ placeId: Option.fromUndefinedOr(id), fault }),
            preview: store.preview(withPlaces),
            decide: decideMove,
            write: (preview: Preview<OrganizationFacts>) => store.update({ ...withPlaces, preview, decide: decideMove })
          }
        })
      })

      const create = Effect.fnUntraced(function* (draft: OrganizationDraft, owner: FirstOwner) {
        const { trackingArea, authenticationServerURL, ...rest } = draft
        const organization: NewOrganization = {
          ...rest,
          trackingArea: yield* changes.parse(trackingArea),
          authenticationServer: (yield* serverOf(authenticationServerURL)) ?? undefined
        }
        yield* Effect.fromResult(checkNewOrganization(organization))
        const { administratorId, mail } = owner
        const invitation = { administratorId: SecureRandom.uuidV4Unsafe() as string as AdministratorId, mail }
        return yield* store.create({
          organization,
          owner,
          now: yield* now,
          decide: (accounts): Result.Result<AccountChange, AdministratorsDiffer> =>
            administratorId === undefined
              ? Result.succeed(invitedOwner(invitation, accounts))
              : vouchedAccount({ administratorId, mail }, accounts)
        })
      })

      return Organizations.of(
        byCaller({
          create: (_operator, draft, owner) => create(draft, owner),
          ensure: Effect.fnUntraced(function* (_operator, draft, owner) {
            const existing = yield* store.findByName(draft.name)
            if (Option.isSome(existing)) return existing.value
            // Of racing creations one succeeds, and the others find what it created.
            return yield* Effect.catchTag(create(draft, owner), "OrganizationNameTaken", (taken) =>
              Effect.flatMap(store.findByName(draft.name), (found) =>
                Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(taken)
              )
            )
          }),
          get: Effect.fnUntraced(function* (caller, organizationId) {
            if (caller._tag === "Administrator" || caller._tag === "Display") {
              yield* authorizeIn(permissions, caller, organizationId, "viewer")
            }
            const found = yield* store.get(organizationId)
            return Option.isSome(found) ? found.value : yield* new OrganizationNotFound({ organizationId })
          }),
          list: (_user, after) => store.list(after),
          overview: (_operator, query) => store.overview(query),
          edit: (administrator, organizationId, edit) => change(administrator, organizationId, edit, "owner"),
          editTrackingArea: (administrator, organizationId, trackingArea) =>
            change(administrator, organizationId, { trackingArea }, "manager"),
          constrain: (_operator, organizationId, maxArea) =>
            Effect.catchTag(
              store.update({
                organizationId,
                administratorId: Option.none(),
                withPlaces: false,
                decide: ({ organization }) => constrainOrganization(organization, maxArea)
              }),
              "OrganizationNameTaken",
              (unthinkable) => Effect.die(unthinkable)
            )
        })
      )
    })
  ).pipe(Layer.provide(AreaChanges.layer))
}
