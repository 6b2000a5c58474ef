/**
 * What the stores do with ids that fall: an organization that was moved to a cell of a lower range gets lower ids. Each test moves
 * the organization as a move does, and would fail if ids had to rise.
 */
import {
  AccountLinkStore,
  AdministratorId,
  boundsOf,
  CellNumber,
  cellOfId,
  DeletionRequestStore,
  DeviceStore,
  idRangeOf,
  Mail,
  MusterStore,
  OrganizationPremises,
  OrganizationStore,
  OrgAuthServerId,
  parseTrackingArea,
  PlacePremises,
  PlaceStore,
  type Premises,
  Retention,
  StayLog,
  StayPolicyStore,
  Timestamp,
  type TrackingMode,
  UserId,
  vouchedAccount,
  WebhookStore
} from "@sojourn/core"
import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import { issueIdsOf, SEQUENCES_OF_IDS } from "../src/migrations/cellIds.ts"
import { migrate } from "../src/migrations/Migrations.ts"
import { layerPostgres, onEmpty, withStores } from "./fixtures.ts"

const DAY = 24 * 60 * 60_000
const NOW = Timestamp(Date.UTC(2026, 2, 1))
const at = (milliseconds: number) => Timestamp(NOW + milliseconds)
const OWNER = { administratorId: AdministratorId.make("owner"), mail: Mail.make("owner@example.org") }
const { administratorId } = OWNER
const AREA = Result.getOrThrow(parseTrackingArea('{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}'))
const LOWER = CellNumber.make(1)
const HIGHER = CellNumber.make(3)

/**
 * Issues ids of another cell, as from a move on: above those that the cell issued before. The open musters learn where the ids begin.
 */
const moveTo = Effect.fnUntraced(function* (cell: CellNumber, issued = 0n) {
  const sql = yield* SqlClient.SqlClient
  const { first, last } = idRangeOf(cell)
  for (const name of SEQUENCES_OF_IDS) {
    yield* sql.unsafe(
      `alter sequence ${name} minvalue ${first} maxvalue ${last} start with ${first} restart with ${first + issued}`
    )
  }
  yield* sql`update muster set last_stays = last_stays || ${first + issued - 1n}::bigint where ended_at is null`
})

const anOrganization = (trackingMode: TrackingMode) =>
  OrganizationStore.use((store) =>
    store.create({
      organization: { name: "Somewhere", trackingArea: AREA, trackingMode },
      owner: OWNER,
      now: NOW,
      decide: (accounts) => vouchedAccount(OWNER, accounts)
    })
  )

const aPlace = ({ id: organizationId }: Effect.Success<ReturnType<typeof anOrganization>>) =>
  PlaceStore.use((store) =>
    store.create({
      organizationId,
      administratorId,
      bounds: boundsOf(AREA),
      decide: () =>
        Result.succeed({ place: { organizationId, trackingArea: AREA }, position: { floor: 0, ancestors: [] } })
    })
  )

const claimAt = (now: Timestamp) => ({ timestamp: undefined, orgAuthServerId: undefined, now })

const enter = (premises: Premises, user: string, now = NOW) =>
  StayLog.use((log) =>
    log.open({ premises, userId: UserId.make(user), claim: claimAt(now), keyId: 1, retryKey: Option.none() })
  )

const leave = ({ premises, organizationId, id }: Effect.Success<ReturnType<typeof enter>>, user: string, now = NOW) =>
  StayLog.use((log) =>
    log.close({ premises, stay: { organizationId, stayId: id }, userId: UserId.make(user), claim: claimAt(now) })
  )

/** Opens and closes stays at an instant. */
const visit = (premises: Premises, now: Timestamp, times: number) =>
  Effect.repeat(
    Effect.flatMap(enter(premises, "somebody", now), (stay) => leave(stay, "somebody", now)),
    { times: times - 1 }
  )

const countStays = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly count: bigint }>`select count(*) as count from stay`
).pipe(Effect.map(([row]) => Number(row!.count)))

