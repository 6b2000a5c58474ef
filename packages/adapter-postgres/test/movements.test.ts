/** How many statements an entrance takes: one says why it is refused, and what needs more runs again once, in a transaction. */
import { assert, layer as shared } from "@effect/vitest"
import {
  OrganizationId,
  OrganizationPremises,
  OrgAuthServerId,
  PlaceId,
  PlacePremises,
  type Premises,
  Timestamp,
  UserId
} from "@sojourn/core"
import { Effect, Latch, Option, Result } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { type Database, makeDatabase } from "../src/database/Database.ts"
import { makePremisesDirectory } from "../src/database/PremisesDirectory.ts"
import { makeStoring } from "../src/database/Storing.ts"
import { GroupCommit, makeStayLog } from "../src/stays/StayLog.ts"
import { insertOrganization, layerPostgres, withStores } from "./fixtures.ts"

const NOW = Timestamp(1_772_352_000_000)

/** A stay log that counts its transactions, and its statements in and outside of them. */
const counted = Effect.fnUntraced(function* () {
  const db = makeDatabase(yield* SqlClient.SqlClient)
  let [statements, transactions] = [0, 0]
  const counting: Database = {
    ...db,
    run: (text, parameters) =>
      Effect.suspend(() => {
        statements++
        return db.run(text, parameters)
      }),
    transaction: (body) =>
      Effect.suspend(() => {
        transactions++
        return db.transaction(body)
      })
  }
  const directory = makePremisesDirectory(db)
  const log = yield* makeStayLog(counting, directory, makeStoring(db, Effect.void), Effect.void, yield* Latch.make())
  return {
    /** Enters, and answers the outcome with the number of statements and of transactions. */
    enter: (premises: Premises, { timestamp, claimed }: { timestamp?: number; claimed?: string } = {}) =>
      Effect.gen(function* () {
        ;[statements, transactions] = [0, 0]
        const entered = yield* Effect.result(
          log.open({
            premises,
            userId: UserId.make("auth0|ada"),
            claim: {
              timestamp: timestamp === undefined ? undefined : Timestamp(timestamp),
              orgAuthServerId: claimed === undefined ? undefined : OrgAuthServerId.make(claimed),
              now: NOW
            },
            keyId: 1,
            retryKey: Option.none()
          })
        )
        return [Result.isSuccess(entered) ? "entered" : entered.failure._tag, statements, transactions]
      })
  }
})

shared(layerPostgres, { excludeTestServices: true })((it) => {
  for (const isBatched of [true, false]) {
    it.effect(
      `an entrance takes one statement, and runs again once at most, ${isBatched ? "batched" : "one by one"}`,
      () =>
        withStores(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const premises = OrganizationPremises(OrganizationId.make(1n))
            const [one, two, gone] = [1n, 2n, 3n].map((id) => PlacePremises(PlaceId.make(id))) as [
              Premises,
              Premises,
              Premises
            ]
            yield* insertOrganization(1)
            yield* sql`insert into place (organization_id, id, tracking_area, west, east, south, north, area_points)
            select 1, id, '{}', 0, 0, 0, 0, 5 from generate_series(1, 3) id`
            const { enter } = yield* counted()
            for (const place of [one, two, gone]) yield* enter(place)
            yield* sql`delete from place where id = 3`

            assert.deepStrictEqual(yield* enter(premises), ["entered", 1, 0])
            assert.deepStrictEqual(yield* enter(premises, { timestamp: NOW + 3_600_000 }), ["TimestampInFuture", 1, 0])
            assert.deepStrictEqual(yield* enter(gone), ["PremisesNotFound", 1, 0])

            // The mode is cached: the transaction locks the link, and enters.
            yield* sql`update organization set tracking_mode = 'authenticated'`
            assert.deepStrictEqual(yield* enter(premises), ["NotLinked", 3, 1])
            assert.deepStrictEqual(yield* enter(premises), ["NotLinked", 1, 0])
            assert.deepStrictEqual(yield* enter(gone), ["PremisesNotFound", 1, 0])
            yield* sql`insert into account_link (organization_id, user_id, org_auth_server_id) values (1, 'auth0|ada', 'ada')`
            assert.deepStrictEqual(yield* enter(one, { claimed: "bob" }), ["IdentityNotOwn", 1, 0])
            assert.deepStrictEqual(yield* enter(one), ["entered", 1, 0])

            // The transaction also looks for other stays, and closes them.
            yield* sql`insert into stay_policy (organization_id, exclusive_places) values (1, true)`
            assert.deepStrictEqual(yield* enter(two, { claimed: "bob" }), ["IdentityNotOwn", 1, 0])
            assert.deepStrictEqual(yield* enter(two), ["entered", 5, 1])
            assert.deepStrictEqual(yield* enter(two), ["entered", 4, 1])
          }).pipe(Effect.scoped, Effect.provideService(GroupCommit, isBatched))
        )
    )
  }
})
