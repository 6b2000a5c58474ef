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

/**
 * @since 0.1.0
 * @category models
 */
export type PermissionJson = Encoded<typeof WirePermission>
/**
 * @since 0.1.0
 * @category models
 */
export type OrganizationJson = Encoded<typeof WireOrganization>
/**
 * @since 0.1.0
 * @category models
 */
export type PlaceJson = Encoded<typeof WirePlace>
/**
 * @since 0.1.0
 * @category models
 */
export type FloorPlanJson = Encoded<typeof WireFloorPlan>
/**
 * @since 0.1.0
 * @category models
 */
export type AreaFaultJson = Encoded<typeof WireAreaFault>
/**
 * @since 0.1.0
 * @category models
 */
export type TokenJson = Encoded<typeof WireToken>
/**
 * @since 0.1.0
 * @category models
 */
export type AdministratorJson = Encoded<typeof WireAdministrator>

/**
 * @since 0.1.0
 * @category models
 */
export type CapacityChangeJson = Encoded<typeof WireCapacityChange>
/**
 * @since 0.1.0
 * @category models
 */
export type OrganizationCapacityJson = Encoded<typeof WireOrganizationCapacityReading>
/**
 * @since 0.1.0
 * @category models
 */
export type PlaceCapacityJson = Encoded<typeof WirePlaceCapacityReading>

/**
 * A completed stay of a person in an organization or in a place.
 *
 * @since 0.1.0
 * @category models
 */
export type AccessJson =
  | Encoded<typeof WireOrganizationAuthenticatedAccess>
  | Encoded<typeof WirePlaceAuthenticatedAccess>
/**
 * @since 0.1.0
 * @category models
 */
export type TimePerUserJson = Encoded<typeof WireTimePerUser>
/**
 * @since 0.1.0
 * @category models
 */
export type InformationJson = Encoded<typeof WireInformation>

/**
 * @since 0.1.0
 * @category models
 */
export type HistoryRowJson = Encoded<typeof WireHistoryRow>
/**
 * @since 0.1.0
 * @category models
 */
export type PersonInsideJson = Encoded<typeof WirePersonInside>
/**
 * @since 0.1.0
 * @category models
 */
export type MusterSummaryJson = Encoded<typeof WireMusterSummary>
/**
 * @since 0.1.0
 * @category models
 */
export type MusterJson = Encoded<typeof WireMuster>
/**
 * @since 0.1.0
 * @category models
 */
export type WebhookJson = Encoded<typeof WireWebhook>
/**
 * @since 0.1.0
 * @category models
 */
export type WebhookAttemptJson = Encoded<typeof WireWebhookAttempt>
/**
 * @since 0.1.0
 * @category models
 */
export type CreatedWebhookJson = Encoded<typeof WireCreatedWebhook>

/**
 * @since 0.1.0
 * @category models
 */
export type DeviceJson = Encoded<typeof WireDevice>
/**
 * @since 0.1.0
 * @category models
 */
export type CreatedDeviceJson = Encoded<typeof WireCreatedDevice>
/**
 * The people whom devices count in an organization or in a place.
 *
 * @since 0.1.0
 * @category models
 */
export type CountedJson = Encoded<typeof WireOrganizationCounted> | Encoded<typeof WirePlaceCounted>

type Events = typeof WIRE_EVENTS

/**
 * An event of an organization's feed.
 *
 * @since 0.1.0
 * @category models
 */
export type EventJson = { [Tag in keyof Events]: Encoded<Events[Tag][1]> }[keyof Events]

/**
 * @since 0.1.0
 * @category models
 */
export type DeletionRequestJson = Encoded<typeof WireDeletionRequest>

/**
 * @since 0.1.0
 * @category models
 */
export type StayPolicyJson = Encoded<typeof WireStayPolicy>

/**
 * @since 0.1.0
 * @category models
 */
export type SnapshotOrganizationJson = Encoded<typeof WireSnapshotOrganization>

/**
 * A message of `GET /presence/stream`: the name of the event, and its data.
 *
 * @since 0.1.0
 * @category models
 */
export type MessageJson =
  | readonly ["snapshot", Encoded<typeof WireSnapshot>]
  | { [Tag in keyof Events]: readonly [Events[Tag][0], Encoded<Events[Tag][1]>] }[keyof Events]
  | readonly ["gone", Encoded<typeof WireGone>]
  | readonly ["reset", Encoded<typeof WireReset>]
  | readonly ["stale", unknown]
  | readonly ["end", Encoded<typeof WireEnd>]
