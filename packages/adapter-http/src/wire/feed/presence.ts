/** The JSON of the presence stream: events, snapshots and messages about the stream itself. */
import { CapacityNumber, OrganizationId, type PresenceEvent } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { WireCapacityLevel } from "./capacity.ts"
import {
  known,
  PathOrganizationId,
  WireDeviceId,
  WireLevel,
  WireMusterId,
  WireOrganizationId,
  WirePlaceId,
  WireTimestamp
} from "../shared/fields.ts"

/** How many organizations one stream may have. */
export const LARGEST_STREAM = 20

/** The organizations of a stream, separated by commas. One that is named twice counts once. */
export const QueryOrganizationIds = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Array(Schema.toType(OrganizationId)),
    SchemaTransformation.transformEffect({
      decode: (text: string) => {
        const ids = text.split(",")
        return ids.length > LARGEST_STREAM
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: `Expected at most ${LARGEST_STREAM} organizations` }))
          : Effect.mapError(
              Effect.map(decodeIds(ids), (decoded) => [...new Set(decoded)]),
              ({ issue }) => issue
            )
      },
      encode: (ids: ReadonlyArray<OrganizationId>) => Effect.succeed(ids.join(","))
    })
  )
)

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(PathOrganizationId))

const event = <Type extends string, Fields extends Schema.Struct.Fields>(name: string, type: Type, fields: Fields) =>
  Schema.Struct({
    version: Schema.Int,
    type: Schema.Literal(type),
    organizationId: WireOrganizationId,
    at: WireTimestamp,
    ...fields
  }).annotate({ identifier: name })

const ofPremises = { placeId: known(WirePlaceId) }

export const WirePresenceChanged = event("PresenceChanged", "presence.changed", {
  ...ofPremises,
  entered: Schema.Int,
  left: Schema.Int,
  inside: Schema.Int,
  corrected: known(Schema.Literal(true))
})
export const WireCapacityChanged = event("CapacityChanged", "capacity.changed", {
  ...ofPremises,
  level: WireCapacityLevel,
  inside: Schema.Int,
  capacity: known(CapacityNumber)
})
export const WirePlaceChanged = event("PlaceChanged", "place.changed", {
  placeId: WirePlaceId,
  changed: Schema.Literals(["created", "updated", "deleted"]),
  level: known(WireLevel),
  parentId: known(WirePlaceId)
})
export const WireOrganizationChanged = event("OrganizationChanged", "organization.changed", {
  changed: Schema.Literal("updated")
})
export const WireMusterChanged = event("MusterChanged", "muster.changed", {
  musterId: WireMusterId,
  state: Schema.Literals(["started", "updated", "ended"])
})

export const WireDeviceChanged = event("DeviceChanged", "device.changed", {
  deviceId: WireDeviceId,
  state: Schema.Literals(["ok", "silent", "behind"])
})

/** An event of a feed, by its type. */
export const WIRE_EVENTS = {
  PresenceChanged: ["presence.changed", WirePresenceChanged],
  CapacityChanged: ["capacity.changed", WireCapacityChanged],
  PlaceChanged: ["place.changed", WirePlaceChanged],
  OrganizationChanged: ["organization.changed", WireOrganizationChanged],
  MusterChanged: ["muster.changed", WireMusterChanged],
  DeviceChanged: ["device.changed", WireDeviceChanged]
} as const satisfies { readonly [Tag in PresenceEvent["_tag"]]: readonly [string, Schema.Constraint] }

const total = {
  inside: Schema.Int,
  entered: Schema.Int,
  left: Schema.Int,
  capacity: known(CapacityNumber),
  level: WireCapacityLevel
}

/** An organization as of a version of its feed. */
export const WireSnapshotOrganization = Schema.Struct({
  organizationId: WireOrganizationId,
  version: Schema.Int,
  ...total,
  places: Schema.Array(Schema.Struct({ placeId: WirePlaceId, ...total }))
}).annotate({ identifier: "PresenceSnapshotOrganization" })

export const WireSnapshotReason = Schema.Literals(["start", "behind", "reset"])

/** Everything as of the versions of the organizations. */
export const WireSnapshot = Schema.Struct({
  reason: WireSnapshotReason,
  organizations: Schema.Array(WireSnapshotOrganization)
}).annotate({ identifier: "PresenceSnapshot" })

export const WireGone = Schema.Struct({
  organizationId: WireOrganizationId,
  reason: Schema.Literals(["forbidden", "deleted"])
}).annotate({ identifier: "PresenceGone" })

export const WireReset = Schema.Struct({ reason: Schema.Literals(["expired", "unknown"]) }).annotate({
  identifier: "PresenceReset"
})

export const WireEnd = Schema.Struct({
  reason: Schema.Literals(["expired", "forbidden", "rotate", "shutdown", "replaced"])
}).annotate({ identifier: "PresenceEnd" })

const message = <Type extends string, Data extends Schema.Constraint>(type: Type, data: Data) =>
  Schema.Struct({
    id: Schema.optional(Schema.String),
    event: Schema.Literal(type),
    data: Schema.fromJsonString(data)
  })

/** The messages of a stream, as its client decodes them. */
export const WireMessage = Schema.Union([
  message("snapshot", WireSnapshot),
  message("presence.changed", WirePresenceChanged),
  message("capacity.changed", WireCapacityChanged),
  message("place.changed", WirePlaceChanged),
  message("organization.changed", WireOrganizationChanged),
  message("muster.changed", WireMusterChanged),
  message("device.changed", WireDeviceChanged),
  message("gone", WireGone),
  message("reset", WireReset),
  message("stale", Schema.Struct({})),
  message("end", WireEnd)
]).annotate({ identifier: "PresenceMessage" })
