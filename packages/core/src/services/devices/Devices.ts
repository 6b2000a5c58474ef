/** The use cases of devices: managers make, rotate and remove them, administrators of any level see them. */
import * as Arr from "effect/Array"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Redacted from "effect/Redacted"
import { type Administrator, DeviceCaller, DisplayCaller } from "../../domain/accounts/Caller.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import {
  decideDevice,
  type Device,
  type DeviceKind,
  type DeviceNotFound,
  type DevicePremisesUnknown,
  deviceTokenOf,
  deviceToTheMinute,
  hashDeviceToken,
  presentedDeviceToken,
  type TooManyDevices
} from "../../domain/devices/Device.ts"
import type { CellNumber } from "../../domain/shared/CellIds.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { DeviceId, OrganizationId } from "../../domain/shared/Ids.ts"
import { type Premises, samePremises } from "../../domain/shared/Premises.ts"
import { NotAuthenticated } from "../../ports/accounts/Authenticator.ts"
import { DeviceStore, type DisplaySighting } from "../../ports/devices/DeviceStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { insteadOfDefect } from "../shared/backgroundFailures.ts"
import { CellOf } from "../shared/backgroundStores.ts"
import { IsInTransaction } from "../shared/callersTransaction.ts"
import { now } from "../shared/now.ts"
import { TwoGenerationCache } from "../shared/TwoGenerationCache.ts"
import { byCaller } from "../audit/byCaller.ts"

/** A device with a token that is new, which is answered this once. */
export interface DeviceWithToken {
  readonly device: Device
  readonly token: Redacted.Redacted<string>
}

/** The random bytes of a token. */
const RANDOM_BYTES = 32

/** How long a token that was found counts as valid without a look, in milliseconds: a removed device, and a token before the former one, are refused 2 s later at most. */
const CACHE_MS = 1_000

/** How many tokens are always cached, and half the number cached at most. */
const MAX_CACHED = 10_000

/** The interval at which sightings of displays are recorded, in milliseconds: see `SIGHTING_DELAY_MS`. */
const RECORD_INTERVAL_MS = 1_000

/** How long a display is named after its last request, in milliseconds. */
const SIGHTING_KEPT_MS = 30_000

