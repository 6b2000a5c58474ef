/** The deletion of organizations and places while movements are written, on a real PostgreSQL: no row is left behind. */
import { assert, layer as shared } from "@effect/vitest"
import {
  AdministratorId,
  DeletionRequestStore,
  LongestStay,
  Mail,
  OperatorId,
  OrganizationPremises,
  OrganizationStore,
  boundsOf,
  parseTrackingArea,
  PlacePremises,
  PlaceStore,
  type OrganizationId,
  type Premises,
  type RetryKey,
  StayLog,
  StayPolicyStore,
  Timestamp,
  UserId,
  vouchedAccount
} from "@sojourn/core"
import { Deferred, Effect, Fiber, Option, Result } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { layerPostgres, untilWaiting, withStores } from "./fixtures.ts"

const NOW = Timestamp(Date.UTC(2026, 2, 1))
const OWNER = { administratorId: AdministratorId.make("owner"), mail: Mail.make("owner@example.org") }
const AREA = Result.getOrThrow(parseTrackingArea('{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}'))

const anOrganization = OrganizationStore.use((store) =>
  store.create({
    organization: { name: "Somewhere", trackingArea: AREA, trackingMode: "anonymous" },
    owner: OWNER,
    now: NOW,
    decide: (accounts) => vouchedAccount(OWNER, accounts)
  })
)

/** A place of an organization, and how it is removed. */
const aPlace = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const places = yield* PlaceStore
  const owned = { organizationId, administratorId: OWNER.administratorId }
  const place = yield* places.create({
    ...owned,
    bounds: boundsOf(AREA),
    decide: () =>
      Result.succeed({
        place: { organizationId, trackingArea: AREA },
        position: { floor: 0, ancestors: [] }
      })
  })
  return { place, remove: places.remove({ ...owned, placeId: place.id, decide: () => Result.void }) }
})

const enter = (premises: Premises, n: number) =>
  StayLog.use((log) =>
    log.open({
      premises,
      userId: UserId.make("somebody"),
      claim: { timestamp: undefined, orgAuthServerId: undefined, now: NOW },
      keyId: 1,
      retryKey: n % 2 === 0 ? Option.some(`retry ${n}` as RetryKey) : Option.none()
    })
  )

const leave = (premises: Premises, stay: Effect.Success<ReturnType<typeof enter>>) =>
  StayLog.use((log) =>
    log.close({
      premises,
      stay: { organizationId: stay.organizationId, stayId: stay.id },
      userId: UserId.make("somebody"),
      claim: { timestamp: undefined, orgAuthServerId: undefined, now: NOW }
    })
  )

/** How many rows of each table are about an organization, or of one place of it. */
const rowsOf = Effect.fnUntraced(function* (where: string) {
  const sql = yield* SqlClient.SqlClient
  const rows: Record<string, number> = {}
  for (const table of [
    "open_stay",
    "stay",
    "entrance_retry",
    "place",
    "permission",
    "account_link",
    "favorite",
    "stay_policy",
    "floor_plan",
    "device",
    "device_premises",
    "device_epoch",
    "counted_people",
    "erasure"
  ]) {
    if (where.includes("place_id") && !/stay$|retry/.test(table)) continue
    const [row] = yield* sql.unsafe<{ readonly n: number }>(`select count(*)::int as n from ${table} where ${where}`)
    if (row !== undefined && row.n > 0) rows[table] = row.n
  }
  return rows
})

/** Runs an ending of premises while movements go on there and an open transaction delays the deletion of the history. */
const endAgainst = Effect.fnUntraced(function* <A, E, R>(premises: Premises, ending: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const [past, first, second] = yield* Effect.all([enter(premises, 0), enter(premises, 1), enter(premises, 2)])
  yield* leave(premises, past)
  const isHeld = yield* Deferred.make<void>()
  const isOver = yield* Deferred.make<void>()
  const holding = yield* sql
    .withTransaction(
      sql`select from stay where id = ${past.id}::bigint for update`.pipe(
        Effect.andThen(Deferred.succeed(isHeld, undefined)),
        Effect.andThen(Deferred.await(isOver))
      )
    )
    .pipe(Effect.forkChild)
  yield* Deferred.await(isHeld)
  const ended = yield* Effect.forkChild(ending)
  yield* untilWaiting(1)
  yield* leave(premises, first)
  yield* leave(premises, yield* enter(premises, 3))
  yield* leave(premises, yield* enter(premises, 4))
  yield* enter(premises, 5)
  yield* enter(premises, 6)
  assert.strictEqual((yield* enter(premises, 2)).id, second.id, "a retry")
  yield* Deferred.succeed(isOver, undefined)
  yield* Fiber.join(holding)
  yield* Fiber.join(ended)
})

/** What an operator does to approve the end of an organization. */
const approved = Effect.fnUntraced(function* (id: OrganizationId) {
  const requests = yield* DeletionRequestStore
  const wish = { organizationId: id, administratorId: OWNER.administratorId, reason: undefined, now: NOW }
  const request = yield* requests.request(wish)
  return requests.conclude({ id: request.id, verdict: "approved", decidedBy: OperatorId.make("operator"), now: NOW })
})

shared(layerPostgres, { excludeTestServices: true })("whatever ends while people move", (it) => {
  it.effect("a long history, and what is added to it meanwhile, is gone without a trace", () =>
    withStores(
      Effect.gen(function* () {
        const { id } = yield* anOrganization
        const { place, remove } = yield* aPlace(id)
        const other = yield* aPlace(id)
        const kept = yield* enter(PlacePremises(other.place.id), 0)
        yield* leave(PlacePremises(other.place.id), kept)
        yield* endAgainst(PlacePremises(place.id), remove)
        assert.deepStrictEqual(yield* rowsOf(`place_id = ${place.id}`), {})
        assert.deepStrictEqual(yield* rowsOf(`place_id = ${other.place.id}`), { stay: 1, entrance_retry: 1 })
        yield* StayPolicyStore.use((store) =>
          store.change({ organizationId: id, decide: () => ({ longestStay: LongestStay.make(3600) }) })
        )
        yield* SqlClient.SqlClient.use((sql) => sql`insert into erasure values (${id}::bigint, now(), 1, 1, 1, 1)`)
        yield* endAgainst(OrganizationPremises(id), yield* approved(id))
        assert.deepStrictEqual(yield* rowsOf(`organization_id = ${id}`), {})
        const another = yield* anOrganization
        const inOnePlace = yield* aPlace(another.id)
        yield* endAgainst(PlacePremises(inOnePlace.place.id), yield* approved(another.id))
        assert.deepStrictEqual(yield* rowsOf(`organization_id = ${another.id}`), {})
      })
    )
  )

  it.effect("a history may take longer to end than a statement may on other days", () =>
    withStores(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* anOrganization
        yield* sql`create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(0.6); return null; end'`
        yield* sql`create trigger wait before delete on stay for each statement execute function wait()`
        yield* yield* approved(id)
        assert.deepStrictEqual(yield* OrganizationStore.use((store) => store.list()), { items: [], hasMore: false })
      }),
      { statementTimeout: "300 millis" }
    )
  )
})
