/** Generated from the HTTP interface's definition by `npm run client`: changes are lost. */
import type { Answer } from "./answer.ts"
import type { CallOptions } from "./http.ts"

export interface AcceptedReadings {
  readonly accepted: number
}

export interface AccountLink {
  readonly organizationId: number
  readonly orgAuthServerId: string
}

export interface Administrator {
  readonly administratorId: string
  readonly mail?: string | undefined
}

export interface AdministratorAccount {
  readonly administratorId: string
  readonly mail: string
}

export interface AdministratorBindingRequest {
  readonly organizationId: number
  readonly administratorId?: string | null | undefined
  readonly mail?: string | null | undefined
  readonly permission: 1 | 2 | 3 | "viewer" | "manager" | "owner"
  readonly orgAuthServerId?: string | null | undefined
}

export interface AdministratorCreationRequest {
  readonly organizationId: number
  readonly administratorId?: string | null | undefined
  readonly mail: string
  readonly password?: string | null | undefined
  readonly permission: 1 | 2 | 3 | "viewer" | "manager" | "owner"
  readonly orgAuthServerId?: string | null | undefined
}

export interface AreaConstraint {
  readonly maxArea: number | null
}

export interface AreaFault {
  readonly kind: string
  readonly rule?: "PlacesOverlap" | "PlaceOutsideOrganization" | "PlaceOutsidePlace" | undefined
  readonly placeId?: number | undefined
  readonly marks: ReadonlyArray<{
    readonly area: "sent" | "organization" | "place"
    readonly at: ReadonlyArray<number>
    readonly to?: ReadonlyArray<number> | undefined
  }>
  readonly actual?: number | undefined
  readonly limit?: number | undefined
}

export interface CapacityChange {
  readonly capacity: number | null
  readonly warnAt?: number | null | undefined
}

export interface CapacityChanged {
  readonly version: number
  readonly type: "capacity.changed"
  readonly organizationId: number
  readonly at: string
  readonly placeId?: number | undefined
  readonly level: "none" | "normal" | "warning" | "full" | "over"
  readonly inside: number
  readonly capacity?: number | undefined
}

export interface CapacityChangedDelivery {
  readonly specversion: "1.0"
  readonly id: string
  readonly source: string
  readonly type: "capacity.changed"
  readonly subject: string
  readonly time: string
  readonly datacontenttype: "application/json"
  readonly timestamp: string
  readonly data: DeliveredCapacityChanged
}

export interface CountedCorrection {
  readonly counted: number
}

export interface CreatedDevice {
  readonly deviceId: number
  readonly organizationId: number
  readonly name: string
  readonly premises: ReadonlyArray<{ readonly organization?: true | undefined; readonly placeId?: number | undefined }>
  readonly creationDate: string
  readonly token: string
}

export interface CreatedWebhook {
  readonly webhookId: number
  readonly organizationId: number
  readonly url: string
  readonly types: ReadonlyArray<
    | "presence.changed"
    | "capacity.changed"
    | "place.changed"
    | "organization.changed"
    | "muster.changed"
    | "device.changed"
  >
  readonly state: "active" | "failing" | "disabled"
  readonly createdBy: string
  readonly secret: string
}

export interface DataSubject {
  readonly userId?: string | null | undefined
  readonly organizationId?: number | null | undefined
  readonly orgAuthServerId?: string | null | undefined
  readonly administratorId?: string | null | undefined
  readonly mail?: string | null | undefined
  readonly operatorId?: string | null | undefined
}

export interface DeletionRequest {
  readonly id: number
  readonly organizationId: number
  readonly administratorId: string
  readonly requestReason?: string | undefined
  readonly status: "pending" | "approved" | "rejected"
  readonly creationDate: string
  readonly decisionDate?: string | undefined
  readonly decidedBy?: string | undefined
}

export interface DeliveredCapacityChanged {
  readonly version: number
  readonly type: "capacity.changed"
  readonly organizationId: number
  readonly at: string
  readonly placeId?: number | undefined
  readonly level: "none" | "normal" | "warning" | "full" | "over"
  readonly inside: number
  readonly capacity?: number | undefined
  readonly fromVersion?: number | undefined
}

export interface DeliveredDeviceChanged {
  readonly version: number
  readonly type: "device.changed"
  readonly organizationId: number
  readonly at: string
  readonly deviceId: number
  readonly state: "ok" | "silent"
  readonly fromVersion?: number | undefined
}

export interface DeliveredMusterChanged {
  readonly version: number
  readonly type: "muster.changed"
  readonly organizationId: number
  readonly at: string
  readonly musterId: number
  readonly state: "started" | "updated" | "ended"
  readonly fromVersion?: number | undefined
}

export interface DeliveredOrganizationChanged {
  readonly version: number
  readonly type: "organization.changed"
  readonly organizationId: number
  readonly at: string
  readonly changed: "updated"
  readonly fromVersion?: number | undefined
}

export interface DeliveredPlaceChanged {
  readonly version: number
  readonly type: "place.changed"
  readonly organizationId: number
  readonly at: string
  readonly placeId: number
  readonly changed: "created" | "updated" | "deleted"
  readonly level?: number | undefined
  readonly parentId?: number | undefined
  readonly fromVersion?: number | undefined
}

export interface DeliveredPresenceChanged {
  readonly version: number
  readonly type: "presence.changed"
  readonly organizationId: number
  readonly at: string
  readonly placeId?: number | undefined
  readonly entered: number
  readonly left: number
  readonly inside: number
  readonly corrected?: true | undefined
  readonly fromVersion?: number | undefined
}

export interface Device {
  readonly deviceId: number
  readonly organizationId: number
  readonly name: string
  readonly premises: ReadonlyArray<{ readonly organization?: true | undefined; readonly placeId?: number | undefined }>
  readonly creationDate: string
  readonly state: "new" | "ok" | "silent"
  readonly lastSeenAt?: string | undefined
  readonly drift: number
}

export interface DeviceChanged {
  readonly version: number
  readonly type: "device.changed"
  readonly organizationId: number
  readonly at: string
  readonly deviceId: number
  readonly state: "ok" | "silent"
}

export interface DeviceChangedDelivery {
  readonly specversion: "1.0"
  readonly id: string
  readonly source: string
  readonly type: "device.changed"
  readonly subject: string
  readonly time: string
  readonly datacontenttype: "application/json"
  readonly timestamp: string
  readonly data: DeliveredDeviceChanged
}

export interface DeviceDraft {
  readonly name: string
  readonly premises: ReadonlyArray<{
    readonly organization?: true | null | undefined
    readonly placeId?: number | null | undefined
  }>
}

export interface Erased {
  readonly accountLinks: number
  readonly favorites: number
  readonly accesses: number
  readonly openStays: number
  readonly retriedEntrances: number
  readonly musterEntries: number
  readonly accounts: number
  readonly permissions: number
  readonly mentions: number
}

export interface Erasure {
  readonly organizationId: number
  readonly day: string
  readonly people: number
  readonly accesses: number
  readonly openStays: number
  readonly totalTime: number
}

export interface Favorite {
  readonly userId: string
  readonly organizationId: number
  readonly orgAuthServerId?: string | undefined
  readonly creationDate: string
  readonly organization: Organization
}

export interface FavoriteDraft {
  readonly userId?: string | null | undefined
  readonly organizationId: number
  readonly orgAuthServerId?: string | null | undefined
}

export interface FloorPlan {
  readonly organizationId: number
  readonly level: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  readonly rotation: number
  readonly type: "image/png" | "image/jpeg" | "image/webp"
  readonly bytes: number
}

export interface Health {
  readonly status: "up"
  readonly version: string
}

export interface LinkRequest {
  readonly organizationId: number
  readonly username: string
  readonly password: string
}

export interface Muster {
  readonly musterId: number
  readonly organizationId: number
  readonly kind: "drill" | "evacuation"
  readonly note?: string | undefined
  readonly startedAt: string
  readonly startedBy: string
  readonly endedAt?: string | undefined
  readonly counted?: number | undefined
  readonly inside: number
  readonly safe: number
  readonly left: number
  readonly missing: number
  readonly people?: ReadonlyArray<MusterPerson> | undefined
}