/** Manages the devices of organizations, and authenticates them (spec: devices#devices). */
export class Devices extends Context.Service<
  Devices,
  {
    /** Makes a device with a token. For managers. */
    readonly create: (
      administrator: Administrator,
      draft: {
        readonly organizationId: OrganizationId
        readonly name: string
        /** A counter where it is left out. */
        readonly kind?: DeviceKind | undefined
        readonly premises: ReadonlyArray<Premises>
      }
    ) => Effect.Effect<
      DeviceWithToken,
      OrganizationNotFound | PermissionTooLow | DevicePremisesUnknown | TooManyDevices | StoreError
    >
    /** The devices of an organization in the order of creation. For administrators of any level. */
    readonly list: (
      administrator: Administrator,
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Device>, OrganizationNotFound | PermissionTooLow | StoreError>
    /** Makes another token; the former one is valid for 60 s more. For managers. */
    readonly rotate: (
      administrator: Administrator,
      deviceId: DeviceId
    ) => Effect.Effect<DeviceWithToken, DeviceNotFound | PermissionTooLow | StoreError>
    /** Removes a device. What it counted stays counted. For managers. */
    readonly remove: (
      administrator: Administrator,
      deviceId: DeviceId
    ) => Effect.Effect<void, DeviceNotFound | PermissionTooLow | StoreError>
    /** The device of a token. A token that is no longer valid is refused at the latest 2 s after. */
    readonly authenticate: (
      token: Redacted.Redacted<string>
    ) => Effect.Effect<DeviceCaller | DisplayCaller, NotAuthenticated | StoreError>
    /** Notes that a display sent a request, or has a stream open. It is recorded later, so that no request waits for it. */
    readonly noteSighting: (display: DisplayCaller) => Effect.Effect<void>
  }
>()("@sojourn/core/Devices") {
  static readonly layer: Layer.Layer<Devices, never, DeviceStore> = Layer.effect(
    Devices,
    Effect.gen(function* () {
      const store = yield* DeviceStore
      const isInTransaction = yield* IsInTransaction
      const cached = new TwoGenerationCache<
        string,
        { readonly caller: DeviceCaller | DisplayCaller; readonly until: number }
      >(MAX_CACHED)
      const cellOf = yield* CellOf
      const sightingsByCell = new Map<CellNumber, Map<DeviceId, DisplaySighting>>()
      const recording = new Set<CellNumber>()

      const recordSightings = Effect.fnUntraced(function* (sightings: Map<DeviceId, DisplaySighting>) {
        const at = yield* now
        yield* store.recordSightings([...sightings.values()], at)
        for (const [deviceId, sighting] of sightings) {
          if (Math.abs(at - sighting.at) > SIGHTING_KEPT_MS) sightings.delete(deviceId)
        }
      })
      /** Records the sightings of each cell by itself: one that does not answer holds up no other. */
      const recordEachCell = Effect.gen(function* () {
        for (const [cell, sightings] of sightingsByCell) {
          if (sightings.size === 0 || recording.has(cell)) continue
          recording.add(cell)
          const record = recordSightings(sightings).pipe(
            Effect.catchTag("StoreError", (error) =>
              Effect.logDebug("sightings of displays wait for the storage", error)
            ),
            insteadOfDefect("the record of sightings of displays", undefined),
            Effect.ensuring(Effect.sync(() => recording.delete(cell)))
          )
          yield* Effect.forkScoped(record)
        }
      })
      yield* Effect.forkScoped(Effect.repeat(recordEachCell, Schedule.spaced(RECORD_INTERVAL_MS)))

      const newToken = (id: OrganizationId | DeviceId) => {
        const token = deviceTokenOf(SecureRandom.randomBytesUnsafe(RANDOM_BYTES), id)
        return { token, tokenHash: hashDeviceToken(token)! }
      }

      return Devices.of(
        byCaller({
          create: Effect.fnUntraced(function* ({ administratorId }, draft) {
            const { token, tokenHash } = newToken(draft.organizationId)
            const at = yield* now
            // Premises that are named twice count once.
            const premises = Arr.dedupeWith(draft.premises, samePremises)
            const kind = draft.kind ?? "counter"
            const creation = { ...draft, kind, premises, administratorId, tokenHash, now: at, decide: decideDevice }
            const device = yield* store.create(creation)
            return { device: deviceToTheMinute(device), token }
          }),
          list: ({ administratorId }, organizationId) =>
            Effect.map(store.list({ organizationId, administratorId }), (devices) => devices.map(deviceToTheMinute)),
          rotate: Effect.fnUntraced(function* ({ administratorId }, deviceId) {
            const { token, tokenHash } = newToken(deviceId)
            const device = yield* store.rotate({ deviceId, administratorId, tokenHash, now: yield* now })
            return { device: deviceToTheMinute(device), token }
          }),
          remove: ({ administratorId }, deviceId) => store.remove({ deviceId, administratorId }),
          authenticate: Effect.fnUntraced(function* (token) {
            const presented = presentedDeviceToken(token)
            const at = yield* now
            const known = presented === undefined ? undefined : cached.get(presented.hash)
            // A clock that was set back keeps no token of a removed device valid.
            if (known !== undefined && at < known.until && known.until - at <= CACHE_MS) return known.caller
            const found = presented === undefined ? Option.none() : yield* store.findByToken(presented, at)
            if (presented === undefined || Option.isNone(found)) {
              return yield* new NotAuthenticated({ reason: "the token of the device is not valid" })
            }
            const { id, organizationId, kind } = found.value
            const caller = (kind === "display" ? DisplayCaller : DeviceCaller)(id, organizationId)
            if (!(yield* isInTransaction)) cached.set(presented.hash, { caller, until: at + CACHE_MS })
            return caller
          }),
          noteSighting: ({ deviceId, organizationId }) =>
            Effect.map(now, (at) => {
              const cell = cellOf(organizationId)
              const sightings = sightingsByCell.get(cell) ?? new Map<DeviceId, DisplaySighting>()
              sightingsByCell.set(cell, sightings.set(deviceId, { organizationId, deviceId, at }))
            })
        })
      )
    })
  )
}
