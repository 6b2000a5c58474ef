/** The JSON of devices, their readings, and the people that they count. */
import {
  CountedNumber,
  DeviceKind,
  DeviceName,
  Epoch,
  MAX_DEVICE_PREMISES,
  MAX_READINGS,
  ReadingTotal
} from "@sojourn/core"
import * as Schema from "effect/Schema"
import {
  known,
  leftOut,
  ofOrganization,
  ofPlace,
  WireDeviceId,
  WireOrganizationId,
  WirePlaceId,
  WireTimestamp
} from "../shared/fields.ts"

/** Names premises of the device's organization: the organization as a whole, or one of its places. */
const premises = { organization: leftOut(Schema.Literal(true)), placeId: leftOut(WirePlaceId) }

const namesOnePremises = Schema.makeFilter(
  (named: { readonly organization?: true | null; readonly placeId?: bigint | null }) =>
    (named.organization == null) !== (named.placeId == null),
  { expected: "either organization or placeId" }
)

/** A device to be made. */
export const WireDeviceDraft = Schema.Struct({
  name: DeviceName,
  premises: Schema.Array(Schema.Struct(premises).check(namesOnePremises)).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(MAX_DEVICE_PREMISES)
  ),
  /** A counter where it is left out. */
  kind: leftOut(DeviceKind)
}).annotate({ identifier: "DeviceDraft" })

const device = {
  deviceId: WireDeviceId,
  organizationId: WireOrganizationId,
  name: Schema.String,
  /** Left out of counters. */
  kind: known(Schema.Literal("display")),
  premises: Schema.Array(Schema.Struct({ organization: known(Schema.Literal(true)), placeId: known(WirePlaceId) })),
  creationDate: WireTimestamp
}

/** A device with its token, which is answered this once. */
export const WireCreatedDevice = Schema.Struct({ ...device, token: Schema.String }).annotate({
  identifier: "CreatedDevice"
})

/** A device of a list. `lastSeenAt` is to the minute. */
export const WireDevice = Schema.Struct({
  ...device,
  state: Schema.Literals(["new", "ok", "silent", "behind"]),
  lastSeenAt: known(WireTimestamp),
  drift: Schema.Int
}).annotate({ identifier: "Device" })

/** A reading: totals since the epoch began. */
const WireReading = Schema.Struct({
  ...premises,
  epoch: Epoch,
  in: ReadingTotal,
  out: ReadingTotal,
  /** For the device's own records. */
  at: leftOut(WireTimestamp)
})
  .check(namesOnePremises)
  .annotate({ identifier: "Reading" })

/** The readings of a device. */
export const WireReadings = Schema.Struct({
  readings: Schema.Array(WireReading).check(Schema.isMinLength(1), Schema.isMaxLength(MAX_READINGS))
}).annotate({ identifier: "Readings" })

/** How many readings changed anything. */
export const WireAccepted = Schema.Struct({ accepted: Schema.Int }).annotate({ identifier: "AcceptedReadings" })

/** A correction of the number of people counted. */
export const WireCountedCorrection = Schema.Struct({ counted: CountedNumber }).annotate({
  identifier: "CountedCorrection"
})

const counted = <Premises extends Schema.Struct.Fields>(name: string, of: Premises) =>
  Schema.Struct({ ...of, counted: Schema.Int, inside: Schema.Int }).annotate({ identifier: name })

/** How many people are counted inside, and how many are inside in all. */
export const WireOrganizationCounted = counted("OrganizationCounted", ofOrganization)
export const WirePlaceCounted = counted("PlaceCounted", ofPlace)
