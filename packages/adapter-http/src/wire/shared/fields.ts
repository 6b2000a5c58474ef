/** Fields that several shapes of JSON have: ids, timestamps, levels, and fields that may be left out. */
import {
  AccessId,
  DeletionRequestId,
  DeviceId,
  formatTimestamp,
  LARGEST_ISSUED_ID,
  LARGEST_LONG,
  LEVELS as FLOORS,
  MusterId,
  OrganizationId,
  parseTimestamp,
  PermissionLevel,
  PlaceId,
  type Timestamp,
  WebhookId
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** A Long in a body: a JSON integer from 1 to 2^53-1, which every JSON client can hold, and the service issues no other. */
export const long = <Id extends bigint>(id: Schema.Codec<Id, bigint>) =>
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number(LARGEST_ISSUED_ID) })).pipe(
    Schema.decodeTo(
      Schema.toType(id),
      SchemaTransformation.transform({ decode: (n: number) => BigInt(n) as Id, encode: (n: Id) => Number(n) })
    ),
    Schema.annotate({ "~sojourn/jsonText": (id: unknown) => (typeof id === "bigint" ? String(Number(id)) : undefined) })
  )

/** A Long in a path: digits up to 2^63-1. One that was never issued, such as 0 or 2^53, is well-formed. */
const pathLong = <Id extends bigint>(id: Schema.Codec<Id, bigint>) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => /^\d{1,64}$/.test(text) && BigInt(text) <= LARGEST_LONG, {
      expected: "digits up to 9223372036854775807"
    })
  ).pipe(
    Schema.decodeTo(
      Schema.toType(id),
      SchemaTransformation.transform({ decode: (text: string) => BigInt(text) as Id, encode: (n: Id) => String(n) })
    )
  )

export const WireOrganizationId = long(OrganizationId)
export const WirePlaceId = long(PlaceId)
/** What names the organization or the place of a body. */
export const ofOrganization = { organizationId: WireOrganizationId }
export const ofPlace = { placeId: WirePlaceId }

export const WireAccessId = long(AccessId)
export const WireDeletionRequestId = long(DeletionRequestId)
export const WireWebhookId = long(WebhookId)
export const WireDeviceId = long(DeviceId)
export const WireMusterId = long(MusterId)
export const PathOrganizationId = pathLong(OrganizationId)
/** The id of an organization in a query. */
export const QueryOrganizationId = pathLong(OrganizationId)
export const PathPlaceId = pathLong(PlaceId)
export const PathDeletionRequestId = pathLong(DeletionRequestId)
export const PathDeviceId = pathLong(DeviceId)
export const PathMusterId = pathLong(MusterId)
export const PathWebhookId = pathLong(WebhookId)

/** A timestamp: decoded from strict RFC 3339, encoded in UTC with milliseconds. */
export const WireTimestamp = Schema.String.annotate({ format: "date-time" }).pipe(
  Schema.decodeTo(
    Schema.declare((value): value is Timestamp => typeof value === "number"),
    SchemaTransformation.transformEffect({
      decode: (text: string) =>
        Option.match(parseTimestamp(text), {
          onNone: () => Effect.fail(new SchemaIssue.InvalidValue({ message: "Expected an RFC 3339 timestamp" })),
          onSome: Effect.succeed
        }),
      encode: (timestamp: Timestamp) => Effect.succeed(formatTimestamp(timestamp))
    })
  ),
  // JSON escapes no character of an instant.
  Schema.annotate({
    "~sojourn/jsonText": (timestamp: unknown) =>
      typeof timestamp === "number" ? `"${formatTimestamp(timestamp as Timestamp)}"` : undefined
  })
)

const LEVELS = ["viewer", "manager", "owner"] as const

/** A permission level: answered as 1 viewer, 2 manager, 3 owner; accepted as that integer or as the name. */
export const WirePermissionLevel = Schema.Union([Schema.Literals([1, 2, 3]), PermissionLevel]).pipe(
  Schema.decodeTo(
    PermissionLevel,
    SchemaTransformation.transform<PermissionLevel, 1 | 2 | 3 | PermissionLevel>({
      decode: (level) => (typeof level === "number" ? LEVELS[level - 1]! : level),
      encode: (level) => (LEVELS.indexOf(level) + 1) as 1 | 2 | 3
    })
  ),
  Schema.annotate({
    "~sojourn/jsonText": (level: PermissionLevel) =>
      LEVELS.includes(level) ? String(LEVELS.indexOf(level) + 1) : undefined
  })
)

/** The level of a place: its floor. */
export const WireLevel = Schema.Int.check(Schema.isBetween({ minimum: FLOORS.smallest, maximum: FLOORS.largest }))

/** A level in a query: digits, with a minus sign below 0. */
export const QueryLevel = Schema.String.check(
  Schema.makeFilter((text: string) => /^-?\d{1,3}$/.test(text), { expected: "an integer" })
).pipe(
  Schema.decodeTo(
    WireLevel,
    SchemaTransformation.transform({ decode: (text: string) => Number(text), encode: (n: number) => String(n) })
  )
)

/** The largest number of items of a page, in a query: 1 to 1,000. */
export const QueryLimit = Schema.String.check(
  Schema.makeFilter((text: string) => /^\d{1,4}$/.test(text), { expected: "an integer" })
).pipe(
  Schema.decodeTo(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 })),
    SchemaTransformation.transform({ decode: (text: string) => Number(text), encode: (n: number) => String(n) })
  )
)

/** The items of a page where the query does not say. */
export const DEFAULT_LIMIT = 100

/** An optional field of a request: left out, or `null`, which counts as left out. */
export const leftOut = <S extends Schema.Constraint>(field: S) => Schema.optionalKey(Schema.NullOr(field))

/** A field of a change that may be left out but not cleared: `null` is malformed. */
export const ifPresent = <S extends Schema.Constraint>(field: S) => Schema.optionalKey(field)

/** `id` and its other name hold one and the same id: either may be sent, and both when they agree. */
export const namesOneId = (otherName: "organizationId" | "placeId") =>
  Schema.makeFilter(
    (body: { readonly [name: string]: unknown }) => {
      const id = body["id"] ?? undefined
      const other = body[otherName] ?? undefined
      return (id !== undefined || other !== undefined) && (id === undefined || other === undefined || id === other)
    },
    { expected: `an id, or the same id as ${otherName}` }
  )

/** An optional field of an answer: left out when it is absent, and never `null`. */
export const known = <S extends Schema.Constraint>(field: S) =>
  Schema.optionalKey(field).pipe(
    Schema.decodeTo(
      Schema.optional(Schema.toType(field)),
      SchemaTransformation.transformOptional<S["Type"] | undefined, S["Type"]>({
        decode: (value) => value,
        encode: Option.filter((value): value is S["Type"] => value !== undefined)
      })
    ),
    Schema.annotate({ "~sojourn/omitsUndefined": true })
  )
