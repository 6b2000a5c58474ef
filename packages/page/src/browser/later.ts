/** The JSON of webhooks. */
export type EventType =
  | "presence.changed"
  | "capacity.changed"
  | "place.changed"
  | "organization.changed"
  | "muster.changed"

export interface WebhookJson {
  readonly webhookId: number
  readonly url: string
  readonly types: ReadonlyArray<EventType>
  readonly state: "active" | "failing" | "disabled"
  readonly lastFailure?: { readonly at: string; readonly reason: string }
  readonly secret?: string
}
