/** Stopping movements does not block them for long. */
import { assert, layer as shared } from "@effect/vitest"
import { OrganizationId, OrganizationPremises, StayLog, Timestamp, UserId } from "@sojourn/core"
import { Deferred, Effect, Fiber, Option } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { makeDatabase } from "../src/database/Database.ts"
import { stopMovements } from "../src/database/locks.ts"
import { insertOrganization, layerPostgres, untilWaiting, withStores } from "./fixtures.ts"

const TOWN = OrganizationId.make(1n)
const entering = StayLog.use((log) =>
  log.open({
    premises: OrganizationPremises(TOWN),
    userId: UserId.make("ada"),
    claim: { timestamp: undefined, orgAuthServerId: undefined, now: Timestamp(1_772_352_000_000) },
    keyId: 1,
    retryKey: Option.none()
  })
)

/** Holds the lock that a vacuum of the table holds, until the effect inside is through. */
const whileVacuumed = <A, E, R>(inside: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const isHeld = yield* Deferred.make<void>()
    const isThrough = yield* Deferred.make<void>()
    const vacuum = yield* sql
      .withTransaction(
        sql`lock table open_stay in share update exclusive mode`.pipe(
          Effect.andThen(Deferred.succeed(isHeld, undefined)),
          Effect.andThen(Deferred.await(isThrough))
        )
      )
      .pipe(Effect.forkChild)
    yield* Deferred.await(isHeld)
    const ended = yield* inside
    yield* Deferred.succeed(isThrough, undefined)
    yield* Fiber.join(vacuum)
    return ended
  })

shared(layerPostgres, { excludeTestServices: true })("movements that are to stop", (it) => {
  const given = <A, E, R>(test: Effect.Effect<A, E, R>) => withStores(Effect.andThen(insertOrganization(1), test))

  it.effect("go on while a vacuum is in the way, and stop once it is through", () =>
    given(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const db = makeDatabase(sql)
        const isStopped = yield* Deferred.make<void>()
        const isDone = yield* Deferred.make<void>()
        const stopping = db.transaction(
          Effect.gen(function* () {
            yield* stopMovements(db)
            const [bound] = yield* sql<{ readonly lock_timeout: string }>`show lock_timeout`
            yield* Deferred.succeed(isStopped, undefined)
            yield* Deferred.await(isDone)
            return bound?.lock_timeout
          })
        )
        const stopped = yield* whileVacuumed(
          Effect.gen(function* () {
            // A caller that is refused for trying too long asks again.
            const fiber = yield* Effect.forkChild(Effect.retry(stopping, { times: 20 }))
            yield* untilWaiting(1)
            // Its members would be abandoned after 15 seconds, and it waits for no longer than an attempt.
            yield* entering
            assert.isFalse(yield* Deferred.isDone(isStopped))
            return fiber
          })
        )
        yield* Deferred.await(isStopped)
        const late = yield* Effect.forkChild(entering)
        yield* untilWaiting(1)
        assert.strictEqual(late.pollUnsafe(), undefined)
        yield* Deferred.succeed(isDone, undefined)
        assert.strictEqual(yield* Fiber.join(stopped), "5s")
        yield* Fiber.join(late)
      })
    )
  )

  it.effect(
    "are not stopped in the end where it never is through, and nothing else of the transaction is undone by trying",
    () =>
      given(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const db = makeDatabase(sql)
          const reason = yield* whileVacuumed(
            db.transaction(
              Effect.gen(function* () {
                yield* sql`update organization set name = 'Village'`
                const { reason } = yield* Effect.flip(stopMovements(db))
                return reason._tag
              })
            )
          )
          assert.strictEqual(reason, "LockTimeoutError")
          assert.deepStrictEqual(yield* sql`select name from organization`, [{ name: "Village" }])
          yield* entering
        })
      )
  )
})