export interface MusterChanged {
  readonly version: number
  readonly type: "muster.changed"
  readonly organizationId: number
  readonly at: string
  readonly musterId: number
  readonly state: "started" | "updated" | "ended"
}

export interface MusterChangedDelivery {
  readonly specversion: "1.0"
  readonly id: string
  readonly source: string
  readonly type: "muster.changed"
  readonly subject: string
  readonly time: string
  readonly datacontenttype: "application/json"
  readonly timestamp: string
  readonly data: DeliveredMusterChanged
}

export interface MusterDraft {
  readonly kind: "drill" | "evacuation"
  readonly note?: string | null | undefined
}

export interface MusterMarking {
  readonly orgAuthServerIds?: ReadonlyArray<string> | null | undefined
  readonly count?: number | null | undefined
}

export interface MusterPerson {
  readonly orgAuthServerId: string
  readonly placeIds: ReadonlyArray<number>
  readonly since?: string | undefined
  readonly state: "missing" | "safe" | "left"
  readonly at?: string | undefined
}

export interface MusterSummary {
  readonly musterId: number
  readonly organizationId: number
  readonly kind: "drill" | "evacuation"
  readonly note?: string | undefined
  readonly startedAt: string
  readonly startedBy: string
  readonly endedAt?: string | undefined
  readonly counted?: number | undefined
  readonly inside: number
  readonly safe: number
  readonly left: number
  readonly missing: number
}

export interface Organization {
  readonly id: number
  readonly name: string
  readonly description?: string | undefined
  readonly image?: string | undefined
  readonly street?: string | undefined
  readonly number?: string | undefined
  readonly postCode?: string | number | undefined
  readonly city?: string | undefined
  readonly country?: string | undefined
  readonly authenticationServerURL?: string | undefined
  readonly creationDate: string
  readonly lastChangeDate: string
  readonly trackingArea: string
  readonly trackingMode: "anonymous" | "authenticated"
}

export interface OrganizationAccess {
  readonly organizationId: number
  readonly id: number
  readonly entranceTimestamp: string
  readonly exitTimestamp: string
  readonly exitToken: string
}

export interface OrganizationAuthenticatedAccess {
  readonly organizationId: number
  readonly id: number
  readonly entranceTimestamp: string
  readonly exitTimestamp: string
  readonly orgAuthServerId: string
}

export interface OrganizationAuthenticationServerInformation {
  readonly orgAuthServerId: string
  readonly name: string
  readonly surname: string
}

export interface OrganizationAuthenticationServerRequest {
  readonly organizationId: number
  readonly organizationCredentials: { readonly username: string; readonly password: string }
  readonly orgAuthServerIds: ReadonlyArray<string>
}

export interface OrganizationCapacity {
  readonly organizationId: number
  readonly capacity?: number | undefined
  readonly warnAt?: number | undefined
}

export interface OrganizationCapacityReading {
  readonly organizationId: number
  readonly inside: number
  readonly capacity?: number | undefined
  readonly warnAt?: number | undefined
  readonly level: "none" | "normal" | "warning" | "full" | "over"
}

export interface OrganizationChanged {
  readonly version: number
  readonly type: "organization.changed"
  readonly organizationId: number
  readonly at: string
  readonly changed: "updated"
}

export interface OrganizationChangedDelivery {
  readonly specversion: "1.0"
  readonly id: string
  readonly source: string
  readonly type: "organization.changed"
  readonly subject: string
  readonly time: string
  readonly datacontenttype: "application/json"
  readonly timestamp: string
  readonly data: DeliveredOrganizationChanged
}

export interface OrganizationConstraint {
  readonly organizationId: number
  readonly maxArea?: number | undefined
}

export interface OrganizationCounted {
  readonly organizationId: number
  readonly counted: number
  readonly inside: number
}

export interface OrganizationDeletionRequest {
  readonly organizationId: number
  readonly requestReason?: string | null | undefined
  readonly administratorId?: string | null | undefined
}

export interface OrganizationDraft {
  readonly name: string
  readonly description?: string | null | undefined
  readonly image?: string | null | undefined
  readonly street?: string | null | undefined
  readonly number?: string | null | undefined
  readonly postCode?: string | number | null | undefined
  readonly city?: string | null | undefined
  readonly country?: string | null | undefined
  readonly authenticationServerURL?: string | null | undefined
  readonly trackingArea: string
  readonly trackingMode: "anonymous" | "authenticated"
  readonly owner: { readonly administratorId: string; readonly mail: string }
  readonly maxArea?: number | null | undefined
}

export interface OrganizationEdit {
  readonly id?: number | null | undefined
  readonly organizationId?: number | null | undefined
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly image?: string | null | undefined
  readonly street?: string | null | undefined
  readonly number?: string | null | undefined
  readonly postCode?: string | number | null | undefined
  readonly city?: string | null | undefined
  readonly country?: string | null | undefined
  readonly authenticationServerURL?: string | null | undefined
  readonly trackingArea?: string | undefined
  readonly trackingMode?: "anonymous" | "authenticated" | undefined
}

export interface OrganizationEntrance {
  readonly movementType: 1
  readonly organizationId: number
  readonly timestamp: string
  readonly exitToken: string
  readonly orgAuthServerId?: string | undefined
}

export interface OrganizationExit {
  readonly movementType: -1
  readonly organizationId: number
  readonly timestamp: string
  readonly exitToken: string
  readonly orgAuthServerId?: string | undefined
}

export interface OrganizationMovementEntrance {
  readonly movementType: 1 | "entrance"
  readonly organizationId: number
  readonly timestamp?: string | null | undefined
  readonly orgAuthServerId?: string | null | undefined
  readonly exitToken?: string | null | undefined
  readonly leaves?: ReadonlyArray<string> | null | undefined
}

export interface OrganizationMovementExit {
  readonly movementType: -1 | "exit"
  readonly organizationId: number
  readonly timestamp?: string | null | undefined
  readonly orgAuthServerId?: string | null | undefined
  readonly exitToken: string
}

export interface OrganizationPresenceCounter {
  readonly organizationId: number
  readonly counter: number
}

export interface Permission {
  readonly administratorId: string
  readonly organizationId: number
  readonly permission: 1 | 2 | 3 | "viewer" | "manager" | "owner"
  readonly mail?: string | undefined
  readonly orgAuthServerId?: string | undefined
  readonly nominatedBy: string
}

export interface PermissionUpdate {
  readonly administratorId: string
  readonly organizationId: number
  readonly permission: 1 | 2 | 3 | "viewer" | "manager" | "owner"
  readonly mail?: string | null | undefined
  readonly orgAuthServerId?: string | null | undefined
  readonly nominatedBy?: string | null | undefined
}

export interface PersonInside {
  readonly orgAuthServerId: string
  readonly placeId?: number | undefined
  readonly since: string
}

