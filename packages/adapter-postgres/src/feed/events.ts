/** Converts events of feeds to rows of `presence_event` and back. */
import {
  type CapacityLevel,
  type DeviceChanged,
  type DeviceId,
  eventTypeOf,
  type FeedVersion,
  type MusterChanged,
  type MusterId,
  type OrganizationId,
  type PlaceId,
  type PresenceEvent,
  type PresenceEventData
} from "@sojourn/core"
import { numberOf, timestampOf } from "../database/rows.ts"

/** A row of the table `presence_event`; `place_id` 0 is the organization as a whole. */
export interface EventRow {
  readonly version: bigint
  readonly at: Date
  readonly type: string
  readonly place_id: bigint
  readonly entered: bigint | null
  readonly departed: bigint | null
  readonly inside: bigint | null
  readonly level: CapacityLevel | null
  readonly capacity: bigint | null
  readonly changed: "created" | "updated" | "deleted" | null
  readonly muster_id: MusterId | null
  readonly state: "started" | "updated" | "ended" | "ok" | "silent" | null
  readonly place_level: number | null
  readonly parent_id: PlaceId | null
  readonly device_id: DeviceId | null
  readonly corrected: boolean | null
}

/** The place of a row; undefined for the organization as a whole. */
export const placeOfRow = ({ place_id }: { readonly place_id: bigint }): PlaceId | undefined =>
  place_id === 0n ? undefined : (place_id as PlaceId)

const eventDataOf = (row: EventRow): PresenceEventData => {
  const placeId = placeOfRow(row)
  const inside = Number(row.inside)
  switch (row.type) {
    case "presence.changed":
      return {
        _tag: "PresenceChanged",
        placeId,
        entered: Number(row.entered),
        left: Number(row.departed),
        inside,
        corrected: row.corrected === true ? true : undefined
      }
    case "capacity.changed":
      return { _tag: "CapacityChanged", placeId, level: row.level!, inside, capacity: numberOf(row.capacity) }
    case "place.changed":
      return {
        _tag: "PlaceChanged",
        placeId: placeId!,
        changed: row.changed!,
        level: row.place_level ?? undefined,
        parentId: row.parent_id ?? undefined
      }
    case "organization.changed":
      return { _tag: "OrganizationChanged", changed: "updated" }
    case "device.changed":
      return { _tag: "DeviceChanged", deviceId: row.device_id!, state: row.state as DeviceChanged["state"] }
    default:
      return { _tag: "MusterChanged", musterId: row.muster_id!, state: row.state as MusterChanged["state"] }
  }
}

export const eventOf = (organizationId: OrganizationId, row: EventRow): PresenceEvent => ({
  ...eventDataOf(row),
  version: Number(row.version) as FeedVersion,
  organizationId,
  at: timestampOf(row.at)
})

type Column = Exclude<keyof EventRow, "version" | "at">

/** The columns of an event, as JSON; those that are left out are null. */
export const columnsOf = (event: PresenceEventData): Partial<Record<Column, unknown>> => {
  const type = eventTypeOf(event)
  const place_id = "placeId" in event ? event.placeId?.toString() : undefined
  switch (event._tag) {
    case "PresenceChanged":
      return {
        type,
        place_id,
        entered: event.entered,
        departed: event.left,
        inside: event.inside,
        corrected: event.corrected
      }
    case "CapacityChanged":
      return { type, place_id, level: event.level, inside: event.inside, capacity: event.capacity }
    case "PlaceChanged":
      return {
        type,
        place_id,
        changed: event.changed,
        place_level: event.level,
        parent_id: event.parentId?.toString()
      }
    case "OrganizationChanged":
      return { type, changed: event.changed }
    case "MusterChanged":
      return { type, muster_id: event.musterId.toString(), state: event.state }
    case "DeviceChanged":
      return { type, device_id: event.deviceId.toString(), state: event.state }
  }
}
