/** The deliveries to webhooks as the `webhooks` of the OpenAPI document. */
import { WIRE_DELIVERIES } from "../../wire/webhooks/delivery.ts"

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", examples: [example] }
})

const parameters = [
  header("webhook-id", "The same at each attempt: drop what you know.", "msg_kSb2WQIHr4RrRkYT1VPDQZ2G"),
  header("webhook-timestamp", "When the attempt began, in seconds since 1970.", "1777887000"),
  header(
    "webhook-signature",
    "Signatures over `<webhook-id>.<webhook-timestamp>.<body>`, separated by blanks (Standard Webhooks 1.0.0).",
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
  )
]

const responses = {
  "2XX": { description: "Delivered, where it comes within 15 seconds" },
  "410": { description: "The webhook is disabled" },
  default: { description: "The delivery failed and is tried again, after `Retry-After` at the earliest" }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** A `POST` for each type of delivery, with the tag of the endpoints that manage webhooks. */
export const describeDeliveries = (tag: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    WIRE_DELIVERIES.map(({ name, type }) => [
      type,
      {
        post: {
          tags: [tag],
          operationId: `delivery.${lowerFirst(name)}`,
          summary: `Receive \`${type}\``,
          description:
            "Sent to the URL of a webhook: an event of CloudEvents 1.0, signed as Standard Webhooks 1.0.0 says.",
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: { "application/json": { schema: { $ref: `#/components/schemas/${name}Delivery` } } }
          },
          responses
        }
      }
    ])
  )
