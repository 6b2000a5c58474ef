/** Operations in transactions of an application's own client, on a real PostgreSQL. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { assert, layer as shared } from "@effect/vitest"
import {
  AdministratorId,
  boundsOf,
  CountStore,
  DeletionRequestStore,
  IsInTransaction,
  Mail,
  MusterStore,
  OperatorId,
  insideOf,
  type OrganizationId,
  OrganizationPremises,
  OrganizationStore,
  parseTrackingArea,
  type PlaceId,
  PlacePremises,
  PlaceStore,
  type Premises,
  PresenceFeed,
  StayLog,
  StoreError,
  type Stores,
  Timestamp,
  UserId,
  vouchedAccount
} from "@sojourn/core"
import { Deferred, Effect, Fiber, Option, Result } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { layer } from "../src/index.ts"
import { emptyDatabase, layerPostgres, withStores } from "./fixtures.ts"

const NOW = Timestamp(Date.UTC(2026, 2, 1))
const OWNER = { administratorId: AdministratorId.make("owner"), mail: Mail.make("owner@example.org") }
const AREA = Result.getOrThrow(parseTrackingArea('{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}'))
const { administratorId } = OWNER

const anOrganization = (name = "Theatre") =>
  OrganizationStore.use((store) =>
    store.create({
      organization: { name, trackingArea: AREA, trackingMode: "anonymous" },
      owner: OWNER,
      now: NOW,
      decide: (accounts) => vouchedAccount(OWNER, accounts)
    })
  )

const aPlace = (organizationId: OrganizationId) =>
  PlaceStore.use((places) =>
    places.create({
      organizationId,
      administratorId,
      bounds: boundsOf(AREA),
      decide: () =>
        Result.succeed({ place: { organizationId, trackingArea: AREA }, position: { floor: 0, ancestors: [] } })
    })
  )

const removePlace = (placeId: PlaceId) =>
  PlaceStore.use((places) => places.remove({ administratorId, placeId, decide: () => Result.void }))

const enter = (premises: Premises) =>
  StayLog.use((log) =>
    log.open({
      premises,
      userId: UserId.make("visitor"),
      claim: { timestamp: undefined, orgAuthServerId: undefined, now: NOW },
      keyId: 1,
      retryKey: Option.none()
    })
  )

const inside = (premises: Premises) => StayLog.use((log) => log.countOpen(administratorId, premises))

/** The application's settings, its tables, and what it finds of both. */
const APPLICATION = { search_path: "app", timezone: "Europe/Rome", enable_seqscan: "on", statement_timeout: "7s" }

const SETTINGS = `select string_agg(name || '=' || setting, ' ' order by name) as settings from pg_settings
  where name in ('search_path', 'TimeZone', 'enable_seqscan', 'enable_hashjoin', 'jit', 'plan_cache_mode', 'statement_timeout', 'lock_timeout')`

/** Runs an effect on an application with a client of its own, and the stores on that client's database. */
const inApplication = <A, E>(
  effect: Effect.Effect<A, E, PgClient.PgClient | Stores>,
  config: Partial<PgClient.PgPoolConfig> = {}
) =>
  Effect.gen(function* () {
    const address = yield* emptyDatabase
    const application = Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* sql`create schema app`
      yield* sql`create table booking (seat int primary key)`
      return yield* Effect.provide(effect, layer({ client: sql }, { maxConnections: 5 }))
    })
    return yield* Effect.provide(
      application,
      PgClient.layer({ ...address, maxConnections: 5, startupParameters: APPLICATION, ...config })
    )
  })

const settings = Effect.flatMap(PgClient.PgClient, (sql) => sql.withoutTransforms().unsafe(SETTINGS))

const bookings = Effect.flatMap(PgClient.PgClient, (sql) =>
  Effect.map(sql<{ readonly seat: number }>`select seat from app.booking order by seat`, (rows) =>
    rows.map(({ seat }) => seat)
  )
)

const book = (seat: number) => Effect.flatMap(PgClient.PgClient, (sql) => sql`insert into booking values (${seat})`)

const transaction = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.withTransaction(body))

const rolledBack = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.flip(transaction(Effect.andThen(body, Effect.fail("rolled back" as const))))

/** The cause of a refusal of a store. */
const causeOf = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(body), (error) => (error instanceof StoreError ? String(error.cause) : String(error)))

