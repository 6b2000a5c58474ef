import { PROBLEM_URIS } from "./problems.ts"

const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'
const timestamp = "2026-05-04T09:30:00.000Z"
const exitToken = "AQAAAAAAAAABAAAAAAAAACo4mkXjQvJ0bq3Zs1tXvYhFJ2dL5pWcRgNe"

const organization = {
  id: 1,
  name: "Museum",
  city: "Padova",
  creationDate: timestamp,
  lastChangeDate: timestamp,
  trackingArea,
  trackingMode: "anonymous"
}

const stay = { id: 5, entranceTimestamp: timestamp, exitTimestamp: "2026-05-04T10:15:00.000Z" }

const event = { version: 118, organizationId: 1, at: timestamp }
const counts = { inside: 212, entered: 1_204, left: 992, capacity: 250, level: "warning" }
const presenceChanged = { ...event, type: "presence.changed", placeId: 7, entered: 2, left: 1, inside: 40 }
const capacityChanged = { ...event, type: "capacity.changed", level: "full", inside: 250, capacity: 250 }
const placeChanged = { ...event, type: "place.changed", placeId: 7, changed: "updated" }
const organizationChanged = { ...event, type: "organization.changed", changed: "updated" }
const deviceChanged = { ...event, type: "device.changed", deviceId: 6, state: "silent" }
const musterChanged = { ...event, type: "muster.changed", musterId: 3, state: "started" }
const snapshotOrganization = {
  organizationId: 1,
  version: 118,
  ...counts,
  places: [{ placeId: 7, inside: 40, entered: 320, left: 280, level: "none" }]
}
const snapshot = { reason: "start", organizations: [snapshotOrganization] }

/** The delivery of an event to a webhook. */
const delivery = (type: string, subject: string, data: object) => ({
  specversion: "1.0",
  id: "msg_kSb2WQIHr4RrRkYT1VPDQZ2G",
  source: "/organization/1",
  type,
  subject,
  time: timestamp,
  datacontenttype: "application/json",
  timestamp,
  data
})

/** A manager renamed a place. */
const auditEntry = {
  id: 41,
  at: timestamp,
  organizationId: 1,
  placeId: 7,
  actor: { kind: "administrator", id: "ada" },
  action: "place.update",
  target: { kind: "place", id: "7" },
  changes: { name: { from: "Hall", to: "Foyer" } },
  requestId: "0f8fad5b-d9cb-469f-a165-70867728950e"
}

const accountLink = { userId: "tim", organizationId: 1, orgAuthServerId: "tim" }
const dataSubject = { organizationId: 1, orgAuthServerId: "tim" }
const organizationAccess = { organizationId: 1, ...stay, orgAuthServerId: "tim" }
/** Where the next part of a list goes on. */
const position = "AAABm2lJ_AAAAAAAAAAAB1yk4B0uJ7lIh3wGf0mJYZKx0pQnM5dV2oTtEaRc8uLw"
const placeAccess = { placeId: 7, ...stay, orgAuthServerId: "tim" }
const device = {
  deviceId: 6,
  organizationId: 1,
  name: "Main door",
  premises: [{ organization: true }, { placeId: 7 }],
  creationDate: timestamp
}
const createdDevice = { ...device, token: "sjd_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwqEhvY1dXk3A" }
const areaFault = {
  kind: "BordersCross",
  rule: "PlacesOverlap",
  placeId: 7,
  marks: [
    { area: "place", at: [0, 0, 0], to: [0, 0, 1] },
    { area: "sent", at: [0, 0, 3], to: [0, 0, 0] }
  ]
}

const muster = {
  musterId: 3,
  organizationId: 1,
  kind: "drill",
  startedAt: timestamp,
  startedBy: "ada",
  inside: 2,
  safe: 1,
  left: 0,
  missing: 1,
  swept: [{ placeId: 7, at: timestamp, by: "ada" }]
}

