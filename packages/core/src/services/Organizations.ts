import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type AdministratorsDiffer, vouchedAccount } from "../domain/Administrator.ts"
import type { PlaceOutsideOrganization, TrackingAreaTooLarge } from "../domain/AreaConstraints.ts"
import type { AuthenticationServerMissing } from "../domain/AuthenticationServer.ts"
import {
  type AuthenticationServerRefused,
  type AuthenticationServerUrl,
  parseAuthenticationServerUrl,
  requireAllowed
} from "../domain/AuthenticationServerUrl.ts"
import type { Administrator, Operator, User } from "../domain/Caller.ts"
import type { AdministratorId, OrganizationId } from "../domain/Ids.ts"
import type { Mail } from "../domain/Mail.ts"
import {
  changeOrganization,
  checkNewOrganization,
  constrainOrganization,
  type NewOrganization,
  type Organization,
  type OrganizationChange,
  type OrganizationNameTaken,
  OrganizationNotFound
} from "../domain/Organization.ts"
import { type PermissionTooLow, requireLevel } from "../domain/Permission.ts"
import type { PermissionLevel } from "../domain/PermissionLevel.ts"
import { parseTrackingArea, type TrackingArea, type TrackingAreaMalformed } from "../domain/TrackingArea.ts"
import { OrganizationStore } from "../ports/OrganizationStore.ts"
import { PermissionStore } from "../ports/PermissionStore.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { authorizeIn } from "./authority.ts"
import { AuthenticationServers } from "./AuthenticationServers.ts"
import { now } from "./now.ts"

/** A field of an organization that is still text: the rules say whether it means something. */
interface Drafted {
  readonly trackingArea: string
  readonly authenticationServerURL?: string | undefined
}

/** A new organization as an operator asks for it. */
export type OrganizationDraft = Omit<NewOrganization, "trackingArea" | "authenticationServer"> & Drafted

/** A change of an organization as an owner asks for it: the fields that are present; `null` clears an optional one. */
export type OrganizationEdit = Omit<OrganizationChange, "trackingArea" | "authenticationServer"> & {
  readonly trackingArea?: string | undefined
  readonly authenticationServerURL?: string | null | undefined
}

/** Why the data of an organization is refused. */
export type OrganizationRefusal =
  | OrganizationNameTaken
  | TrackingAreaMalformed
  | TrackingAreaTooLarge
  | PlaceOutsideOrganization
  | AuthenticationServerMissing
  | AuthenticationServerRefused

/** Creates, reads and changes organizations (interface, section 4.1; contract, section 9). */
export class Organizations extends Context.Service<
  Organizations,
  {
    /** A new organization with its first owner, whose account is registered when it is not known. */
    readonly create: (
      operator: Operator,
      draft: OrganizationDraft,
      owner: { readonly administratorId: AdministratorId; readonly mail: Mail }
    ) => Effect.Effect<Organization, OrganizationRefusal | AdministratorsDiffer | StoreError>
    /** One organization: any for a user, one that they are bound to for an administrator. */
    readonly get: (
      caller: User | Administrator,
      organizationId: OrganizationId
    ) => Effect.Effect<Organization, OrganizationNotFound | PermissionTooLow | StoreError>
    /** Every organization, in the order of their ids. */
    readonly list: (user: User) => Effect.Effect<ReadonlyArray<Organization>, StoreError>
    /** Changes the fields that are present. For owners. */
    readonly edit: (
      administrator: Administrator,
      organizationId: OrganizationId,
      edit: OrganizationEdit
    ) => Effect.Effect<Organization, OrganizationNotFound | PermissionTooLow | OrganizationRefusal | StoreError>
    /** Changes the tracking area alone. For managers. */
    readonly editTrackingArea: (
      administrator: Administrator,
      organizationId: OrganizationId,
      trackingArea: string
    ) => Effect.Effect<Organization, OrganizationNotFound | PermissionTooLow | OrganizationRefusal | StoreError>
    /** Sets the largest area, in square metres, that the organization may track; none lifts it. */
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

      const server = (text: string): Result.Result<AuthenticationServerUrl, AuthenticationServerRefused> =>
        Result.flatMap(parseAuthenticationServerUrl(text), (url) => requireAllowed(url, policy))

      const meaningOf = (edit: OrganizationEdit) =>
        Result.gen(function* () {
          const { trackingArea, authenticationServerURL, ...rest } = edit
          const area: TrackingArea | undefined =
            trackingArea === undefined ? undefined : yield* parseTrackingArea(trackingArea)
          const url =
            typeof authenticationServerURL === "string"
              ? yield* server(authenticationServerURL)
              : authenticationServerURL
          return { ...rest, trackingArea: area, authenticationServer: url } satisfies OrganizationChange
        })

      const change = Effect.fnUntraced(function* (
        administrator: Administrator,
        organizationId: OrganizationId,
        edit: OrganizationEdit,
        required: PermissionLevel
      ) {
        const at = yield* now
        // Read before the store decides, which may make others wait; that it means something is said after.
        const meaning = meaningOf(edit)
        return yield* store.update({
          organizationId,
          administratorId: Option.some(administrator.administratorId),
          withPlaces: edit.trackingArea !== undefined,
          decide: ({ organization, places, level }) =>
            Result.gen(function* () {
              yield* requireLevel(level, required)
              return yield* changeOrganization(organization, places, yield* meaning, at)
            })
        })
      })

      return Organizations.of({
        create: Effect.fnUntraced(function* (_operator, draft, owner) {
          const { trackingArea, authenticationServerURL, ...rest } = draft
          const organization: NewOrganization = yield* Effect.fromResult(
            Result.gen(function* () {
              const area = yield* parseTrackingArea(trackingArea)
              const url = authenticationServerURL === undefined ? undefined : yield* server(authenticationServerURL)
              const meant = { ...rest, trackingArea: area, authenticationServer: url }
              yield* checkNewOrganization(meant)
              return meant
            })
          )
          return yield* store.create({
            organization,
            owner,
            now: yield* now,
            decide: (accounts) => vouchedAccount(owner, accounts)
          })
        }),
        get: Effect.fnUntraced(function* (caller, organizationId) {
          if (caller._tag === "Administrator") {
            yield* authorizeIn(permissions, caller, organizationId, "viewer")
          }
          const found = yield* store.get(organizationId)
          return Option.isSome(found) ? found.value : yield* new OrganizationNotFound({ organizationId })
        }),
        list: () => store.list,
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
    })
  )
}
