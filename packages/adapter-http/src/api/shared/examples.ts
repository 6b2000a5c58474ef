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

const muster = {
  musterId: 3,
  organizationId: 1,
  kind: "drill",
  startedAt: timestamp,
  startedBy: "ada",
  inside: 2,
  safe: 1,
  left: 0,
  missing: 1
}

/** An example of each shape that a request or an answer has, by the shape's name in the OpenAPI document. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  Problem: { type: "about:blank", title: "Bad Request", status: 400, detail: "The area is larger than allowed." },
  Organization: organization,
  OrganizationDraft: {
    name: "Museum",
    trackingArea,
    trackingMode: "anonymous",
    owner: { administratorId: "ada", mail: "ada@example.org" },
    maxArea: 90_000_000
  },
  OrganizationEdit: { id: 1, description: "Open on Sundays", city: null },
  OrganizationDeletionRequest: { organizationId: 1, requestReason: "It moved to another service" },
  TrackingAreaForm: { trackingArea },
  AreaConstraint: { maxArea: 90_000_000 },
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
  AdministratorCreationRequest: { organizationId: 1, mail: "eve@example.org", permission: "viewer" },
  PermissionUpdate: { administratorId: "bob", organizationId: 1, permission: "owner" },
  Unbinding: { administratorId: "bob", organizationId: 1 },
  AdministratorAccount: { administratorId: "ada", mail: "ada@example.org" },
  Place: { id: 7, organizationId: 1, name: "East wing", trackingArea },
  PlaceDraft: { organizationId: 1, name: "East wing", trackingArea },
  PlaceEdit: { id: 7, name: "West wing" },
  CapacityChange: { capacity: 250, warnAt: 0.8 },
  OrganizationCapacity: { organizationId: 1, capacity: 250, warnAt: 0.8 },
  PlaceCapacity: { placeId: 7, capacity: 40, warnAt: 0.9 },
  OrganizationCapacityReading: { organizationId: 1, inside: 212, capacity: 250, warnAt: 0.8, level: "warning" },
  PlaceCapacityReading: { placeId: 7, inside: 3, level: "none" },
  FavoriteDraft: { organizationId: 1 },
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
  MusterSummary: muster,
  Muster: {
    ...muster,
    people: [
      { orgAuthServerId: "eve", placeIds: [], since: timestamp, state: "missing" },
      { orgAuthServerId: "tim", placeIds: [7], since: timestamp, state: "safe", at: timestamp }
    ]
  },
  TokenRequest: { grant_type: "password", username: "ada@example.org", password: "correct horse" },
  Token: { access_token: "eyJhbGciOiJFZERTQSJ9.e30.c2ln", token_type: "Bearer", expires_in: 3600 },
  OrganizationAuthenticationServerRequest: {
    organizationId: 1,
    organizationCredentials: { username: "ada", password: "correct horse" },
    orgAuthServerIds: ["tim"]
  }
}