shared(layerPostgres, { excludeTestServices: true })("ids that fall", (it) => {
  it.effect("leave no access past retention behind, in whichever range of ids it is", () =>
    withStores(
      Effect.gen(function* () {
        const organization = yield* anOrganization("anonymous")
        const here = OrganizationPremises(organization.id)
        const place = PlacePremises((yield* aPlace(organization)).id)
        const policies = yield* StayPolicyStore
        yield* policies.change({
          organizationId: organization.id,
          decide: () => ({ retention: Retention.make(86_400) })
        })
        for (const [cell, from] of [
          [HIGHER, 0],
          [LOWER, DAY],
          [CellNumber.make(2), 2 * DAY]
        ] as const) {
          yield* moveTo(cell)
          for (const premises of [here, place]) yield* visit(premises, at(from), 12)
          if (cell !== HIGHER) for (const premises of [here, place]) yield* visit(premises, at(5 * DAY), 2)
        }
        const now = at(5 * DAY)
        const lease = Option.getOrThrow(yield* policies.takeLease({ organizationId: organization.id, every: 0, now }))
        const forgotten: Array<number> = []
        do forgotten.push(yield* policies.forget({ lease, now, most: 7 }))
        while (forgotten.at(-1) === 7)
        assert.strictEqual(
          forgotten.reduce((sum, count) => sum + count),
          3 * 2 * 12
        )
        assert.strictEqual(yield* countStays, 2 * 2 * 2)
      })
    )
  )

  it.effect("leave no stay of a place behind that ends", () =>
    withStores(
      Effect.gen(function* () {
        const organization = yield* anOrganization("anonymous")
        const place = yield* aPlace(organization)
        const premises = PlacePremises(place.id)
        const kept = OrganizationPremises(organization.id)
        for (const cell of [HIGHER, LOWER]) {
          yield* moveTo(cell)
          yield* visit(premises, NOW, 3)
          yield* visit(kept, NOW, 3)
          yield* enter(premises, "somebody")
        }
        yield* PlaceStore.use((store) =>
          store.remove({ placeId: place.id, administratorId, decide: () => Result.void })
        )
        assert.strictEqual(yield* countStays, 6)
      })
    )
  )

  it.effect("keep in a muster who was inside or came since, and nobody who came before", () =>
    withStores(
      Effect.gen(function* () {
        const organization = yield* anOrganization("authenticated")
        const { id: organizationId } = organization
        const place = yield* aPlace(organization)
        const [here, there] = [OrganizationPremises(organizationId), PlacePremises(place.id)]
        const links = yield* AccountLinkStore
        const people = ["before", "earlier", "inside", "left", "placed", "moved", "later"]
        for (const person of people) {
          const orgAuthServerId = OrgAuthServerId.make(person)
          yield* links.put({ userId: UserId.make(person), organizationId, orgAuthServerId })
        }
        const come = (person: string, premises: Premises = here) =>
          Effect.flatMap(enter(premises, person), (stay) => leave(stay, person))
        // The organization was in the lower cell before, and goes back there while a muster is open.
        yield* moveTo(LOWER)
        yield* come("before")
        yield* moveTo(HIGHER)
        yield* come("earlier")
        const inside = yield* enter(here, "inside")
        const musters = yield* MusterStore
        const { id } = yield* musters.start({
          organizationId,
          administratorId,
          kind: "drill",
          note: undefined,
          now: NOW
        })
        yield* come("left")
        const moved = yield* enter(here, "moved")
        yield* moveTo(LOWER, 1n)
        yield* leave(inside, "inside")
        yield* leave(moved, "moved")
        yield* come("placed", there)
        const later = yield* enter(here, "later")
        assert.deepStrictEqual(cellOfId(later.id), Option.some(LOWER))
        const expected = ["inside", "later", "left", "moved", "placed"]
        const read = Effect.gen(function* () {
          const [report] = yield* musters.get(id, [administratorId])
          const { people: found = [] } = yield* Effect.fromResult(report!)
          assert.deepStrictEqual(found.map(({ orgAuthServerId }): OrgAuthServerId => orgAuthServerId).sort(), expected)
          assert.deepStrictEqual(
            found.filter(({ state }) => state !== "left").map(({ orgAuthServerId }): string => orgAuthServerId),
            ["later"]
          )
        })
        yield* read
        yield* PlaceStore.use((store) =>
          store.remove({ placeId: place.id, administratorId, decide: () => Result.void })
        )
        yield* read
        yield* musters.end(id, [{ administratorId, now: NOW }])
        yield* read
      })
    )
  )

  it.effect("list what was created in the order of creation", () =>
    withStores(
      Effect.gen(function* () {
        const { id: organizationId } = yield* anOrganization("anonymous")
        const owned = { organizationId, administratorId, decide: () => Result.void }
        const made = { musters: [] as Array<bigint>, webhooks: [] as Array<bigint>, devices: [] as Array<bigint> }
        const requests: Array<bigint> = []
        const [musters, webhooks, devices] = [yield* MusterStore, yield* WebhookStore, yield* DeviceStore]
        const deletions = yield* DeletionRequestStore
        for (const [n, cell] of [HIGHER, CellNumber.make(2), LOWER].entries()) {
          yield* moveTo(cell)
          const now = at(n)
          const { id } = yield* musters.start({ organizationId, administratorId, kind: "drill", note: undefined, now })
          yield* musters.end(id, [{ administratorId, now }])
          made.musters.unshift(id)
          const webhook = { url: `https://example.org/${n}`, types: [], keyId: 0 }
          made.webhooks.push((yield* webhooks.create({ ...owned, webhook, now })).webhookId)
          const device = { name: "Door", premises: [], tokenHash: `hash ${n}`, now }
          made.devices.push((yield* devices.create({ ...owned, ...device })).id)
          const request = yield* deletions.request({ ...owned, reason: undefined, now })
          yield* deletions.conclude({ id: request.id, verdict: "rejected", decidedBy: "operator" as never, now })
          requests.push(request.id)
        }
        const [listed] = yield* musters.list(organizationId, [administratorId])
        const found = {
          musters: (yield* Effect.fromResult(listed!)).map(({ id }) => id),
          webhooks: (yield* webhooks.list(owned)).map(({ webhookId }) => webhookId),
          devices: (yield* devices.list(owned)).map(({ id }) => id)
        }
        assert.deepStrictEqual(found, made as unknown as typeof found)
        assert.deepStrictEqual(
          (yield* deletions.list(Option.none())).map(({ id }): bigint => id),
          requests
        )
      })
    )
  )
})

