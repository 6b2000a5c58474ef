/** Devices of organizations, such as door counters: what they are, their tokens, and when one counts as silent. */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { equal } from "@stablelib/constant-time"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { cellOfId } from "../shared/CellIds.ts"
import { type DeviceId, type OrganizationId, textOf } from "../shared/Ids.ts"
import type { Premises } from "../shared/Premises.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import { isAhead, Timestamp } from "../shared/Timestamp.ts"
import type { ReadingsSeen } from "./Counting.ts"

/** The name of a device. */
export const DeviceName = textOf(1, 100)

/**
 * Whether a device reports: `new` before its first request, `silent` when it sent nothing for the policy's `deviceSilentAfter`, `behind`
 * when its totals have stayed below its highest ones, as those of a sensor that began again at 0 in the same epoch.
 */
export type DeviceState = "new" | "ok" | "silent" | "behind"

/** What a device is for: a counter sends readings, a display shows what it reads (spec: devices#displays). */
export const DeviceKind = Schema.Literals(["counter", "display"])
export type DeviceKind = typeof DeviceKind.Type

/** A device that counts at premises of an organization, or shows them (spec: devices#devices). */
export interface Device {
  readonly id: DeviceId
  readonly organizationId: OrganizationId
  readonly name: string
  readonly kind: DeviceKind
  /** Where it may count, or what it shows. A deleted place leaves the list. */
  readonly premises: ReadonlyArray<Premises>
  readonly creationDate: Timestamp
  readonly state: DeviceState
  /** The last request that was accepted, to the minute. */
  readonly lastSeenAt?: Timestamp | undefined
  /** How many more people it counted out than were counted inside, without those whom other readings repaid. */
  readonly drift: number
}

/** The most devices of an organization, and the most premises of a device. */
export const MAX_DEVICES = 500
export const MAX_DEVICE_PREMISES = 20

/** After how many seconds without a request a device is silent, unless the policy says otherwise. */
export const DEFAULT_SILENT_AFTER_SECONDS = 900

/** There is no such device. */
export class DeviceNotFound extends TaggedError("DeviceNotFound", "the device does not exist")<{
  readonly deviceId: DeviceId
}> {}

/** The organization has as many devices as it may have. */
export class TooManyDevices extends TaggedError("TooManyDevices", "the organization has as many devices as allowed")<{
  readonly maxDevices: number
}> {}

/** A device is to count at, or to show, premises that its organization does not have. */
export class DevicePremisesUnknown extends TaggedError(
  "DevicePremisesUnknown",
  "the organization does not have these premises"
)<{
  readonly premises: Premises
}> {}

/** What a new device is decided on. */
export interface DeviceFacts {
  /** How many devices the organization has. */
  readonly devices: number
  /** The first of the device's premises that the organization does not have. */
  readonly unknown: Premises | undefined
}

/** A device is at premises of its organization, which has up to {@link MAX_DEVICES} (spec: devices#device-premises). */
export const decideDevice = ({
  devices,
  unknown
}: DeviceFacts): Result.Result<void, DevicePremisesUnknown | TooManyDevices> =>
  Result.gen(function* () {
    if (unknown !== undefined) return yield* Result.fail(new DevicePremisesUnknown({ premises: unknown }))
    if (devices >= MAX_DEVICES) return yield* Result.fail(new TooManyDevices({ maxDevices: MAX_DEVICES }))
  })

/** The prefix of the tokens of devices, which no token of an issuer has. */
const PREFIX = "sjd_"

const TOKEN = /^sjd_[A-Za-z0-9_-]{43}$/

/** A valid text of a token as what it is looked up by. */
export interface PresentedDeviceToken {
  readonly hash: string
  /** The cell whose devices it may be of. */
  readonly cell: number
}

/**
 * A token of 32 bytes, of which 31 are random: the first is the second XOR the number of the cell that issued the id. So a token says which
 * cell to ask, and 248 bits of it are random.
 */
export const deviceTokenOf = (random: Uint8Array, id: bigint): Redacted.Redacted<string> => {
  const cell = Option.getOrElse(cellOfId(id), () => 0)
  return Redacted.make(`${PREFIX}${Base64Url.encode(Uint8Array.of(random[1]! ^ cell, ...random.subarray(1)))}`)
}

/** Whether credentials are the token of a device, and of no issuer. */
export const isDeviceToken = (credentials: Redacted.Redacted<string>): boolean =>
  Redacted.value(credentials).startsWith(PREFIX)

/** The SHA-256 of a token, which is stored in its place; undefined for a text that is no token. */
export const hashDeviceToken = (token: Redacted.Redacted<string>): string | undefined =>
  presentedDeviceToken(token)?.hash

