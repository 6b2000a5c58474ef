/** The port for devices of organizations, with the hashes of their tokens. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Result from "effect/Result"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type {
  Device,
  DeviceFacts,
  DeviceKind,
  DeviceNotFound,
  PresentedDeviceToken
} from "../../domain/devices/Device.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { AdministratorId, DeviceId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** What an administrator does with one device. */
interface OfDevice {
  readonly deviceId: DeviceId
  readonly administratorId: AdministratorId
}

/** When a display sent a request that was accepted, or had a stream open. */
export interface DisplaySighting {
  readonly organizationId: OrganizationId
  readonly deviceId: DeviceId
  readonly at: Timestamp
}

/**
 * The devices of organizations (spec: devices#devices). They end with their organization, and a deleted place leaves their premises.
 */
export class DeviceStore extends Context.Service<
  DeviceStore,
  {
    /**
     * For managers: decides on the number of devices and the premises, and keeps a device, as one step.
     * Racing creations count each other.
     * Laws: `devices/DeviceStore.ts` "a device is kept as it was made, and listed in the order of creation", "of racing
     * devices no more are kept than are allowed".
     */
    readonly create: <E>(creation: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
      readonly name: string
      readonly kind: DeviceKind
      readonly premises: ReadonlyArray<Premises>
      readonly tokenHash: string
      readonly now: Timestamp
      readonly decide: (facts: DeviceFacts) => Result.Result<unknown, E>
    }) => Effect.Effect<Device, E | OrganizationNotFound | PermissionTooLow | StoreError>
    /**
     * For viewers: lists the devices of an organization in the order of creation, each with its drift by the rule `publishedDrift`.
     * Law: `devices/DeviceStore.ts` "a device is kept as it was made, and listed in the order of creation".
     */
    readonly list: (query: {
      readonly organizationId: OrganizationId
      readonly administratorId: AdministratorId
    }) => Effect.Effect<ReadonlyArray<Device>, OrganizationNotFound | PermissionTooLow | StoreError>
    /**
     * For managers: gives a device another token by the rule `rotateDeviceTokens`.
     * Law: `devices/DeviceStore.ts` "the former token of a device is valid for 60 s more, and the one before it no longer".
     */
    readonly rotate: (
      change: OfDevice & { readonly tokenHash: string; readonly now: Timestamp }
    ) => Effect.Effect<Device, DeviceNotFound | PermissionTooLow | StoreError>
    /**
     * For managers: removes a device. What it counted stays counted, and none of its tokens is valid.
     * Law: `devices/DeviceStore.ts` "a removed device has no valid token, and what it counted stays counted".
     */
    readonly remove: (removal: OfDevice) => Effect.Effect<void, DeviceNotFound | PermissionTooLow | StoreError>
    /** Finds the device of a valid token, by the rule `isValidDeviceToken`. Over cells the token's cell is asked alone. */
    readonly findByToken: (
      token: PresentedDeviceToken,
      now: Timestamp
    ) => Effect.Effect<Option.Option<Pick<Device, "id" | "organizationId" | "kind">>, StoreError>
    /**
     * Answers those of the devices that were not removed.
     * Law: `devices/DeviceStore.ts` "a removed device has no valid token, and what it counted stays counted".
     */
    readonly existing: (deviceIds: ReadonlyArray<DeviceId>) => Effect.Effect<ReadonlyArray<DeviceId>, StoreError>
    /**
     * Records sightings of displays by the rule `isNewSighting`, and that those are `ok`. The feed has a `DeviceChanged` for each that was
     * silent, in the same step. A store may leave some out that change little, as the caller names each for 30 s after its last request.
     * Law: `devices/DeviceStore.ts` "a display that sends nothing is silent once, until it is seen again".
     */
    readonly recordSightings: (
      sightings: ReadonlyArray<DisplaySighting>,
      now: Timestamp
    ) => Effect.Effect<void, StoreError>
    /**
     * Marks the devices as silent that `silentFrom` says so of, and others as behind by `behindFrom`, at most `most`, and answers how
     * many. The feed has a `DeviceChanged` for each, in the same step.
     * Laws: `devices/DeviceStore.ts` "a device that sends nothing is silent once, until its next reading", "a device whose totals began
     * again is behind, until a reading counts".
     */
    readonly markStates: (now: Timestamp, most: number) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/DeviceStore") {}
