/** The JSON of deliveries to webhooks: events of CloudEvents 1.0 that are payloads of Standard Webhooks as well. */
import * as Schema from "effect/Schema"
import { WIRE_EVENTS } from "../feed/presence.ts"
import { known, WireOrganizationId, WireTimestamp, WireWebhookId } from "../shared/fields.ts"

const delivery = <Type extends string, Data extends Schema.Constraint>(name: string, type: Type, data: Data) =>
  Schema.Struct({
    specversion: Schema.Literal("1.0"),
    id: Schema.String.annotate({ description: "The same at each attempt, and that of the header `webhook-id`." }),
    source: Schema.String.annotate({ format: "uri-reference", description: "The path of the organization." }),
    type: Schema.Literal(type),
    subject: Schema.String.annotate({ description: "What the event is about, such as `place/7`." }),
    time: WireTimestamp,
    datacontenttype: Schema.Literal("application/json"),
    timestamp: WireTimestamp,
    data
  }).annotate({ identifier: `${name}Delivery` })

/** The delivery of each type: an event that may stand for several, from `fromVersion` on; or the test of a webhook. */
export const WIRE_DELIVERIES = [
  ...Object.entries(WIRE_EVENTS).map(([name, [type, event]]) => {
    const delivered = Schema.Struct({ ...event.fields, fromVersion: known(Schema.Int) })
    return {
      name,
      type: type as string,
      schema: delivery(name, type, delivered.annotate({ identifier: `Delivered${name}` }))
    }
  }),
  {
    name: "WebhookTest",
    type: "webhook.test",
    schema: delivery(
      "WebhookTest",
      "webhook.test",
      Schema.Struct({ webhookId: WireWebhookId, organizationId: WireOrganizationId })
    )
  }
]
