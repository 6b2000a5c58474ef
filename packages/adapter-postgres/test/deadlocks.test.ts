/** Batches of two servers with the same entrances in different orders cause no deadlock. */
import { assert, layer as shared } from "@effect/vitest"
import { OrganizationId, OrganizationPremises, type RetryKey, Timestamp, UserId } from "@sojourn/core"
import { Deferred, Effect, Fiber, Latch, Option, Result } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { makeDatabase } from "../src/database/Database.ts"
import { makeTrackingModes, movements } from "../src/stays/movements.ts"
import type { LocatedOpening } from "../src/stays/movementStatement.ts"
import { insertOrganization, layerPostgres, untilWaiting, withStores } from "./fixtures.ts"

const NOW = Timestamp(1_772_352_000_000)

/** Two organizations in which the user is known by the same id. */
const founded = (mode: "anonymous" | "authenticated") =>
  SqlClient.SqlClient.use((sql) =>
    Effect.forEach([1, 2], (id) =>
      Effect.andThen(
        insertOrganization(id, mode),
        sql`insert into account_link (organization_id, user_id, org_auth_server_id) values (${id}, 'auth0|ada', 'ada')`
      )
    )
  )

const entrance = (organization: bigint, retryKey: Option.Option<string>): LocatedOpening => {
  const organizationId = OrganizationId.make(organization)
  return {
    _tag: "Opening",
    organizationId,
    placeId: 0n as never,
    opening: {
      premises: OrganizationPremises(organizationId),
      userId: UserId.make("auth0|ada"),
      claim: { timestamp: undefined, orgAuthServerId: undefined, now: NOW },
      keyId: 1,
      retryKey: Option.map(retryKey, (key) => key as RetryKey)
    }
  }
}

shared(layerPostgres, { excludeTestServices: true })("batches of the same", (it) => {
  const CASES = [
    {
      what: "retry keys",
      mode: "anonymous",
      batch: [entrance(1n, Option.some("first")), entrance(1n, Option.some("second"))],
      block: (sql: SqlClient.SqlClient) => sql`insert into entrance_retry
        (organization_id, place_id, retry_key, stay_id, key_id, entered_at, used_at)
        values (1, 0, 'first', 1000, 1, now(), now())`
    },
    {
      what: "person in two organizations",
      mode: "authenticated",
      batch: [entrance(1n, Option.none()), entrance(2n, Option.none())],
      block: (sql: SqlClient.SqlClient) => sql`insert into open_stay
        (organization_id, place_id, id, person, key_id, entered_at, recorded_at)
        values (1, 0, 1000, 'ada', 1, now(), now())`
    }
  ] as const
  for (const { what, mode, batch, block } of CASES) {
    it.effect(`${what}, in different orders, cause no deadlock`, () =>
      withStores(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* founded(mode)
          const db = makeDatabase(sql)
          const { run } = movements(db, makeTrackingModes(), yield* Latch.make())
          // Which of the waiting batches continues first is random: enough rounds to meet both cases.
          for (let round = 0; round < 8; round++) {
            const isHeld = yield* Deferred.make<void>()
            const isWaitedFor = yield* Deferred.make<void>()
            const blocking = yield* sql
              .withTransaction(
                block(sql).pipe(
                  Effect.andThen(Deferred.succeed(isHeld, undefined)),
                  Effect.andThen(Deferred.await(isWaitedFor)),
                  Effect.andThen(Effect.fail("rolled back"))
                )
              )
              .pipe(Effect.ignore, Effect.forkChild)
            yield* Deferred.await(isHeld)
            const one = yield* Effect.forkChild(Effect.result(run(batch)))
            yield* untilWaiting(1)
            const other = yield* Effect.forkChild(Effect.result(run(batch.toReversed())))
            yield* untilWaiting(2)
            yield* Deferred.succeed(isWaitedFor, undefined)
            yield* Fiber.join(blocking)
            const ends = [yield* Fiber.join(one), yield* Fiber.join(other)]
            // Of two entrances with one retry key the later breaks its batch, which then runs again.
            const broken = ends.flatMap((end) => (Result.isFailure(end) ? [end.failure.reason._tag] : []))
            assert.notInclude(broken, "DeadlockError", `round ${round}`)
            assert.isBelow(broken.length, 2)
            yield* sql`truncate open_stay, entrance_retry`
          }
        })
      )
    )
  }
})
