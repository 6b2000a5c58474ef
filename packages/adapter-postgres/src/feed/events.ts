/** Converts events of feeds to rows of `presence_event` and back. */
import type {
  CapacityLevel,
  FeedVersion,
  MusterId,
  OrganizationId,
  PlaceId,
  PresenceEvent,
  PresenceEventData
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
  readonly state: "started" | "updated" | "ended" | null
}

/** The place of a row; undefined for the organization as a whole. */
export const placeOfRow = ({ place_id }: { readonly place_id: bigint }): PlaceId | undefined =>
  place_id === 0n ? undefined : (place_id as PlaceId)

const eventDataOf = (row: EventRow): PresenceEventData => {
  const placeId = placeOfRow(row)
  const inside = Number(row.inside)
  switch (row.type) {
    case "presence.changed":
      return { _tag: "PresenceChanged", placeId, entered: Number(row.entered), left: Number(row.departed), inside }
    case "capacity.changed":
      return { _tag: "CapacityChanged", placeId, level: row.level!, inside, capacity: numberOf(row.capacity) }
    case "place.changed":
      return { _tag: "PlaceChanged", placeId: placeId!, changed: row.changed! }
    case "organization.changed":
      return { _tag: "OrganizationChanged", changed: "updated" }
    default:
      return { _tag: "MusterChanged", musterId: row.muster_id!, state: row.state! }
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
export const columnsOf = (events: PresenceEventData): Partial<Record<Column, unknown>> => {
  const place_id = "placeId" in events ? events.placeId?.toString() : undefined
  switch (events._tag) {
    case "PresenceChanged":
      return {
        type: "presence.changed",
        place_id,
        entered: events.entered,
        departed: events.left,
        inside: events.inside
      }
    case "CapacityChanged":
      return {
        type: "capacity.changed",
        place_id,
        level: events.level,
        inside: events.inside,
        capacity: events.capacity
      }
    case "PlaceChanged":
      return { type: "place.changed", place_id, changed: events.changed }
    case "OrganizationChanged":
      return { type: "organization.changed", changed: events.changed }
    case "MusterChanged":
      return { type: "muster.changed", muster_id: events.musterId.toString(), state: events.state }
  }
}
