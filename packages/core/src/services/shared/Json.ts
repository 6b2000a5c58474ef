/**
 * The results of the use cases as JSON: schemas from JSON to each result and back. Ids are integers, timestamps RFC 3339 in UTC, areas and
 * authentication servers the texts that they were given as. A schema has the members that callers may see: encoding leaves out others, such
 * as a stay's own id.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import {
  type AuthenticationServerUrl as Server,
  parseAuthenticationServerUrl
} from "../../domain/accounts/AuthenticationServerUrl.ts"
import { CapacityNumber, WarnAt } from "../../domain/feed/Capacity.ts"
import { DeletionRequestStatus } from "../../domain/organizations/DeletionRequest.ts"
import type { ExitToken as Token } from "../../domain/keys/ExitToken.ts"
import * as Ids from "../../domain/shared/Ids.ts"
import { Mail } from "../../domain/shared/Mail.ts"
import { MusterKind } from "../../domain/musters/Muster.ts"
import { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import { EventGrain, LongestStay, Retention, SmallestCount } from "../../domain/policies/StayPolicy.ts"
import { formatTimestamp, parseTimestamp, type Timestamp as Instant } from "../../domain/shared/Timestamp.ts"
import { parseTrackingArea, type TrackingArea as Area } from "../../domain/areas/TrackingArea.ts"
import { TrackingMode } from "../../domain/shared/TrackingMode.ts"
import { WebhookEventType } from "../../domain/webhooks/Webhook.ts"

/** An id as a JSON integer from 1 to 2^53-1: what every JSON client can hold, and all that the service issues. */
export const integerId = <Id extends bigint>(id: Schema.Codec<Id, bigint>) =>
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number(Ids.LARGEST_ISSUED_ID) })).pipe(
    Schema.decodeTo(
      Schema.toType(id),
      SchemaTransformation.transform({ decode: (n: number) => BigInt(n) as Id, encode: (n: Id) => Number(n) })
    )
  )

/** A value as the text that it is read from. */
const fromText = <A>(
  is: (value: unknown) => value is A,
  read: (text: string) => Result.Result<A, string>,
  write: (value: A) => string
) =>
  Schema.String.pipe(
    Schema.decodeTo(
      Schema.declare(is),
      SchemaTransformation.transformEffect({
        decode: (text: string) =>
          Effect.fromResult(Result.mapError(read(text), (message) => new SchemaIssue.InvalidValue({ message }))),
        encode: (value: A) => Effect.succeed(write(value))
      })
    )
  )

/** A timestamp: strict RFC 3339 when it comes, UTC with milliseconds when it goes. */
export const Timestamp = fromText(
  (value): value is Instant => typeof value === "number",
  (text) => Result.fromOption(parseTimestamp(text), () => "Expected an RFC 3339 timestamp"),
  formatTimestamp
)

const hasText = (value: unknown): value is { readonly text: string } =>
  typeof value === "object" && value !== null && "text" in value && typeof value.text === "string"

export const TrackingArea = fromText(
  (value): value is Area => hasText(value),
  (text) => Result.mapError(parseTrackingArea(text), ({ message }) => message),
  ({ text }) => text
)

export const AuthenticationServerUrl = fromText(
  (value): value is Server => hasText(value),
  (text) => Result.mapError(parseAuthenticationServerUrl(text), ({ reason }) => reason),
  ({ text }) => text
)

const OrganizationId = integerId(Ids.OrganizationId)
const PlaceId = integerId(Ids.PlaceId)
const ExitToken = Schema.String.pipe(
  Schema.decodeTo(
    Schema.declare((value): value is Token => typeof value === "string"),
    SchemaTransformation.transform({ decode: (text: string) => text as Token, encode: (token: Token): string => token })
  )
)

/** Left out where there is none: JSON has no `undefined`. */
const optional = Schema.optional

export const Premises = Schema.Union([
  Schema.TaggedStruct("OrganizationPremises", { organizationId: OrganizationId }),
  Schema.TaggedStruct("PlacePremises", { placeId: PlaceId })
])

export const TrackedMovement = Schema.Struct({
  _tag: Schema.Literals(["Entrance", "Exit"]),
  premises: Premises,
  timestamp: Timestamp,
  exitToken: ExitToken,
  orgAuthServerId: optional(Ids.OrgAuthServerId)
})

export const PresenceCounter = Schema.Struct({ premises: Premises, counter: Schema.Int })

const stay = Schema.Struct({ premises: Premises, entrance: Timestamp, exit: Timestamp })
export const AnonymousAccess = Schema.Struct({ id: integerId(Ids.AccessId), stay, exitToken: ExitToken })
export const AuthenticatedAccess = Schema.Struct({
  id: integerId(Ids.AccessId),
  stay,
  orgAuthServerId: Ids.OrgAuthServerId
})

export const TimePerUser = Schema.Struct({
  placeId: PlaceId,
  orgAuthServerId: Ids.OrgAuthServerId,
  totalTime: Schema.Int
})