/** An example of each shape that a request or an answer has, by the shape's name in the OpenAPI document. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  Problem: {
    type: PROBLEM_URIS.PlacesOverlap,
    title: "Bad Request",
    status: 400,
    detail: "The place overlaps another place of the organization. Place 7 is in the way. The borders cross.",
    areaFault
  },
  AreaFault: areaFault,
  Health: { status: "up", version: "0.1.0" },
  Organization: organization,
  OrganizationDraft: {
    name: "Museum",
    trackingArea,
    trackingMode: "anonymous",
    owner: { administratorId: "ada", mail: "ada@example.org" },
    maxArea: 90_000_000
  },
  OrganizationOverview: { ...organization, places: 7, administrators: 2, inside: 212 },
  OrganizationPage: { organizations: [{ ...organization, places: 7, administrators: 2, inside: 212 }], next: "1" },
  OrganizationEdit: { id: 1, description: "Open on Sundays", city: null },
  OrganizationDeletionRequest: { organizationId: 1, requestReason: "It moved to another service" },
  TrackingAreaForm: { trackingArea },
  AreaConstraint: { maxArea: 90_000_000 },
  OrganizationConstraint: { organizationId: 1, maxArea: 90_000_000 },
  DeletionRequest: { id: 2, organizationId: 1, administratorId: "ada", status: "pending", creationDate: timestamp },
  OrganizationAccess: { organizationId: 1, ...stay, exitToken },
  OrganizationAuthenticatedAccess: organizationAccess,
  PlaceAccess: { placeId: 7, ...stay, exitToken },
  PlaceAuthenticatedAccess: placeAccess,
  RecordedAccess: { ...organizationAccess, placeId: 7 },
  OrganizationAccesses: { accesses: [{ ...organizationAccess, placeId: 7 }], next: position },
  PlaceAccesses: { accesses: [placeAccess], next: position },
  OrganizationPresenceCounter: { organizationId: 1, counter: 212 },
  PlacePresenceCounter: { placeId: 7, counter: 40 },
  PresenceHistoryRow: { from: timestamp, entered: 12, left: 9, least: 31, most: 40, average: 36.2, averageStay: 2_400 },
  AuditEntry: auditEntry,
  AuditPage: { entries: [auditEntry], next: "1772352000000-41" },
  FloorPlan: {
    organizationId: 1,
    level: 1,
    west: 11.8871,
    south: 45.4072,
    east: 11.8885,
    north: 45.4081,
    rotation: 12.5,
    type: "image/png",
    bytes: 184_320
  },
  ImportedPlaces: {
    created: [{ feature: 0, placeId: 7 }],
    refused: [{ feature: 1, reason: "The place overlaps another place of the organization.", areaFault }]
  },
  FeatureFault: areaFault,
  ImportedAccesses: { imported: 2, skipped: 1, refused: [{ line: 4, reason: "the exit is before the entrance" }] },
  DeviceDraft: { name: "Main door", premises: [{ organization: true }, { placeId: 7 }] },
  CreatedDevice: createdDevice,
  Device: { ...device, state: "ok", lastSeenAt: "2026-05-04T09:30:00.000Z", drift: 2 },
  Reading: { placeId: 7, epoch: "2026-05-04T06:00:00Z", in: 120, out: 97 },
  Readings: { readings: [{ placeId: 7, epoch: "2026-05-04T06:00:00Z", in: 120, out: 97 }] },
  AcceptedReadings: { accepted: 1 },
  CountedCorrection: { counted: 12 },
  OrganizationCounted: { organizationId: 1, counted: 12, inside: 212 },
  PlaceCounted: { placeId: 7, counted: 12, inside: 40 },
  OrganizationTimePerUserReport: { organizationId: 1, orgAuthServerId: "tim", totalTime: 2_700 },
  TimePerUserReport: { placeId: 7, orgAuthServerId: "tim", totalTime: 2_700 },
  PresenceChanged: presenceChanged,
  CapacityChanged: capacityChanged,
  PlaceChanged: placeChanged,
  OrganizationChanged: organizationChanged,
  MusterChanged: musterChanged,
  DeviceChanged: deviceChanged,
  PresenceSnapshotOrganization: snapshotOrganization,
  PresenceSnapshot: snapshot,
  PresenceGone: { organizationId: 1, reason: "forbidden" },
  PresenceReset: { reason: "expired" },
  PresenceEnd: { reason: "rotate" },
  PresenceMessage: { id: "MS4xMTg", event: "snapshot", data: JSON.stringify(snapshot) },
  DeliveredPresenceChanged: { ...presenceChanged, fromVersion: 112 },
  DeliveredCapacityChanged: capacityChanged,
  DeliveredPlaceChanged: placeChanged,
  DeliveredOrganizationChanged: organizationChanged,
  DeliveredMusterChanged: musterChanged,
  DeliveredDeviceChanged: deviceChanged,
  PresenceChangedDelivery: delivery("presence.changed", "place/7", { ...presenceChanged, fromVersion: 112 }),
  CapacityChangedDelivery: delivery("capacity.changed", "organization/1", capacityChanged),
  PlaceChangedDelivery: delivery("place.changed", "place/7", placeChanged),
  OrganizationChangedDelivery: delivery("organization.changed", "organization/1", organizationChanged),
  MusterChangedDelivery: delivery("muster.changed", "muster/3", musterChanged),
  DeviceChangedDelivery: delivery("device.changed", "device/6", deviceChanged),
  WebhookTestDelivery: delivery("webhook.test", "webhook/4", { webhookId: 4, organizationId: 1 }),
  DataSubject: dataSubject,
  PersonalData: {
    subject: dataSubject,
    exportDate: timestamp,
    accountLinks: [accountLink],
    favorites: [{ ...accountLink, creationDate: timestamp }],
    organizationAccesses: [organizationAccess],
    placeAccesses: [placeAccess],
    openOrganizationStays: [],
    openPlaceStays: [],
    retriedOrganizationEntrances: [],
    retriedPlaceEntrances: [],
    musterEntries: [],
    accounts: [],
    permissions: [],
    nominations: [],
    deletionRequests: [],
    deletionDecisions: [],
    startedMusters: [],
    sweptPlaces: [],
    createdWebhooks: [],
    auditEntries: []
  },
  Erased: {
    accountLinks: 1,
    favorites: 1,
    accesses: 2,
    openStays: 0,
    retriedEntrances: 0,
    musterEntries: 0,
    accounts: 0,
    permissions: 0,
    mentions: 0
  },
  Erasure: { organizationId: 1, day: "2026-05-04", people: 1, accesses: 2, openStays: 0, totalTime: 5_400 },
  StayPolicyChange: { longestStay: 43_200, retention: null },
  StayPolicy: { organizationId: 1, longestStay: 43_200 },
  Permission: {
    administratorId: "bob",
    organizationId: 1,
    permission: 2,
    mail: "bob@example.org",
    nominatedBy: "ada"
  },
  AdministratorBindingRequest: { organizationId: 1, mail: "bob@example.org", permission: "manager" },
  OperatorBindingRequest: { mail: "bob@example.org", permission: "owner" },
  AdministratorCreationRequest: { organizationId: 1, mail: "eve@example.org", permission: "viewer" },
  PermissionUpdate: { administratorId: "bob", organizationId: 1, permission: "owner" },
  Unbinding: { administratorId: "bob", organizationId: 1 },
  AdministratorAccount: { administratorId: "ada", mail: "ada@example.org" },
  Administrator: { administratorId: "ada", mail: "ada@example.org" },
  Place: { id: 7, organizationId: 1, name: "East wing", trackingArea },
  PlaceDraft: { organizationId: 1, name: "East wing", trackingArea },
  PlaceEdit: { id: 7, name: "West wing" },
  OrganizationEnd: { orgAuthServerIds: ["tim"], exitTimestamp: timestamp, places: true },
  PlaceEnd: { orgAuthServerIds: ["tim"] },
  EndedStays: { ended: 1 },
  OrganizationClear: { places: true },
  Cleared: { ended: 12, counted: 3 },
  CapacityChange: { capacity: 250, warnAt: 0.8 },
  OrganizationCapacity: { organizationId: 1, capacity: 250, warnAt: 0.8 },
  PlaceCapacity: { placeId: 7, capacity: 40, warnAt: 0.9 },
  OrganizationCapacityReading: { organizationId: 1, inside: 212, capacity: 250, warnAt: 0.8, level: "warning" },
  PlaceCapacityReading: { placeId: 7, inside: 3, level: "none" },
  FavoriteDraft: { organizationId: 1 },
  Favorite: { userId: "tim", organizationId: 1, creationDate: timestamp, organization },
  OrganizationMovementEntrance: { movementType: "entrance", organizationId: 1 },
  OrganizationMovementExit: { movementType: "exit", organizationId: 1, exitToken },
  OrganizationEntrance: { movementType: 1, organizationId: 1, timestamp, exitToken },
  OrganizationExit: { movementType: -1, organizationId: 1, timestamp, exitToken },
  PlaceMovementEntrance: { movementType: "entrance", placeId: 7 },
  PlaceMovementExit: { movementType: "exit", placeId: 7, exitToken },
  PlaceEntrance: { movementType: 1, placeId: 7, timestamp, exitToken },
  PlaceExit: { movementType: -1, placeId: 7, timestamp, exitToken },
  WebhookDraft: { url: "https://hooks.example.org/sojourn", types: ["capacity.changed"] },
  CreatedWebhook: {
    webhookId: 4,
    organizationId: 1,
    url: "https://hooks.example.org/sojourn",
    types: ["capacity.changed"],
    state: "active",
    createdBy: "ada",
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwqEhvY1dXk3A="
  },
  Webhook: {
    webhookId: 4,
    organizationId: 1,
    url: "https://hooks.example.org/sojourn",
    types: ["capacity.changed"],
    state: "failing",
    createdBy: "ada",
    lastDeliveredVersion: 118,
    lastFailure: { at: timestamp, reason: "the receiver answered 500" }
  },
  WebhookReplay: { fromVersion: 118 },
  WebhookAttempt: { version: 119, at: timestamp, status: 500, ms: 42, failure: "the receiver answered 500" },
  LinkRequest: { organizationId: 1, username: "tim", password: "correct horse" },
  AccountLink: { organizationId: 1, orgAuthServerId: "tim" },
  PersonInside: { orgAuthServerId: "tim", placeId: 7, since: timestamp },
  MusterDraft: { kind: "drill", note: "The yearly drill" },
  MusterMarking: { orgAuthServerIds: ["tim"] },
  MusterUnmarking: { orgAuthServerIds: ["tim"] },
  MusterSweep: { placeId: 7, swept: true },
  SweptPlace: { placeId: 7, at: timestamp, by: "ada" },
  MusterSummary: muster,
  MusterPerson: { orgAuthServerId: "tim", placeIds: [7], since: timestamp, state: "safe", at: timestamp },
  Muster: {
    ...muster,
    people: [
      { orgAuthServerId: "eve", placeIds: [], since: timestamp, state: "missing" },
      { orgAuthServerId: "tim", placeIds: [7], since: timestamp, state: "safe", at: timestamp }
    ]
  },
  TokenRequest: { grant_type: "password", username: "ada@example.org", password: "correct horse" },
  Token: { access_token: "eyJhbGciOiJFZERTQSJ9.e30.c2ln", token_type: "Bearer", expires_in: 3600 },
  TokenRevocation: { kind: "administrator", id: "ada", issuedBefore: timestamp },
  OrganizationAuthenticationServerRequest: {
    organizationId: 1,
    organizationCredentials: { username: "ada", password: "correct horse" },
    orgAuthServerIds: ["tim"]
  },
  OrganizationAuthenticationServerInformation: { orgAuthServerId: "tim", name: "Tim", surname: "Berners" }
}