export interface PersonalData {
  readonly subject: DataSubject
  readonly exportDate: string
  readonly accountLinks: ReadonlyArray<{
    readonly userId: string
    readonly organizationId: number
    readonly orgAuthServerId: string
  }>
  readonly favorites: ReadonlyArray<{
    readonly userId: string
    readonly organizationId: number
    readonly orgAuthServerId?: string | undefined
    readonly creationDate: string
  }>
  readonly organizationAccesses: ReadonlyArray<OrganizationAuthenticatedAccess>
  readonly placeAccesses: ReadonlyArray<PlaceAuthenticatedAccess>
  readonly openOrganizationStays: ReadonlyArray<{
    readonly organizationId: number
    readonly id: number
    readonly orgAuthServerId: string
    readonly entranceTimestamp: string
    readonly recordedTimestamp: string
  }>
  readonly openPlaceStays: ReadonlyArray<{
    readonly placeId: number
    readonly id: number
    readonly orgAuthServerId: string
    readonly entranceTimestamp: string
    readonly recordedTimestamp: string
  }>
  readonly retriedOrganizationEntrances: ReadonlyArray<{
    readonly organizationId: number
    readonly orgAuthServerId: string
    readonly entranceTimestamp: string
    readonly usedTimestamp: string
  }>
  readonly retriedPlaceEntrances: ReadonlyArray<{
    readonly placeId: number
    readonly orgAuthServerId: string
    readonly entranceTimestamp: string
    readonly usedTimestamp: string
  }>
  readonly musterEntries: ReadonlyArray<{
    readonly musterId: number
    readonly organizationId: number
    readonly orgAuthServerId: string
    readonly placeIds: ReadonlyArray<number>
    readonly since?: string | undefined
    readonly markedAt?: string | undefined
    readonly state?: "missing" | "safe" | "left" | undefined
    readonly at?: string | undefined
  }>
  readonly accounts: ReadonlyArray<{
    readonly administratorId: string
    readonly mail?: string | undefined
    readonly isInvitation?: boolean | undefined
    readonly isMailUnproved?: boolean | undefined
    readonly hasPassword: boolean
  }>
  readonly permissions: ReadonlyArray<Permission>
  readonly nominations: ReadonlyArray<{
    readonly organizationId: number
    readonly permission: 1 | 2 | 3 | "viewer" | "manager" | "owner"
  }>
  readonly deletionRequests: ReadonlyArray<{
    readonly id: number
    readonly organizationId: number
    readonly administratorId: string
    readonly requestReason?: string | undefined
    readonly status: "pending" | "approved" | "rejected"
    readonly creationDate: string
    readonly decisionDate?: string | undefined
  }>
  readonly deletionDecisions: ReadonlyArray<{
    readonly id: number
    readonly organizationId: number
    readonly status: "pending" | "approved" | "rejected"
    readonly decisionDate: string
  }>
  readonly startedMusters: ReadonlyArray<{
    readonly musterId: number
    readonly organizationId: number
    readonly kind: "drill" | "evacuation"
    readonly note?: string | undefined
    readonly startedAt: string
  }>
  readonly createdWebhooks: ReadonlyArray<{
    readonly webhookId: number
    readonly organizationId: number
    readonly creationDate: string
  }>
}

export interface Place {
  readonly id: number
  readonly organizationId: number
  readonly name: string
  readonly trackingArea: string
  readonly level?: number | undefined
  readonly parentId?: number | undefined
}

export interface PlaceAccess {
  readonly placeId: number
  readonly id: number
  readonly entranceTimestamp: string
  readonly exitTimestamp: string
  readonly exitToken: string
}

export interface PlaceAuthenticatedAccess {
  readonly placeId: number
  readonly id: number
  readonly entranceTimestamp: string
  readonly exitTimestamp: string
  readonly orgAuthServerId: string
}

export interface PlaceCapacity {
  readonly placeId: number
  readonly capacity?: number | undefined
  readonly warnAt?: number | undefined
}

export interface PlaceCapacityReading {
  readonly placeId: number
  readonly inside: number
  readonly capacity?: number | undefined
  readonly warnAt?: number | undefined
  readonly level: "none" | "normal" | "warning" | "full" | "over"
}

export interface PlaceChanged {
  readonly version: number
  readonly type: "place.changed"
  readonly organizationId: number
  readonly at: string
  readonly placeId: number
  readonly changed: "created" | "updated" | "deleted"
  readonly level?: number | undefined
  readonly parentId?: number | undefined
}

export interface PlaceChangedDelivery {
  readonly specversion: "1.0"
  readonly id: string
  readonly source: string
  readonly type: "place.changed"
  readonly subject: string
  readonly time: string
  readonly datacontenttype: "application/json"
  readonly timestamp: string
  readonly data: DeliveredPlaceChanged
}

export interface PlaceCounted {
  readonly placeId: number
  readonly counted: number
  readonly inside: number
}

export interface PlaceDraft {
  readonly organizationId: number
  readonly name?: string | null | undefined
  readonly trackingArea: string
  readonly level?: number | null | undefined
  readonly parentId?: number | null | undefined
}

export interface PlaceEdit {
  readonly id?: number | null | undefined
  readonly placeId?: number | null | undefined
  readonly organizationId?: number | null | undefined
  readonly name?: string | null | undefined
  readonly trackingArea?: string | undefined
  readonly level?: number | null | undefined
  readonly parentId?: number | null | undefined
}

export interface PlaceEntrance {
  readonly movementType: 1
  readonly placeId: number
  readonly timestamp: string
  readonly exitToken: string
  readonly orgAuthServerId?: string | undefined
}

export interface PlaceExit {
  readonly movementType: -1
  readonly placeId: number
  readonly timestamp: string
  readonly exitToken: string
  readonly orgAuthServerId?: string | undefined
}

export interface PlaceMovementEntrance {
  readonly movementType: 1 | "entrance"
  readonly placeId: number
  readonly timestamp?: string | null | undefined
  readonly orgAuthServerId?: string | null | undefined
  readonly exitToken?: string | null | undefined
  readonly leaves?: ReadonlyArray<string> | null | undefined
}

export interface PlaceMovementExit {
  readonly movementType: -1 | "exit"
  readonly placeId: number
  readonly timestamp?: string | null | undefined
  readonly orgAuthServerId?: string | null | undefined
  readonly exitToken: string
}

export interface PlacePresenceCounter {
  readonly placeId: number
  readonly counter: number
}

export interface PresenceChanged {
  readonly version: number
  readonly type: "presence.changed"
  readonly organizationId: number
  readonly at: string
  readonly placeId?: number | undefined
  readonly entered: number
  readonly left: number
  readonly inside: number
  readonly corrected?: true | undefined
}

export interface PresenceChangedDelivery {
  readonly specversion: "1.0"
  readonly id: string
  readonly source: string
  readonly type: "presence.changed"
  readonly subject: string
  readonly time: string
  readonly datacontenttype: "application/json"
  readonly timestamp: string
  readonly data: DeliveredPresenceChanged
}

export interface PresenceEnd {
  readonly reason: "expired" | "forbidden" | "rotate" | "shutdown" | "replaced"
}

export interface PresenceGone {
  readonly organizationId: number
  readonly reason: "forbidden" | "deleted"
}

export interface PresenceHistoryRow {
  readonly from: string
  readonly entered: number
  readonly left: number
  readonly least: number
  readonly most: number
  readonly average: number
  readonly averageStay?: number | undefined
}

export type PresenceMessage =
  | { readonly id?: string | null | undefined; readonly event: "snapshot"; readonly data: PresenceSnapshot }
  | { readonly id?: string | null | undefined; readonly event: "presence.changed"; readonly data: PresenceChanged }
  | { readonly id?: string | null | undefined; readonly event: "capacity.changed"; readonly data: CapacityChanged }
  | { readonly id?: string | null | undefined; readonly event: "place.changed"; readonly data: PlaceChanged }
  | {
      readonly id?: string | null | undefined
      readonly event: "organization.changed"
      readonly data: OrganizationChanged
    }
  | { readonly id?: string | null | undefined; readonly event: "muster.changed"; readonly data: MusterChanged }
  | { readonly id?: string | null | undefined; readonly event: "device.changed"; readonly data: DeviceChanged }
  | { readonly id?: string | null | undefined; readonly event: "gone"; readonly data: PresenceGone }
  | { readonly id?: string | null | undefined; readonly event: "reset"; readonly data: PresenceReset }
  | { readonly id?: string | null | undefined; readonly event: "stale"; readonly data: object }
  | { readonly id?: string | null | undefined; readonly event: "end"; readonly data: PresenceEnd }

export interface PresenceReset {
  readonly reason: "expired" | "unknown"
}

export interface PresenceSnapshot {
  readonly reason: "start" | "behind" | "reset"
  readonly organizations: ReadonlyArray<PresenceSnapshotOrganization>
}