shared(layerPostgres, { excludeTestServices: true })("the ids of a cell", (it) => {
  const nextStay = SqlClient.SqlClient.use((sql) => sql<{ readonly id: bigint }>`select nextval('stay_id') as id`).pipe(
    Effect.map(([row]) => row!.id)
  )

  it.effect("begin with the range of the cell, go on after a restart, and are of no other cell", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        yield* issueIdsOf(HIGHER)
        const { first } = idRangeOf(HIGHER)
        assert.strictEqual(yield* nextStay, first)
        yield* issueIdsOf(HIGHER)
        assert.strictEqual(yield* nextStay, first + 1n)
        const refused = yield* Effect.flip(issueIdsOf(LOWER))
        assert.strictEqual(
          refused.message,
          "the schema has issued ids of cell 3, and cannot be cell 1: name the schema of that cell"
        )
        assert.strictEqual(yield* nextStay, first + 2n)
      })
    )
  )

  it.effect("go on in a schema that was used without cells, as those of the home cell alone", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        yield* nextStay
        assert.strictEqual((yield* Effect.flip(issueIdsOf(LOWER)))._tag, "SchemaOfAnotherCell")
        const home = CellNumber.make(0)
        yield* issueIdsOf(home)
        assert.strictEqual(yield* nextStay, 2n)
        const sql = yield* SqlClient.SqlClient
        yield* sql`select setval('stay_id', ${idRangeOf(home).last}::bigint)`
        assert.strictEqual((yield* Effect.flip(nextStay))._tag, "SqlError")
      })
    )
  )
})