/** Without the largest area, which is the operator's. */
export const Organization = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  description: optional(Schema.String),
  image: optional(Schema.String),
  street: optional(Schema.String),
  number: optional(Schema.String),
  postCode: optional(Schema.Union([Schema.String, Schema.Int])),
  city: optional(Schema.String),
  country: optional(Schema.String),
  trackingArea: TrackingArea,
  trackingMode: TrackingMode,
  authenticationServer: optional(AuthenticationServerUrl),
  creationDate: Timestamp,
  lastChangeDate: Timestamp
})

export const Place = Schema.Struct({
  id: PlaceId,
  organizationId: OrganizationId,
  name: optional(Schema.String),
  trackingArea: TrackingArea
})

export const Permission = Schema.Struct({
  administratorId: Ids.AdministratorId,
  organizationId: OrganizationId,
  level: PermissionLevel,
  mail: optional(Mail),
  orgAuthServerId: optional(Ids.OrgAuthServerId),
  nominatedBy: Ids.AdministratorId
})

export const Favorite = Schema.Struct({
  userId: Ids.UserId,
  organizationId: OrganizationId,
  orgAuthServerId: optional(Ids.OrgAuthServerId),
  creationDate: Timestamp
})

export const AccountLink = Schema.Struct({
  userId: Ids.UserId,
  organizationId: OrganizationId,
  orgAuthServerId: Ids.OrgAuthServerId
})

const CapacityLevel = Schema.Literals(["none", "normal", "warning", "full", "over"])

export const CapacityReading = Schema.Struct({
  organizationId: OrganizationId,
  premises: Premises,
  inside: Schema.Int,
  capacity: optional(Schema.Struct({ capacity: CapacityNumber, warnAt: WarnAt })),
  level: CapacityLevel
})

export const HistoryRow = Schema.Struct({
  from: Timestamp,
  entered: Schema.Int,
  left: Schema.Int,
  least: Schema.Int,
  most: Schema.Int,
  average: Schema.Finite,
  averageStay: optional(Schema.Finite)
})

export const PersonInside = Schema.Struct({
  orgAuthServerId: Ids.OrgAuthServerId,
  placeId: optional(PlaceId),
  since: Timestamp
})

/** A muster, with its people where they are read and the organization knows people. */
export const Muster = Schema.Struct({
  id: integerId(Ids.MusterId),
  organizationId: OrganizationId,
  mode: TrackingMode,
  kind: MusterKind,
  note: optional(Schema.String),
  startedAt: Timestamp,
  startedBy: Ids.AdministratorId,
  endedAt: optional(Timestamp),
  inside: Schema.Int,
  safe: Schema.Int,
  left: Schema.Int,
  missing: Schema.Int,
  people: optional(
    Schema.Array(
      Schema.Struct({
        orgAuthServerId: Ids.OrgAuthServerId,
        placeIds: Schema.Array(PlaceId),
        since: optional(Timestamp),
        state: Schema.Literals(["missing", "safe", "left"]),
        at: optional(Timestamp)
      })
    )
  )
})

/** Without its secret, and what its deliveries remember. */
export const Webhook = Schema.Struct({
  webhookId: integerId(Ids.WebhookId),
  organizationId: OrganizationId,
  url: Schema.String,
  types: Schema.Array(WebhookEventType),
  creationDate: Timestamp,
  createdBy: Ids.AdministratorId,
  progress: Schema.Struct({
    state: Schema.Literals(["active", "failing", "disabled"]),
    delivered: optional(Schema.Int),
    lastFailure: optional(Schema.Struct({ at: Timestamp, reason: Schema.String }))
  })
})

export const DeletionRequest = Schema.Struct({
  id: integerId(Ids.DeletionRequestId),
  organizationId: OrganizationId,
  administratorId: Ids.AdministratorId,
  reason: optional(Schema.String),
  status: DeletionRequestStatus,
  creationDate: Timestamp,
  decisionDate: optional(Timestamp),
  decidedBy: optional(Ids.OperatorId)
})

export const StayPolicy = Schema.Struct({
  longestStay: optional(LongestStay),
  retention: optional(Retention),
  eventGrain: optional(EventGrain),
  smallestCount: optional(SmallestCount)
})

const ofEvent = { version: Schema.Int, organizationId: OrganizationId, at: Timestamp }

export const PresenceEvent = Schema.Union([
  Schema.TaggedStruct("PresenceChanged", {
    ...ofEvent,
    placeId: optional(PlaceId),
    entered: Schema.Int,
    left: Schema.Int,
    inside: Schema.Int
  }),
  Schema.TaggedStruct("CapacityChanged", {
    ...ofEvent,
    placeId: optional(PlaceId),
    level: CapacityLevel,
    inside: Schema.Int,
    capacity: optional(CapacityNumber)
  }),
  Schema.TaggedStruct("PlaceChanged", {
    ...ofEvent,
    placeId: PlaceId,
    changed: Schema.Literals(["created", "updated", "deleted"])
  }),
  Schema.TaggedStruct("OrganizationChanged", { ...ofEvent, changed: Schema.Literal("updated") }),
  Schema.TaggedStruct("MusterChanged", {
    ...ofEvent,
    musterId: integerId(Ids.MusterId),
    state: Schema.Literals(["started", "updated", "ended"])
  })
])
