/** The JSON of endpoints. */
export interface HistoryRowJson {
  readonly from: string
  readonly entered: number
  readonly left: number
  readonly least: number
  readonly most: number
  readonly average: number
  readonly averageStay?: number
}

export interface PersonInsideJson {
  readonly orgAuthServerId: string
  readonly placeId?: number
  readonly since: string
}

export interface MusterPersonJson {
  readonly orgAuthServerId: string
  readonly placeIds: ReadonlyArray<number>
  readonly since?: string
  readonly state: "missing" | "safe" | "left"
  readonly at?: string
}

export interface MusterSummaryJson {
  readonly musterId: number
  readonly organizationId: number
  readonly kind: "drill" | "evacuation"
  readonly note?: string
  readonly startedAt: string
  readonly startedBy: string
  readonly endedAt?: string
  readonly inside: number
  readonly safe: number
  readonly left: number
  readonly missing: number
}

export interface MusterJson extends MusterSummaryJson {
  readonly people?: ReadonlyArray<MusterPersonJson>
}

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
