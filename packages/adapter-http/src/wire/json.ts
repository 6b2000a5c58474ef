/** The JSON of the interface as types, for clients that do without Effect: types alone, nothing at runtime. */
import type { WirePermission } from "./accounts/administrator.ts"
import type { WireInformation } from "./accounts/authenticationServer.ts"
import type { WireAreaFault } from "./areas/areaFault.ts"
import type { WireCreatedDevice, WireDevice, WireOrganizationCounted, WirePlaceCounted } from "./devices/device.ts"
import type { WireCapacityChange, WireOrganizationCapacityReading, WirePlaceCapacityReading } from "./feed/capacity.ts"
import type { WireFloorPlan } from "./floorplans/floorPlan.ts"
import type { WireHistoryRow } from "./history/history.ts"
import type { WireMuster, WireMusterSummary, WirePersonInside } from "./musters/muster.ts"
import type { WireDeletionRequest, WireOrganization } from "./organizations/organization.ts"
import type { WirePlace } from "./organizations/place.ts"
import type {
  WIRE_EVENTS,
  WireEnd,
  WireGone,
  WireReset,
  WireSnapshot,
  WireSnapshotOrganization
} from "./feed/presence.ts"
import type { WireOrganizationAuthenticatedAccess, WirePlaceAuthenticatedAccess } from "./stays/access.ts"
import type { WireStayPolicy } from "./policies/policy.ts"
import type { WireTimePerUser } from "./stays/report.ts"
import type { WireAdministrator, WireToken } from "./accounts/signIn.ts"
import type { WireCreatedWebhook, WireWebhook, WireWebhookAttempt } from "./webhooks/webhook.ts"

type Encoded<S extends { readonly Encoded: unknown }> = S["Encoded"]

export type PermissionJson = Encoded<typeof WirePermission>
export type OrganizationJson = Encoded<typeof WireOrganization>
export type PlaceJson = Encoded<typeof WirePlace>
export type FloorPlanJson = Encoded<typeof WireFloorPlan>
export type AreaFaultJson = Encoded<typeof WireAreaFault>
export type TokenJson = Encoded<typeof WireToken>
export type AdministratorJson = Encoded<typeof WireAdministrator>

export type CapacityChangeJson = Encoded<typeof WireCapacityChange>
export type OrganizationCapacityJson = Encoded<typeof WireOrganizationCapacityReading>
export type PlaceCapacityJson = Encoded<typeof WirePlaceCapacityReading>

/** A completed stay of a person in an organization or in a place. */
export type AccessJson =
  | Encoded<typeof WireOrganizationAuthenticatedAccess>
  | Encoded<typeof WirePlaceAuthenticatedAccess>
export type TimePerUserJson = Encoded<typeof WireTimePerUser>
export type InformationJson = Encoded<typeof WireInformation>

export type HistoryRowJson = Encoded<typeof WireHistoryRow>
export type PersonInsideJson = Encoded<typeof WirePersonInside>
export type MusterSummaryJson = Encoded<typeof WireMusterSummary>
export type MusterJson = Encoded<typeof WireMuster>
export type WebhookJson = Encoded<typeof WireWebhook>
export type WebhookAttemptJson = Encoded<typeof WireWebhookAttempt>
export type CreatedWebhookJson = Encoded<typeof WireCreatedWebhook>

export type DeviceJson = Encoded<typeof WireDevice>
export type CreatedDeviceJson = Encoded<typeof WireCreatedDevice>
/** The people whom devices count in an organization or in a place. */
export type CountedJson = Encoded<typeof WireOrganizationCounted> | Encoded<typeof WirePlaceCounted>

type Events = typeof WIRE_EVENTS

/** An event of an organization's feed. */
export type EventJson = { [Tag in keyof Events]: Encoded<Events[Tag][1]> }[keyof Events]

export type DeletionRequestJson = Encoded<typeof WireDeletionRequest>

export type StayPolicyJson = Encoded<typeof WireStayPolicy>

export type SnapshotOrganizationJson = Encoded<typeof WireSnapshotOrganization>

/** A message of `GET /presence/stream`: the name of the event, and its data. */
export type MessageJson =
  | readonly ["snapshot", Encoded<typeof WireSnapshot>]
  | { [Tag in keyof Events]: readonly [Events[Tag][0], Encoded<Events[Tag][1]>] }[keyof Events]
  | readonly ["gone", Encoded<typeof WireGone>]
  | readonly ["reset", Encoded<typeof WireReset>]
  | readonly ["stale", unknown]
  | readonly ["end", Encoded<typeof WireEnd>]