export interface PresenceSnapshotOrganization {
  readonly organizationId: number
  readonly version: number
  readonly inside: number
  readonly entered: number
  readonly left: number
  readonly capacity?: number | undefined
  readonly level: "none" | "normal" | "warning" | "full" | "over"
  readonly places: ReadonlyArray<{
    readonly placeId: number
    readonly inside: number
    readonly entered: number
    readonly left: number
    readonly capacity?: number | undefined
    readonly level: "none" | "normal" | "warning" | "full" | "over"
  }>
}

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string | undefined
  readonly areaFault?: AreaFault | undefined
}

export interface Reading {
  readonly organization?: true | null | undefined
  readonly placeId?: number | null | undefined
  readonly epoch: string
  readonly in: number
  readonly out: number
  readonly at?: string | null | undefined
}

export interface Readings {
  readonly readings: ReadonlyArray<Reading>
}

export interface StayPolicy {
  readonly organizationId: number
  readonly longestStay?: number | undefined
  readonly retention?: number | undefined
  readonly eventGrain?: number | undefined
  readonly smallestCount?: number | undefined
  readonly countedResetAt?: string | undefined
  readonly timeZone?: string | undefined
  readonly deviceSilentAfter?: number | undefined
  readonly exclusivePlaces?: boolean | undefined
}

export interface StayPolicyChange {
  readonly longestStay?: number | null | undefined
  readonly retention?: number | null | undefined
  readonly eventGrain?: number | null | undefined
  readonly smallestCount?: number | null | undefined
  readonly countedResetAt?: string | null | undefined
  readonly timeZone?: string | null | undefined
  readonly deviceSilentAfter?: number | null | undefined
  readonly exclusivePlaces?: boolean | null | undefined
}

export interface TimePerUserReport {
  readonly placeId: number
  readonly orgAuthServerId: string
  readonly totalTime: number
}

export interface Token {
  readonly access_token: string
  readonly token_type: "Bearer"
  readonly expires_in: number
}

export interface TokenRequest {
  readonly grant_type: "password"
  readonly username: string
  readonly password: string
}

export interface TrackingAreaForm {
  readonly trackingArea: string
}

export interface Unbinding {
  readonly administratorId: string
  readonly organizationId: number
}

export interface Webhook {
  readonly webhookId: number
  readonly organizationId: number
  readonly url: string
  readonly types: ReadonlyArray<
    | "presence.changed"
    | "capacity.changed"
    | "place.changed"
    | "organization.changed"
    | "muster.changed"
    | "device.changed"
  >
  readonly state: "active" | "failing" | "disabled"
  readonly createdBy: string
  readonly lastDeliveredVersion?: number | undefined
  readonly lastFailure?: { readonly at: string; readonly reason: string } | undefined
}

export interface WebhookAttempt {
  readonly version?: number | undefined
  readonly at: string
  readonly status?: number | undefined
  readonly ms: number
  readonly failure?: string | undefined
}

export interface WebhookDraft {
  readonly url: string
  readonly types?:
    | ReadonlyArray<
        | "presence.changed"
        | "capacity.changed"
        | "place.changed"
        | "organization.changed"
        | "muster.changed"
        | "device.changed"
      >
    | null
    | undefined
}

export interface WebhookReplay {
  readonly fromVersion: number
}

export interface WebhookTestDelivery {
  readonly specversion: "1.0"
  readonly id: string
  readonly source: string
  readonly type: "webhook.test"
  readonly subject: string
  readonly time: string
  readonly datacontenttype: "application/json"
  readonly timestamp: string
  readonly data: { readonly webhookId: number; readonly organizationId: number }
}

