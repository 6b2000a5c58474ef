/** The JSON of events, shared by the event stream and webhooks, so that both have the same content in the same form. */
import type { FeedVersion, PresenceEvent } from "../feed/PresenceEvent.ts"
import { formatTimestamp } from "../shared/Timestamp.ts"
import { eventTypeOf } from "./Webhook.ts"

/** The members that events of all types have as JSON, in the order in which they are written. */
const MEMBERS = [
  "version",
  "fromVersion",
  "type",
  "organizationId",
  "at",
  "placeId",
  "entered",
  "left",
  "level",
  "inside",
  "capacity",
  "changed",
  "corrected",
  "parentId",
  "deviceId",
  "musterId",
  "state"
]

/** Ids issued by the service are whole numbers that JSON holds exactly. */
const long = (id: bigint | undefined): number | undefined => (id === undefined ? undefined : Number(id))

/**
 * An event as JSON: the data of a message on the presence stream and of a webhook's delivery. What is not a member is left out.
 */
export const eventJson = (event: PresenceEvent & { readonly fromVersion?: FeedVersion }): string =>
  JSON.stringify(
    {
      ...event,
      type: eventTypeOf(event),
      organizationId: long(event.organizationId),
      at: formatTimestamp(event.at),
      placeId: "placeId" in event ? long(event.placeId) : undefined,
      parentId: "parentId" in event ? long(event.parentId) : undefined,
      deviceId: "deviceId" in event ? long(event.deviceId) : undefined,
      musterId: "musterId" in event ? long(event.musterId) : undefined
    },
    MEMBERS
  )