shared(layerPostgres, { excludeTestServices: true })("in a transaction of the application", (it) => {
  it.effect("a booking, a place and an entrance are there together or not at all, and each sees the others", () =>
    inApplication(
      Effect.gen(function* () {
        const { id } = yield* anOrganization()
        const whole = OrganizationPremises(id)
        const visit = (seat: number) =>
          Effect.gen(function* () {
            yield* book(seat)
            const place = yield* aPlace(id)
            const premises = PlacePremises(place.id)
            const stay = yield* enter(premises)
            yield* enter(whole)
            assert.deepStrictEqual([yield* inside(premises), yield* inside(whole)], [1, 1])
            return { premises, stay }
          })
        let rolled: Premises | undefined
        assert.strictEqual(
          yield* rolledBack(Effect.tap(visit(1), ({ premises }) => Effect.sync(() => (rolled = premises)))),
          "rolled back"
        )
        assert.deepStrictEqual([yield* bookings, yield* inside(whole)], [[], 0])
        assert.strictEqual((yield* Effect.flip(enter(rolled!)))._tag, "PremisesNotFound")
        const { premises } = yield* transaction(visit(2))
        assert.deepStrictEqual([yield* bookings, yield* inside(premises), yield* inside(whole)], [[2], 1, 1])
        // A savepoint of the application is undone by itself.
        yield* transaction(Effect.andThen(enter(whole), rolledBack(enter(whole))))
        assert.strictEqual(yield* inside(whole), 2)
      })
    )
  )

  it.effect(
    "the settings of the application are as before after each call, and its temporary tables hide nothing",
    () =>
      inApplication(
        Effect.gen(function* () {
          const sql = yield* PgClient.PgClient
          const { id } = yield* anOrganization()
          const premises = OrganizationPremises(id)
          const own = yield* settings
          yield* transaction(
            Effect.gen(function* () {
              yield* sql`create temporary table open_stay (id int) on commit drop`
              yield* enter(premises)
              assert.deepStrictEqual(yield* settings, own)
              yield* sql`set local search_path = app, public`
              yield* sql`set local lock_timeout = '3s'`
              const changed = yield* settings
              yield* enter(premises)
              assert.deepStrictEqual(yield* settings, changed)
              yield* Effect.flip(enter(PlacePremises(1_000_000n as never)))
              assert.deepStrictEqual(yield* settings, changed)
              yield* book(3)
            })
          )
          assert.deepStrictEqual([yield* settings, yield* inside(premises), yield* bookings], [own, 2, [3]])
        })
      )
  )

  it.effect("an event is told after the commit, at once, and never before", () =>
    inApplication(
      Effect.gen(function* () {
        const feed = yield* PresenceFeed
        const { id } = yield* anOrganization()
        const published = Effect.map(Effect.andThen(feed.publish(NOW), feed.snapshots([id])), ([snapshot]) =>
          insideOf(snapshot!.totals[0]!)
        )
        const [entered, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const fiber = yield* Effect.forkChild(
          transaction(
            enter(OrganizationPremises(id)).pipe(
              Effect.andThen(Deferred.succeed(entered, undefined)),
              Effect.andThen(Deferred.await(commit))
            )
          )
        )
        yield* Deferred.await(entered)
        assert.strictEqual(yield* published, 0)
        const told = yield* Effect.forkChild(Effect.andThen(feed.appended, published), { startImmediately: true })
        yield* Effect.sleep("50 millis")
        assert.isUndefined(told.pollUnsafe())
        yield* Deferred.succeed(commit, undefined)
        assert.strictEqual(yield* Effect.timeout(Fiber.join(told), "500 millis"), 1)
        yield* Fiber.join(fiber)
      })
    )
  )

  it.effect("a refusal is undone by itself, and the transaction goes on", () =>
    inApplication(
      Effect.gen(function* () {
        const { id } = yield* anOrganization()
        yield* transaction(
          Effect.gen(function* () {
            yield* book(1)
            assert.strictEqual((yield* Effect.flip(anOrganization()))._tag, "OrganizationNameTaken")
            yield* enter(OrganizationPremises(id))
          })
        )
        assert.deepStrictEqual([yield* bookings, yield* inside(OrganizationPremises(id))], [[1], 1])
      })
    )
  )

  it.effect("what takes long, stops movements or is the server's own work is refused, with the reason", () =>
    inApplication(
      Effect.gen(function* () {
        const { id: organizationId } = yield* anOrganization()
        const place = yield* aPlace(organizationId)
        const toAuthenticated = OrganizationStore.use((store) =>
          store.update({
            organizationId,
            administratorId: Option.some(administratorId),
            withPlaces: false,
            decide: ({ organization }) =>
              Result.succeed({
                ...organization,
                trackingMode: "authenticated",
                authenticationServer: "ldaps://directory.example.org/dc=example" as never
              })
          })
        )
        const conclude = DeletionRequestStore.use((store) =>
          store.conclude({ organizationId, decidedBy: OperatorId.make("operator"), conclusion: "rejected" } as never)
        )
        const refused = {
          "it may take long": [
            removePlace(place.id),
            MusterStore.use((store) => store.inside(OrganizationPremises(organizationId), [administratorId])),
            conclude
          ],
          "it would hold up all movements until the transaction ends": [toAuthenticated],
          "it is work of the server itself": [
            PresenceFeed.use((feed) => feed.publish(NOW)),
            CountStore.use((store) => store.reset(NOW))
          ]
        }
        for (const [reason, operations] of Object.entries(refused)) {
          for (const operation of operations) {
            const cause = yield* causeOf(transaction(Effect.andThen(book(1), operation as Effect.Effect<void>)))
            assert.strictEqual(cause, `not possible in a transaction of the application: ${reason}`)
          }
        }
        assert.deepStrictEqual(yield* bookings, [])
        yield* removePlace(place.id)
      })
    )
  )

  it.effect("another isolation than read committed is refused, and so is a client with types of its own", () =>
    Effect.gen(function* () {
      yield* inApplication(
        Effect.gen(function* () {
          const { id } = yield* anOrganization()
          const serializable = Effect.provideService(
            transaction(enter(OrganizationPremises(id))),
            SqlClient.BeginTransaction,
            "begin isolation level serializable"
          )
          assert.strictEqual(
            yield* causeOf(serializable),
            "not possible in a transaction of the application: it is serializable"
          )
        })
      )
      yield* inApplication(
        Effect.gen(function* () {
          const { id } = yield* anOrganization()
          assert.strictEqual(
            yield* causeOf(transaction(enter(OrganizationPremises(id)))),
            "not possible in a transaction of the application: its client decodes values by types of its own"
          )
        }),
        { types: PgTypes.makeRegistry() }
      )
    })
  )

  it.effect("the names that the application's client transforms are its own", () =>
    inApplication(
      Effect.gen(function* () {
        const { id } = yield* anOrganization()
        yield* transaction(Effect.andThen(aPlace(id), enter(OrganizationPremises(id))))
        assert.strictEqual(yield* transaction(inside(OrganizationPremises(id))), 1)
      }),
      { transformResultNames: (name) => name.toUpperCase(), transformQueryNames: (name) => name.toUpperCase() }
    )
  )

  it.effect("nothing waits for others: not for connections of the stores, their limits, or a batch", () =>
    inApplication(
      Effect.gen(function* () {
        const { id } = yield* anOrganization()
        const premises = OrganizationPremises(id)
        const isHeld = yield* Deferred.make<void>()
        // As many as may write at once, and more, wait for the row that the transaction holds.
        const others = yield* Effect.forEach(Array.from({ length: 20 }), () =>
          Effect.forkChild(Effect.andThen(Deferred.await(isHeld), aPlace(id)))
        )
        const calls = Effect.all([aPlace(id), enter(premises), inside(premises)])
        yield* transaction(
          Effect.gen(function* () {
            yield* aPlace(id)
            yield* Deferred.succeed(isHeld, undefined)
            yield* Effect.sleep("200 millis")
            assert.strictEqual((yield* Effect.timeout(calls, "2 seconds"))[2], 1)
          })
        )
        yield* Effect.forEach(others, Fiber.join)
      })
    )
  )

  it.effect("concurrent calls of one transaction follow each other", () =>
    inApplication(
      Effect.gen(function* () {
        const { id } = yield* anOrganization()
        const premises = OrganizationPremises(id)
        const calls = Array.from({ length: 10 }, (_, n) => (n % 3 === 0 ? aPlace(id) : enter(premises)))
        yield* transaction(Effect.all(calls, { concurrency: "unbounded" }))
        assert.strictEqual(yield* inside(premises), 6)
      })
    )
  )

  it.effect("a deadlock fails the call, which says that the transaction has to run again", () =>
    inApplication(
      Effect.gen(function* () {
        const [one, other] = [(yield* anOrganization("One")).id, (yield* anOrganization("Other")).id]
        const both = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
        const locking = (first: OrganizationId, second: OrganizationId, nth: 0 | 1) =>
          transaction(
            Effect.gen(function* () {
              yield* aPlace(first)
              yield* Deferred.succeed(both[nth], undefined)
              yield* Deferred.await(both[nth === 0 ? 1 : 0])
              yield* aPlace(second)
            })
          ).pipe(Effect.result)
        const ended = yield* Effect.all([locking(one, other, 0), locking(other, one, 1)], { concurrency: 2 })
        const causes = ended.flatMap((result) =>
          Result.isFailure(result) ? [String((result.failure as StoreError).cause)] : []
        )
        assert.deepStrictEqual(causes, ["DeadlockError 40P01: the application's transaction has to run again"])
      })
    )
  )

  it.effect("an interruption leaves nothing", () =>
    inApplication(
      Effect.gen(function* () {
        const { id } = yield* anOrganization()
        const premises = OrganizationPremises(id)
        const fiber = yield* Effect.forkChild(
          transaction(Effect.andThen(Effect.andThen(book(1), enter(premises)), Effect.never)),
          { startImmediately: true }
        )
        yield* Effect.sleep("200 millis")
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual([yield* bookings, yield* inside(premises)], [[], 0])
      })
    )
  )

  it.effect("the core knows of it", () =>
    inApplication(
      Effect.gen(function* () {
        const isInTransaction = yield* IsInTransaction
        assert.deepStrictEqual([yield* isInTransaction, yield* transaction(isInTransaction)], [false, true])
      })
    )
  )
})

shared(layerPostgres, { excludeTestServices: true })("in a transaction of the client of the stores", (it) => {
  it.effect("an entrance is rolled back as well", () =>
    withStores(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const premises = OrganizationPremises((yield* anOrganization()).id)
        yield* Effect.flip(sql.withTransaction(Effect.andThen(enter(premises), Effect.fail("rolled back"))))
        assert.strictEqual(yield* inside(premises), 0)
        yield* sql.withTransaction(enter(premises))
        assert.strictEqual(yield* inside(premises), 1)
      })
    )
  )
})