/** Every endpoint, by group and name. */
export interface SojournClient {
  readonly organization: {
    /**
     * Read an organization. For users, and for administrators who are bound to it.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly get: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<Organization, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * List all organizations. For users. 204 when there is none.
     */
    readonly list: (
      input?: {},
      options?: CallOptions
    ) => Answer<ReadonlyArray<Organization>, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * Change an organization. For its owners. Fields that are present change, `null` clears an optional one. The area must hold all places and be no larger than the operator allows; the name must be free; `authenticated` needs an `authenticationServerURL`.
     */
    readonly edit: (
      input: { readonly body: OrganizationEdit },
      options?: CallOptions
    ) => Answer<Organization, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Ask for the deletion of an organization. For its owners. An operator decides. While a request is pending, another one changes nothing.
     */
    readonly requestDeletion: (
      input: { readonly body: OrganizationDeletionRequest },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Read the pending deletion request of an organization (extension). For its owners. 204 when there is none, or when it is decided.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly getDeletionRequest: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<DeletionRequest | undefined, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Change an organization's tracking area. For managers and owners. The area must hold all places and be no larger than the operator allows.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly editTrackingArea: (
      input: { readonly organizationId: number; readonly body: TrackingAreaForm },
      options?: CallOptions
    ) => Answer<Organization, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly administrator: {
    /**
     * Bind an administrator to an organization. For its owners. The administrator has an account, and is named by id, by mail address, or by both; one with a password by id, as the address was not proved. The level is at most your own.
     */
    readonly bind: (
      input: { readonly body: AdministratorBindingRequest },
      options?: CallOptions
    ) => Answer<Permission, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Create an administrator and bind it. For its owners. A new account with a password signs in with the own issuer, under an id that the service makes: beside an administratorId the password is discarded. One with a mail address alone is an invitation.
     */
    readonly create: (
      input: { readonly body: AdministratorCreationRequest },
      options?: CallOptions
    ) => Answer<Permission, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * List an organization's administrators. For its owners.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly list: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<ReadonlyArray<Permission>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * List the caller's own permissions. For that administrator alone. 204 when there are none.
     * @param input.administratorId The caller's own id.
     */
    readonly permissions: (
      input: { readonly administratorId: string },
      options?: CallOptions
    ) => Answer<ReadonlyArray<Permission>, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * Unbind an administrator. For owners of the organization. The last owner stays.
     */
    readonly unbind: (
      input: { readonly body: Unbinding },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Change the level of a permission. For owners of the organization. What else is sent must be as it is recorded. The last owner stays an owner.
     */
    readonly changeLevel: (
      input: { readonly body: PermissionUpdate },
      options?: CallOptions
    ) => Answer<Permission, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly access: {
    /**
     * List an organization's accesses by exit tokens. For users: reads the stays whose exit tokens the caller sends. Tokens that name no completed stay here are left out. By entrance, then by id.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     * @param input.exitTokens Exit tokens, separated by commas, 100 at most.
     */
    readonly organizationAnonymous: (
      input: { readonly organizationId: number; readonly exitTokens: ReadonlyArray<string> },
      options?: CallOptions
    ) => Answer<ReadonlyArray<OrganizationAccess>, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * List a place's accesses by exit tokens. For users: reads the stays whose exit tokens the caller sends. Tokens that name no completed stay here are left out. By entrance, then by id.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     * @param input.exitTokens Exit tokens, separated by commas, 100 at most.
     */
    readonly placeAnonymous: (
      input: { readonly placeId: number; readonly exitTokens: ReadonlyArray<string> },
      options?: CallOptions
    ) => Answer<ReadonlyArray<PlaceAccess>, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * List an organization's accesses by people. For users, of the person whom they are linked to; for administrators who are bound, of any person. By entrance, then by id.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     * @param input.orgAuthServerIds People's ids on the organization's authentication server, separated by commas, 100 at most.
     */
    readonly organizationAuthenticated: (
      input: { readonly organizationId: number; readonly orgAuthServerIds: ReadonlyArray<string> },
      options?: CallOptions
    ) => Answer<ReadonlyArray<OrganizationAuthenticatedAccess>, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * List a place's accesses by people. For users, of the person whom they are linked to; for administrators who are bound, of any person. By entrance, then by id.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     * @param input.orgAuthServerIds People's ids on the organization's authentication server, separated by commas, 100 at most.
     */
    readonly placeAuthenticated: (
      input: { readonly placeId: number; readonly orgAuthServerIds: ReadonlyArray<string> },
      options?: CallOptions
    ) => Answer<ReadonlyArray<PlaceAuthenticatedAccess>, 400 | 401 | 403 | 413 | 415 | 429 | 503>
  }
  readonly place: {
    /**
     * Create a place. For managers and owners. The area lies inside the organization's and the parent's, and shares no more than a border with other places of its level that are neither parts of it nor it of them.
     */
    readonly create: (
      input: { readonly body: PlaceDraft },
      options?: CallOptions
    ) => Answer<Place, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * Change a place. For managers and owners. Fields that are present change; a `null` name gives back the name by id, and a `null` level or parent clears it. A place never moves to another organization.
     */
    readonly edit: (
      input: { readonly body: PlaceEdit },
      options?: CallOptions
    ) => Answer<Place, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Remove a place. For managers and owners. The stays of those inside end with it. 409 while other places are parts of it.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     */
    readonly remove: (
      input: { readonly placeId: number },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503>
    /**
     * List an organization's places. For users, and for administrators who are bound. With `level`, the places on that floor alone. 204 when there is none.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     * @param input.level The floor: an integer from -100 to 300; left out: 0.
     */
    readonly list: (
      input: { readonly organizationId: number; readonly level?: number | undefined },
      options?: CallOptions
    ) => Answer<ReadonlyArray<Place>, 400 | 401 | 403 | 413 | 415 | 429 | 503>
  }
  readonly favorite: {
    /**
     * Add a favorite. For users. In an authenticated organization the user is linked.
     */
    readonly add: (
      input: { readonly body: FavoriteDraft },
      options?: CallOptions
    ) => Answer<Favorite, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * List favorite organizations. For that user alone. 204 when there is none.
     * @param input.userId The caller's own id.
     */
    readonly list: (
      input: { readonly userId: string },
      options?: CallOptions
    ) => Answer<ReadonlyArray<Organization>, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * Remove a favorite. For users.
     */
    readonly remove: (
      input: { readonly body: FavoriteDraft },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly movement: {
    /**
     * Enter or leave an organization. For users. An entrance answers 201 with the token that its exit needs; an exit answers 202. The same exit sent again is accepted again.
     * @param input.idempotencyKey An entrance that the same user repeats with it within 24 hours opens no second stay.
     */
    readonly trackOrganization: (
      input: {
        readonly idempotencyKey?: string | undefined
        readonly body: OrganizationMovementEntrance | OrganizationMovementExit
      },
      options?: CallOptions
    ) => Answer<OrganizationEntrance | OrganizationExit, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * Enter or leave a place. For users. An entrance answers 201 with the token that its exit needs; an exit answers 202. The same exit sent again is accepted again.
     * @param input.idempotencyKey An entrance that the same user repeats with it within 24 hours opens no second stay.
     */
    readonly trackPlace: (
      input: { readonly idempotencyKey?: string | undefined; readonly body: PlaceMovementEntrance | PlaceMovementExit },
      options?: CallOptions
    ) => Answer<PlaceEntrance | PlaceExit, 400 | 401 | 403 | 413 | 415 | 429 | 503>
  }
  readonly presence: {
    /**
     * Count the people inside an organization. For administrators of any level: the number of open stays now; in an anonymous organization with a publishing interval as of the last event.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly organizationCounter: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<OrganizationPresenceCounter, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Count the people inside a place. For administrators of any level: the number of open stays now; in an anonymous organization with a publishing interval as of the last event.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     */
    readonly placeCounter: (
      input: { readonly placeId: number },
      options?: CallOptions
    ) => Answer<PlacePresenceCounter, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly stream: {
    /**
     * Follow how many people are inside. For administrators of any level in each of the organizations, 20 at most: server-sent events. A `snapshot` comes first, then each event of the organizations' feeds, without a gap. `Last-Event-ID` or `lastEventId` goes on after the message with this id.
     * @param input.lastEventId The id of a message, to go on after it: for clients that cannot send the header.
     * @param input.organizations Ids of organizations, separated by commas, 20 at most. One that was never issued is 404.
     */
    readonly presence: (
      input: { readonly lastEventId?: string | undefined; readonly organizations: ReadonlyArray<number> },
      options?: CallOptions
    ) => AsyncGenerator<PresenceMessage, void, void>
  }
  readonly capacity: {
    /**
     * Set the capacity of an organization. For managers. `null` lifts the capacity; `warnAt` is the part of it from which a warning is given, 0.8 when left out. No entrance is refused for it.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly setOrganizationCapacity: (
      input: { readonly organizationId: number; readonly body: CapacityChange },
      options?: CallOptions
    ) => Answer<OrganizationCapacity, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Read the capacity of an organization, and how full it is. For administrators of any level: the capacity, the number of people inside now (with a publishing interval: as of the last event), and the level: `none` without a capacity, else `normal`, `warning`, `full` or `over`.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly organizationCapacity: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<OrganizationCapacityReading, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Set the capacity of a place. For managers. `null` lifts the capacity; `warnAt` is the part of it from which a warning is given, 0.8 when left out. No entrance is refused for it.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     */
    readonly setPlaceCapacity: (
      input: { readonly placeId: number; readonly body: CapacityChange },
      options?: CallOptions
    ) => Answer<PlaceCapacity, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Read the capacity of a place, and how full it is. For administrators of any level: the capacity, the number of people inside now (with a publishing interval: as of the last event), and the level: `none` without a capacity, else `normal`, `warning`, `full` or `over`.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     */
    readonly placeCapacity: (
      input: { readonly placeId: number },
      options?: CallOptions
    ) => Answer<PlaceCapacityReading, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly authenticationserver: {
    /**
     * Ask an organization's authentication server for names. For administrators of any level, with credentials of their own on that server. `["*"]` asks for everyone whom these may see, 1,000 at most.
     */
    readonly userInformation: (
      input: { readonly body: OrganizationAuthenticationServerRequest },
      options?: CallOptions
    ) => Answer<
      ReadonlyArray<OrganizationAuthenticationServerInformation>,
      400 | 401 | 403 | 404 | 413 | 415 | 429 | 502 | 503 | 504
    >
  }
  readonly report: {
    /**
     * Report the total time per person inside a place. For administrators of any level: whole seconds over closed stays of people. 204 when there is none.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     */
    readonly timePerUser: (
      input: { readonly placeId: number },
      options?: CallOptions
    ) => Answer<ReadonlyArray<TimePerUserReport>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly history: {
    /**
     * Read the history of an organization's presence. For administrators of any level: a row for each minute, hour or day in UTC since the feed began, for at most 1,500 steps. `from` is rounded down and `to` up. `entered`, `left`, `least`, `most` and the time-weighted `average` of people inside go by when the service recorded a movement. `averageStay`, in seconds, is of the stays whose exit was recorded in the step, by the stays' own times; of anonymous organizations it is rounded to whole minutes, and left out of steps that are not over or have fewer exits than `smallestCount` of the policy, 5 by default. 204 when there is none.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     * @param input.from The beginning of the history, RFC 3339; rounded down to a whole step.
     * @param input.to The end of the history, RFC 3339, after `from`; rounded up to a whole step.
     * @param input.step How long each row is about, in UTC.
     */
    readonly organizationHistory: (
      input: {
        readonly organizationId: number
        readonly from: string
        readonly to: string
        readonly step: "minute" | "hour" | "day"
      },
      options?: CallOptions
    ) => Answer<ReadonlyArray<PresenceHistoryRow>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Read the history of a place's presence. For administrators of any level: a row for each minute, hour or day in UTC since the feed began, for at most 1,500 steps. `from` is rounded down and `to` up. `entered`, `left`, `least`, `most` and the time-weighted `average` of people inside go by when the service recorded a movement. `averageStay`, in seconds, is of the stays whose exit was recorded in the step, by the stays' own times; of anonymous organizations it is rounded to whole minutes, and left out of steps that are not over or have fewer exits than `smallestCount` of the policy, 5 by default. 204 when there is none.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     * @param input.from The beginning of the history, RFC 3339; rounded down to a whole step.
     * @param input.to The end of the history, RFC 3339, after `from`; rounded up to a whole step.
     * @param input.step How long each row is about, in UTC.
     */
    readonly placeHistory: (
      input: {
        readonly placeId: number
        readonly from: string
        readonly to: string
        readonly step: "minute" | "hour" | "day"
      },
      options?: CallOptions
    ) => Answer<ReadonlyArray<PresenceHistoryRow>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly floorplan: {
    /**
     * Remove the plan of a floor. For managers.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     * @param input.level The floor: an integer from -100 to 300; left out: 0.
     */
    readonly remove: (
      input: { readonly organizationId: number; readonly level?: number | undefined },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * List the floor plans of an organization. For administrators of any level: the plans without their images, the lowest floor first. 204 when there is none.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly list: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<ReadonlyArray<FloorPlan>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly device: {
    /**
     * Make a device. For managers and owners. The device may send readings of these premises, and do nothing else. Its token is answered this once. 409 when the organization has 500 devices.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly create: (
      input: { readonly organizationId: number; readonly body: DeviceDraft },
      options?: CallOptions
    ) => Answer<CreatedDevice, 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503>
    /**
     * List the devices of an organization. For administrators of any level, in the order of creation, without tokens. `drift` is how many more people a device counted out than were counted inside. 204 when there is none.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly list: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<ReadonlyArray<Device>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Give a device another token. For managers and owners. The token is answered this once. The former one is valid for 60 seconds more, and the one before it no longer.
     * @param input.deviceId The device's id: digits. One that was never issued is 404.
     */
    readonly rotate: (
      input: { readonly deviceId: number },
      options?: CallOptions
    ) => Answer<CreatedDevice, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Remove a device. For managers and owners. What the device counted stays counted.
     * @param input.deviceId The device's id: digits. One that was never issued is 404.
     */
    readonly remove: (
      input: { readonly deviceId: number },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Send readings. For devices. `in` and `out` are totals since the `epoch` began: a reading counts by how much they are above the highest ones, so that one that is sent again changes nothing. All readings are counted, or none. `accepted` is how many changed anything. 403 for premises of which the device was not made, 400 for a total that grew by more than 10,000.
     */
    readonly count: (
      input: { readonly body: Readings },
      options?: CallOptions
    ) => Answer<AcceptedReadings, 400 | 401 | 403 | 413 | 415 | 429 | 503>
  }
  readonly counted: {
    /**
     * Correct how many people are counted in an organization. For managers and owners. Sets the number of people whom devices count inside. The difference is published as a `presence.changed` that is `corrected`.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly correctOrganization: (
      input: { readonly organizationId: number; readonly body: CountedCorrection },
      options?: CallOptions
    ) => Answer<OrganizationCounted, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Read how many people are counted in an organization. For administrators of any level. `inside` is the sum of the open stays and of the people counted.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly organization: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<OrganizationCounted, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Correct how many people are counted in a place. For managers and owners. Sets the number of people whom devices count inside. The difference is published as a `presence.changed` that is `corrected`.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     */
    readonly correctPlace: (
      input: { readonly placeId: number; readonly body: CountedCorrection },
      options?: CallOptions
    ) => Answer<PlaceCounted, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Read how many people are counted in a place. For administrators of any level. `inside` is the sum of the open stays and of the people counted.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     */
    readonly place: (
      input: { readonly placeId: number },
      options?: CallOptions
    ) => Answer<PlaceCounted, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly muster: {
    /**
     * List who is inside an organization or a place of it. For administrators of any level, in authenticated organizations; 400 in others. By person, since the entrance of their stay. 204 when there is none.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly insideOrganization: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<ReadonlyArray<PersonInside>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * List who is inside a place. For administrators of any level, in authenticated organizations; 400 in others. By person, since the entrance of their stay. 204 when there is none.
     * @param input.placeId The place's id: digits. One that was never issued is 404.
     */
    readonly insidePlace: (
      input: { readonly placeId: number },
      options?: CallOptions
    ) => Answer<ReadonlyArray<PersonInside>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Start a muster. For managers: of the people who are inside at one moment. 409 while a muster of the organization is open.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly startMuster: (
      input: { readonly organizationId: number; readonly body: MusterDraft },
      options?: CallOptions
    ) => Answer<Muster, 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503>
    /**
     * List the musters of an organization. For administrators of any level: without their people, the newest first. 204 when there is none.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly listMusters: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<ReadonlyArray<MusterSummary>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Read a muster. For administrators of any level. With `Accept: text/csv` the people as CSV (RFC 4180); a text that a spreadsheet would take for a formula is preceded by `'`. An anonymous muster has numbers alone.
     * @param input.musterId The muster's id: digits. One that was never issued is 404.
     */
    readonly readMuster: (
      input: { readonly musterId: number },
      options?: CallOptions
    ) => Answer<Muster, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Read a muster. For administrators of any level. With `Accept: text/csv` the people as CSV (RFC 4180); a text that a spreadsheet would take for a formula is preceded by `'`. An anonymous muster has numbers alone.
     * @param input.musterId The muster's id: digits. One that was never issued is 404.
     */
    readonly readMusterCsv: (
      input: { readonly musterId: number },
      options?: CallOptions
    ) => Answer<string, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Mark people as safe. For administrators of any level: `orgAuthServerIds`, 1,000 at most; in an anonymous muster `count`, how many people are at the muster point in all. Adds people who were not known to be inside: at most as many as were inside, or 1,000. 409 above, which marks no person, and after the end.
     * @param input.musterId The muster's id: digits. One that was never issued is 404.
     */
    readonly markSafe: (
      input: { readonly musterId: number; readonly body: MusterMarking },
      options?: CallOptions
    ) => Answer<Muster, 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503>
    /**
     * End a muster. For managers. It stays as it is in that moment; a muster that has ended is answered unchanged.
     * @param input.musterId The muster's id: digits. One that was never issued is 404.
     */
    readonly endMuster: (
      input: { readonly musterId: number },
      options?: CallOptions
    ) => Answer<Muster, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly operator: {
    /**
     * Create an organization with its first owner. For operators. The owner's account is registered if there is none.
     */
    readonly createOrganization: (
      input: { readonly body: OrganizationDraft },
      options?: CallOptions
    ) => Answer<Organization, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * Read an organization as an operator. For operators, who see its name before they decide about it.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly readOrganization: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<Organization, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Set the largest area of an organization. For operators, in square metres; `null` lifts it.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly constrainOrganization: (
      input: { readonly organizationId: number; readonly body: AreaConstraint },
      options?: CallOptions
    ) => Answer<OrganizationConstraint, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Read the stay policy of an organization. For operators, in seconds; what is left out has no bound.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly readStayPolicy: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<StayPolicy, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Change the stay policy of an organization. For operators, in seconds. `null` lifts a bound, and what is left out stays; one of them is there. Stays that are open for longer are abandoned, and accesses whose exit lies further back are forgotten: both for good. Events of some premises are at least `eventGrain` seconds apart. From 2 seconds on it is the publishing interval of an anonymous organization: its events of presence and capacity come at multiples of it since the Unix epoch, and counters, capacities, histories, snapshots and musters answer what the last event said. Steps of an anonymous organization's history with fewer exits than `smallestCount` have no average stay, nor has the running step: 5 by default, and 1 lifts both.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly changeStayPolicy: (
      input: { readonly organizationId: number; readonly body: StayPolicyChange },
      options?: CallOptions
    ) => Answer<StayPolicy, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Register an administrator's account. For operators.
     */
    readonly registerAdministrator: (
      input: { readonly body: AdministratorAccount },
      options?: CallOptions
    ) => Answer<AdministratorAccount, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * List deletion requests. For operators, oldest first; of one status, or all. 204 when there is none.
     * @param input.status Of this status alone; left out: of any.
     */
    readonly listDeletionRequests: (
      input?: { readonly status?: "pending" | "approved" | "rejected" | undefined },
      options?: CallOptions
    ) => Answer<ReadonlyArray<DeletionRequest>, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * Approve a deletion request. For operators. The organization ends with everything that belongs to it.
     * @param input.id The deletion request's id: digits.
     */
    readonly approveDeletionRequest: (
      input: { readonly id: number },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503>
    /**
     * Reject a deletion request. For operators. The organization stays as it is.
     * @param input.id The deletion request's id: digits.
     */
    readonly rejectDeletionRequest: (
      input: { readonly id: number },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503>
  }
  readonly personaldata: {
    /**
     * Export what is stored about a person. For operators. Name a user, a person of an organization, an administrator by id or by mail address, or an operator. Lists are empty of what is not stored. Exit tokens and passwords are not in it.
     */
    readonly export: (
      input: { readonly body: DataSubject },
      options?: CallOptions
    ) => Answer<PersonalData, 400 | 401 | 403 | 413 | 415 | 429 | 503>
    /**
     * Erase what is stored about a person. For operators. Answers how much was removed: nothing, when it is asked again. A user is erased with the people that they are linked to. 409: the administrator is an organization's only owner.
     */
    readonly erase: (
      input: { readonly body: DataSubject },
      options?: CallOptions
    ) => Answer<Erased, 400 | 401 | 403 | 409 | 413 | 415 | 429 | 503>
    /**
     * List what erasures took from an organization's totals. For operators: one entry for each day on which stays were erased, all people together. 204 when there is none.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly erasures: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<ReadonlyArray<Erasure>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly accountlink: {
    /**
     * Link the caller's account. For users: they prove an account on the organization's authentication server, and are that person from then on.
     */
    readonly link: (
      input: { readonly body: LinkRequest },
      options?: CallOptions
    ) => Answer<AccountLink, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 502 | 503 | 504>
    /**
     * Unlink the caller's account. For users.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly unlink: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly authentication: {
    /**
     * Sign in with a password. For administrators whose account has a password. After 5 failed attempts of a network for a username the next ones are delayed.
     */
    readonly token: (
      input: { readonly body: TokenRequest },
      options?: CallOptions
    ) => Answer<Token, 400 | 404 | 413 | 415 | 429 | 503>
    /**
     * Read whom the token proves. For administrators: the caller's id, which is not the token's `sub` with every issuer, and the mail address that the token proves.
     */
    readonly administrator: (
      input?: {},
      options?: CallOptions
    ) => Answer<Administrator, 400 | 401 | 403 | 413 | 415 | 429 | 503>
  }
  readonly webhook: {
    /**
     * Create a webhook. For owners. Events that are recorded from now on are sent to the `https` URL, as Standard Webhooks 1.0.0 says; `types` left out: all but `presence.changed`. The secret that verifies them is answered this once. 409 when the organization has 10 webhooks.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly create: (
      input: { readonly organizationId: number; readonly body: WebhookDraft },
      options?: CallOptions
    ) => Answer<CreatedWebhook, 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503>
    /**
     * List the webhooks of an organization. For owners, in the order of creation, without secrets. 204 when there is none.
     * @param input.organizationId The organization's id: digits. One that was never issued is 404.
     */
    readonly list: (
      input: { readonly organizationId: number },
      options?: CallOptions
    ) => Answer<ReadonlyArray<Webhook>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Delete a webhook. For owners.
     * @param input.webhookId The webhook's id: digits. One that was never issued is 404.
     */
    readonly remove: (
      input: { readonly webhookId: number },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Enable a webhook. For owners. A webhook that is disabled or failing goes on at once, after the event that was delivered last. One that was disabled is the caller's from then on (`createdBy`).
     * @param input.webhookId The webhook's id: digits. One that was never issued is 404.
     */
    readonly enable: (
      input: { readonly webhookId: number },
      options?: CallOptions
    ) => Answer<Webhook, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Give a webhook a new secret. For owners. The new secret is answered this once. For 24 hours deliveries carry two signatures, of the new secret and of the one before it; a third secret ends the oldest at once.
     * @param input.webhookId The webhook's id: digits. One that was never issued is 404.
     */
    readonly renewSecret: (
      input: { readonly webhookId: number },
      options?: CallOptions
    ) => Answer<CreatedWebhook, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Deliver events again. For owners. Delivers the events from `fromVersion` on, again where they were delivered before. A failing webhook does so at its next attempt, a disabled one once it is enabled. 400 for a version before the oldest event that is kept, or after the newest one.
     * @param input.webhookId The webhook's id: digits. One that was never issued is 404.
     */
    readonly replay: (
      input: { readonly webhookId: number; readonly body: WebhookReplay },
      options?: CallOptions
    ) => Answer<Webhook, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * Test a webhook. For owners. Within about two seconds a delivery of the type `webhook.test` is sent, once and whatever the webhook's state, which it does not change: it is no event. Its outcome is among the attempts. 429 while the test before was not sent yet.
     * @param input.webhookId The webhook's id: digits. One that was never issued is 404.
     */
    readonly test: (
      input: { readonly webhookId: number },
      options?: CallOptions
    ) => Answer<undefined, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
    /**
     * List the last attempts of a webhook. For owners. The last 50 attempts to send a delivery, newest first; one without `version` was a test. 204 when there is none.
     * @param input.webhookId The webhook's id: digits. One that was never issued is 404.
     */
    readonly attempts: (
      input: { readonly webhookId: number },
      options?: CallOptions
    ) => Answer<ReadonlyArray<WebhookAttempt>, 400 | 401 | 403 | 404 | 413 | 415 | 429 | 503>
  }
  readonly health: {
    /**
     * Does the server live? Without authentication: 200 as long as the process answers.
     */
    readonly live: (input?: {}, options?: CallOptions) => Answer<Health, never>
    /**
     * Is the server ready? Without authentication: 503 while the database is away, and when the server ends.
     */
    readonly ready: (input?: {}, options?: CallOptions) => Answer<Health, 503>
  }
}

/** Method, path, declared refusals; whether a form is sent or a list answered; the type of the answer where it is not JSON. */
export const ENDPOINTS = {
  organization: {
    get: ["GET", "/organization/{organizationId}", "400 401 403 404 413 415 429 503"],
    list: ["GET", "/organization", "400 401 403 413 415 429 503", "list"],
    edit: ["PUT", "/organization", "400 401 403 404 413 415 429 503"],
    requestDeletion: ["POST", "/organization/requestdeletion", "400 401 403 404 413 415 429 503"],
    getDeletionRequest: ["GET", "/organization/{organizationId}/deletionrequest", "400 401 403 404 413 415 429 503"],
    editTrackingArea: [
      "PATCH",
      "/organization/{organizationId}/trackingArea",
      "400 401 403 404 413 415 429 503",
      "form"
    ]
  },
  administrator: {
    bind: ["POST", "/administrator/bindadministrator", "400 401 403 404 413 415 429 503"],
    create: ["POST", "/administrator/createadministrator", "400 401 403 404 413 415 429 503"],
    list: ["GET", "/administrator/organization/{organizationId}", "400 401 403 404 413 415 429 503", "list"],
    permissions: ["GET", "/administrator/permission/{administratorId}", "400 401 403 413 415 429 503", "list"],
    unbind: ["POST", "/administrator/unbindadministrator", "400 401 403 404 413 415 429 503"],
    changeLevel: ["PATCH", "/administrator/updatepermission", "400 401 403 404 413 415 429 503"]
  },
  access: {
    organizationAnonymous: [
      "GET",
      "/access/organization/{organizationId}/anonymous/{exitTokens}",
      "400 401 403 413 415 429 503",
      "list"
    ],
    placeAnonymous: ["GET", "/access/place/{placeId}/anonymous/{exitTokens}", "400 401 403 413 415 429 503", "list"],
    organizationAuthenticated: [
      "GET",
      "/access/organization/{organizationId}/authenticated/{orgAuthServerIds}",
      "400 401 403 413 415 429 503",
      "list"
    ],
    placeAuthenticated: [
      "GET",
      "/access/place/{placeId}/authenticated/{orgAuthServerIds}",
      "400 401 403 413 415 429 503",
      "list"
    ]
  },
  place: {
    create: ["POST", "/place", "400 401 403 413 415 429 503"],
    edit: ["PUT", "/place", "400 401 403 404 413 415 429 503"],
    remove: ["DELETE", "/place/{placeId}", "400 401 403 404 409 413 415 429 503"],
    list: ["GET", "/place/organization/{organizationId}", "400 401 403 413 415 429 503", "list"]
  },
  favorite: {
    add: ["POST", "/favorite/addfavorite", "400 401 403 404 413 415 429 503"],
    list: ["GET", "/favorite/{userId}", "400 401 403 413 415 429 503", "list"],
    remove: ["POST", "/favorite/removefavorite", "400 401 403 404 413 415 429 503"]
  },
  movement: {
    trackOrganization: ["POST", "/movement/track/organization", "400 401 403 413 415 429 503"],
    trackPlace: ["POST", "/movement/track/place", "400 401 403 413 415 429 503"]
  },
  presence: {
    organizationCounter: ["GET", "/presence/organization/{organizationId}/counter", "400 401 403 404 413 415 429 503"],
    placeCounter: ["GET", "/presence/place/{placeId}/counter", "400 401 403 404 413 415 429 503"]
  },
  stream: {
    presence: ["GET", "/presence/stream", "400 401 403 404 413 415 429 503", "", "text/event-stream"]
  },
  capacity: {
    setOrganizationCapacity: ["PUT", "/capacity/organization/{organizationId}", "400 401 403 404 413 415 429 503"],
    organizationCapacity: ["GET", "/capacity/organization/{organizationId}", "400 401 403 404 413 415 429 503"],
    setPlaceCapacity: ["PUT", "/capacity/place/{placeId}", "400 401 403 404 413 415 429 503"],
    placeCapacity: ["GET", "/capacity/place/{placeId}", "400 401 403 404 413 415 429 503"]
  },
  authenticationserver: {
    userInformation: [
      "POST",
      "/authenticationserver/userinformation",
      "400 401 403 404 413 415 429 502 503 504",
      "list"
    ]
  },
  report: {
    timePerUser: ["GET", "/report/place/{placeId}", "400 401 403 404 413 415 429 503", "list"]
  },
  history: {
    organizationHistory: [
      "GET",
      "/presence/organization/{organizationId}/history",
      "400 401 403 404 413 415 429 503",
      "list"
    ],
    placeHistory: ["GET", "/presence/place/{placeId}/history", "400 401 403 404 413 415 429 503", "list"]
  },
  floorplan: {
    remove: ["DELETE", "/floorplan/organization/{organizationId}", "400 401 403 404 413 415 429 503"],
    list: ["GET", "/floorplans/organization/{organizationId}", "400 401 403 404 413 415 429 503", "list"]
  },
  device: {
    create: ["POST", "/device/organization/{organizationId}", "400 401 403 404 409 413 415 429 503"],
    list: ["GET", "/device/organization/{organizationId}", "400 401 403 404 413 415 429 503", "list"],
    rotate: ["POST", "/device/{deviceId}/token", "400 401 403 404 413 415 429 503"],
    remove: ["DELETE", "/device/{deviceId}", "400 401 403 404 413 415 429 503"],
    count: ["POST", "/device/count", "400 401 403 413 415 429 503"]
  },
  counted: {
    correctOrganization: ["PUT", "/presence/organization/{organizationId}/counted", "400 401 403 404 413 415 429 503"],
    organization: ["GET", "/presence/organization/{organizationId}/counted", "400 401 403 404 413 415 429 503"],
    correctPlace: ["PUT", "/presence/place/{placeId}/counted", "400 401 403 404 413 415 429 503"],
    place: ["GET", "/presence/place/{placeId}/counted", "400 401 403 404 413 415 429 503"]
  },
  muster: {
    insideOrganization: [
      "GET",
      "/presence/organization/{organizationId}/inside",
      "400 401 403 404 413 415 429 503",
      "list"
    ],
    insidePlace: ["GET", "/presence/place/{placeId}/inside", "400 401 403 404 413 415 429 503", "list"],
    startMuster: ["POST", "/muster/organization/{organizationId}", "400 401 403 404 409 413 415 429 503"],
    listMusters: ["GET", "/muster/organization/{organizationId}", "400 401 403 404 413 415 429 503", "list"],
    readMuster: ["GET", "/muster/{musterId}", "400 401 403 404 413 415 429 503"],
    readMusterCsv: ["GET", "/muster/{musterId}", "400 401 403 404 413 415 429 503", "", "text/csv"],
    markSafe: ["POST", "/muster/{musterId}/safe", "400 401 403 404 409 413 415 429 503"],
    endMuster: ["POST", "/muster/{musterId}/end", "400 401 403 404 413 415 429 503"]
  },
  operator: {
    createOrganization: ["POST", "/operator/organization", "400 401 403 413 415 429 503"],
    readOrganization: ["GET", "/operator/organization/{organizationId}", "400 401 403 404 413 415 429 503"],
    constrainOrganization: [
      "PUT",
      "/operator/organization/{organizationId}/constraint",
      "400 401 403 404 413 415 429 503"
    ],
    readStayPolicy: ["GET", "/operator/organization/{organizationId}/policy", "400 401 403 404 413 415 429 503"],
    changeStayPolicy: ["PUT", "/operator/organization/{organizationId}/policy", "400 401 403 404 413 415 429 503"],
    registerAdministrator: ["POST", "/operator/administrator", "400 401 403 413 415 429 503"],
    listDeletionRequests: ["GET", "/operator/deletionrequest", "400 401 403 413 415 429 503", "list"],
    approveDeletionRequest: ["POST", "/operator/deletionrequest/{id}/approve", "400 401 403 404 409 413 415 429 503"],
    rejectDeletionRequest: ["POST", "/operator/deletionrequest/{id}/reject", "400 401 403 404 409 413 415 429 503"]
  },
  personaldata: {
    export: ["POST", "/operator/personaldata/export", "400 401 403 413 415 429 503"],
    erase: ["POST", "/operator/personaldata/erase", "400 401 403 409 413 415 429 503"],
    erasures: ["GET", "/operator/organization/{organizationId}/erasure", "400 401 403 404 413 415 429 503", "list"]
  },
  accountlink: {
    link: ["POST", "/authenticationserver/link", "400 401 403 404 413 415 429 502 503 504"],
    unlink: ["DELETE", "/authenticationserver/link/{organizationId}", "400 401 403 404 413 415 429 503"]
  },
  authentication: {
    token: ["POST", "/authentication/token", "400 404 413 415 429 503", "form"],
    administrator: ["GET", "/authentication/administrator", "400 401 403 413 415 429 503"]
  },
  webhook: {
    create: ["POST", "/webhook/organization/{organizationId}", "400 401 403 404 409 413 415 429 503"],
    list: ["GET", "/webhook/organization/{organizationId}", "400 401 403 404 413 415 429 503", "list"],
    remove: ["DELETE", "/webhook/{webhookId}", "400 401 403 404 413 415 429 503"],
    enable: ["POST", "/webhook/{webhookId}/enable", "400 401 403 404 413 415 429 503"],
    renewSecret: ["POST", "/webhook/{webhookId}/secret", "400 401 403 404 413 415 429 503"],
    replay: ["POST", "/webhook/{webhookId}/replay", "400 401 403 404 413 415 429 503"],
    test: ["POST", "/webhook/{webhookId}/test", "400 401 403 404 413 415 429 503"],
    attempts: ["GET", "/webhook/{webhookId}/attempts", "400 401 403 404 413 415 429 503", "list"]
  },
  health: {
    live: ["GET", "/health/live", ""],
    ready: ["GET", "/health/ready", "503"]
  }
} as const
