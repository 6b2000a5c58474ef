/** The JSON schemas of the results of use cases: one for each result, round trips, and what they never contain. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Core from "../../../src/index.ts"
import {
  AccessId,
  AdministratorId,
  Json,
  keptTrackingArea,
  LARGEST_ISSUED_ID,
  MusterId,
  OrganizationId,
  OrganizationPremises,
  OrgAuthServerId,
  parseAuthenticationServerUrl,
  PlaceId,
  PlacePremises,
  StayId,
  Timestamp,
  WebhookId
} from "../../../src/index.ts"

/** The compiler asks here that each result can be encoded: all of its values have the type of its schema. */
type Encodable<Result, S extends { readonly Type: unknown }> = [Result] extends [S["Type"]] ? true : false
const encodable: readonly [
  Encodable<Core.TrackedMovement, typeof Json.TrackedMovement>,
  Encodable<Core.PresenceCounter, typeof Json.PresenceCounter>,
  Encodable<Core.AnonymousAccess, typeof Json.AnonymousAccess>,
  Encodable<Core.AuthenticatedAccess, typeof Json.AuthenticatedAccess>,
  Encodable<Core.TimePerUser, typeof Json.TimePerUser>,
  Encodable<Core.Organization, typeof Json.Organization>,
  Encodable<Core.Place, typeof Json.Place>,
  Encodable<Core.Permission, typeof Json.Permission>,
  Encodable<Core.Favorite, typeof Json.Favorite>,
  Encodable<Core.AccountLink, typeof Json.AccountLink>,
  Encodable<Core.CapacityReading, typeof Json.CapacityReading>,
  Encodable<Core.HistoryRow, typeof Json.HistoryRow>,
  Encodable<Core.PersonInside, typeof Json.PersonInside>,
  Encodable<Core.MusterReport, typeof Json.Muster>,
  Encodable<Core.Webhook, typeof Json.Webhook>,
  Encodable<Core.DeletionRequest, typeof Json.DeletionRequest>,
  Encodable<Core.StayPolicy, typeof Json.StayPolicy>,
  Encodable<Core.PresenceEvent, typeof Json.PresenceEvent>
] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]

const area = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'
const at = Timestamp(1_800_000_000_000)
const time = "2027-01-15T08:00:00.000Z"
const organizationId = OrganizationId.make(7n)
const premises = PlacePremises(PlaceId.make(LARGEST_ISSUED_ID))
const ada = AdministratorId.make("ada")
const tim = OrgAuthServerId.make("tim")

describe("a result of core as JSON", () => {
  it("has a schema for each", () => assert.isTrue(encodable.every(Boolean)))

  it("has integers for ids, RFC 3339 for times and texts for areas, and nothing that is absent", () => {
    const museum: Core.Organization = {
      id: organizationId,
      name: "Museum",
      city: undefined,
      postCode: 35100,
      trackingArea: keptTrackingArea(area),
      trackingMode: "authenticated",
      authenticationServer: Result.getOrThrow(parseAuthenticationServerUrl("ldaps://directory.example.org/dc=x")),
      maxArea: 5,
      creationDate: at,
      lastChangeDate: at
    }
    const encoded = JSON.parse(JSON.stringify(Schema.encodeSync(Json.Organization)(museum)))
    assert.deepStrictEqual(encoded, {
      id: 7,
      name: "Museum",
      postCode: 35100,
      trackingArea: area,
      trackingMode: "authenticated",
      authenticationServer: "ldaps://directory.example.org/dc=x",
      creationDate: time,
      lastChangeDate: time
    })
    const decoded = Schema.decodeUnknownSync(Json.Organization)(encoded)
    assert.strictEqual(decoded.id, organizationId)
    assert.strictEqual(decoded.trackingArea.polygons.length, 1)
    assert.throws(() => Schema.decodeUnknownSync(Json.Organization)({ ...encoded, trackingArea: "{}" }))
  })

  it("does not hold what callers never see: the id of a stay, or the key of a webhook", () => {
    const stay: Core.ClosedStay = {
      _tag: "ClosedStay",
      id: StayId.make(5n),
      organizationId,
      premises: OrganizationPremises(organizationId),
      entrance: at,
      exit: at
    }
    const access = { id: AccessId.make(99n), stay, orgAuthServerId: tim }
    assert.deepStrictEqual<unknown>(Schema.encodeSync(Json.AuthenticatedAccess)(access), {
      id: 99,
      stay: { premises: { _tag: "OrganizationPremises", organizationId: 7 }, entrance: time, exit: time },
      orgAuthServerId: "tim"
    })
    const webhook: Core.Webhook = {
      webhookId: WebhookId.make(1n),
      organizationId,
      url: "https://hooks.example.org",
      types: ["muster.changed"],
      creationDate: at,
      createdBy: ada,
      secret: { keyId: 3, number: 0 },
      revision: 0,
      progress: { processed: 4, attempts: 0, state: "active" }
    }
    assert.deepStrictEqual<unknown>(Schema.encodeSync(Json.Webhook)(webhook).progress, { state: "active" })
    assert.notProperty(Schema.encodeSync(Json.Webhook)(webhook), "secret")
  })

  it("is read back as it was", () => {
    const same = <A>(schema: Schema.Codec<A, unknown>, value: A) =>
      assert.deepStrictEqual(
        Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value)))),
        value
      )
    same(Json.PresenceCounter, { premises, counter: 3 })
    same(Json.CapacityReading, {
      organizationId,
      premises,
      inside: 3,
      capacity: { capacity: 4, warnAt: 0.8 },
      level: "normal"
    })
    const people = [{ orgAuthServerId: tim, placeIds: [PlaceId.make(2n)], since: at, state: "missing" }] as const
    const counts = { inside: 1, safe: 0, left: 0, missing: 1 }
    const id = MusterId.make(1n)
    same(Json.Muster, {
      id,
      organizationId,
      mode: "authenticated",
      kind: "drill",
      startedAt: at,
      startedBy: ada,
      ...counts,
      people
    })
    same(Json.PresenceEvent, {
      _tag: "PlaceChanged",
      version: 4,
      organizationId,
      at,
      placeId: PlaceId.make(2n),
      changed: "deleted"
    })
  })

  it.prop(
    "has only ids that the service issues",
    { about: Arbitrary.schema(Schema.toType(Json.Premises)) },
    ({ about }) => {
      const encode = Schema.encodeResult(Json.Premises)
      const id = about._tag === "PlacePremises" ? about.placeId : about.organizationId
      const isIssued = id >= 1n && id <= LARGEST_ISSUED_ID
      assert.strictEqual(Result.isSuccess(encode(about)), isIssued)
    }
  )
})