/** The hash and the cell by which a token is looked up; undefined for a text that is no token. */
export const presentedDeviceToken = (token: Redacted.Redacted<string>): PresentedDeviceToken | undefined => {
  const text = Redacted.value(token)
  if (!TOKEN.test(text)) return undefined
  const [first, second] = Result.getOrThrow(Base64Url.decode(text.slice(PREFIX.length, PREFIX.length + 4)))
  return { hash: Base64Url.encode(sha256(utf8ToBytes(text))), cell: first! ^ second! }
}

/** The tokens of a device, as hashes: at most two are valid. */
export interface DeviceTokens {
  readonly current: string
  readonly former?: { readonly hash: string; readonly until: Timestamp } | undefined
}

/** How long the former token of a device is valid after a new one was made, in milliseconds. */
const FORMER_TOKEN_MS = 60_000

/** The tokens after another one was made: the former one is valid for 60 s more, and the one before it no longer. */
export const rotateDeviceTokens = ({ current }: DeviceTokens, next: string, now: Timestamp): DeviceTokens => ({
  current: next,
  former: { hash: current, until: Timestamp(now + FORMER_TOKEN_MS) }
})

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
const isEqual = (one: string, other: string): boolean => equal(utf8ToBytes(one), utf8ToBytes(other))

/** Whether a hash is that of a valid token. A former one that was to be valid for longer, by a clock that was ahead, is not. */
export const isValidDeviceToken = ({ current, former }: DeviceTokens, hash: string, now: Timestamp): boolean =>
  isEqual(current, hash) ||
  (former !== undefined &&
    now < former.until &&
    !isAhead(former.until, now, FORMER_TOKEN_MS) &&
    isEqual(former.hash, hash))

/** How long servers may take to record the requests of a display, which no request waits for, in milliseconds. */
export const SIGHTING_DELAY_MS = 2_500

/** When a device counts as silent, in milliseconds since the epoch; a device that never sent a request does not. */
export const silentFrom = (
  { kind, state, lastSeenAt }: Pick<Device, "state" | "lastSeenAt"> & Partial<Pick<Device, "kind">>,
  silentAfter: number = DEFAULT_SILENT_AFTER_SECONDS
): number =>
  isReporting(state) && lastSeenAt !== undefined
    ? lastSeenAt + silentAfter * 1000 + (kind === "display" ? SIGHTING_DELAY_MS : 0)
    : Infinity

const isReporting = (state: DeviceState): boolean => state === "ok" || state === "behind"

/** For how long all readings of a device are below its highest totals before it is `behind`, in milliseconds. */
export const BEHIND_AFTER_MS = 300_000

/** What the readings of a device say of it, beside what they count. */
export interface DeviceProgress extends Pick<Device, "state" | "lastSeenAt"> {
  /** Since when all its readings have been below its highest totals. */
  readonly belowSince?: Timestamp | undefined
}

const isSince = (at: Timestamp | undefined, now: Timestamp): at is Timestamp => at !== undefined && !isAhead(at, now)

/** The device after the readings of a request (spec: devices#behind). It is `ok`, unless it is behind and nothing of them counts. */
export const deviceAfterReadings = (
  { state, belowSince }: DeviceProgress,
  seen: ReadingsSeen,
  now: Timestamp
): DeviceProgress =>
  state === "behind" && seen !== "counted"
    ? { state, belowSince, lastSeenAt: now }
    : {
        state: "ok",
        belowSince: seen === "below" ? (isSince(belowSince, now) && state === "ok" ? belowSince : now) : undefined,
        lastSeenAt: now
      }

/** Whether a request of a display at `at` is later than the last one that is known of it. */
export const isNewSighting = (
  { kind, lastSeenAt }: Pick<Device, "kind" | "lastSeenAt">,
  at: Timestamp,
  now: Timestamp
): boolean => kind === "display" && (lastSeenAt === undefined || isAhead(lastSeenAt, now) || at > lastSeenAt)

/** When a device counts as behind, in milliseconds since the epoch. A single reading that came late does not make it so. */
export const behindFrom = ({ state, lastSeenAt, belowSince }: DeviceProgress): number =>
  state === "ok" && belowSince !== undefined && lastSeenAt !== undefined && lastSeenAt > belowSince
    ? belowSince + BEHIND_AFTER_MS
    : Infinity

const MINUTE_MS = 60_000

/** A device as it is answered: when it was last seen is known to the minute. */
export const deviceToTheMinute = (device: Device): Device => ({
  ...device,
  lastSeenAt:
    device.lastSeenAt === undefined ? undefined : Timestamp(Math.floor(device.lastSeenAt / MINUTE_MS) * MINUTE_MS)
})
