/** The presence feed in PostgreSQL: levels, event kinds, and concurrent writers. */
import { assert, layer } from "@effect/vitest"
import { type CapacityLevel, nextLevel, OrganizationId, Timestamp, warningFrom } from "@sojourn/core"
import { Effect, Fiber, Latch, Option, Queue, Ref, Stream } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { makeDatabase } from "../src/database/Database.ts"
import { makeStoring } from "../src/database/Storing.ts"
import { sessionsOf } from "../src/database/Sessions.ts"
import { NEXT_LEVEL } from "../src/feed/capacity.sql.ts"
import { makePresenceFeed } from "../src/feed/PresenceFeed.ts"
import { rollUp } from "../src/history/HistoryStore.ts"
import { publishEvents } from "../src/feed/publishEvents.ts"
import { migrate } from "../src/index.ts"
import { emptyDatabase, insertOrganization, layerPostgres, on, onEmpty } from "./fixtures.ts"

const one = OrganizationId.make(1n)
const two = OrganizationId.make(2n)

/** Two organizations, the first authenticated and with places 7 and 8. */
const organizations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* insertOrganization(1, "authenticated")
  yield* insertOrganization(2)
  yield* sql`insert into place (organization_id, id, tracking_area, west, east, south, north, area_points)
    select 1, id, '{}', 0, 1, 0, 1, 5 from unnest(array[7, 8]) as id`
  yield* sql`insert into presence_feed (organization_id, at) values (1, now()), (2, now())`
  yield* sql`insert into presence_history (organization_id) values (1), (2)`
  yield* sql`insert into presence_totals (organization_id, place_id, began_at)
    values (1, 0, now()), (1, 7, now()), (1, 8, now()), (2, 0, now())`
})

/** Opens so many stays at premises, in one statement with the pending change. */
const enter = (organization: number, place: number, count: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      with changed as (
        insert into open_stay (organization_id, place_id, key_id, entered_at, recorded_at)
        select ${organization}::bigint, ${place}::bigint, 0, now(), now() from generate_series(1, ${count}::int)
        returning *
      )
      insert into pending_change (organization_id, place_id, entered, at)
      select organization_id, place_id, count(*), max(recorded_at) from changed group by 1, 2`
  )

/** Closes so many of them after an hour each, in one statement with the pending change. */
const leave = (organization: number, place: number, count: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      with gone as (
        delete from open_stay where id in (
          select id from open_stay where organization_id = ${organization}::bigint and place_id = ${place}::bigint
          order by id limit ${count}::int for update skip locked
        )
        returning *
      ),
      closed as (
        insert into stay (organization_id, place_id, id, entered_at, exited_at)
        select organization_id, place_id, id, entered_at, entered_at + interval '1 hour' from gone
      )
      insert into pending_change (organization_id, place_id, departed, exits, stayed, at)
      select organization_id, place_id, count(*), count(*), count(*) * 3600000,
        date_trunc('milliseconds', clock_timestamp())
      from gone group by 1, 2`
  )

const feedOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const db = makeDatabase(sql)
  const storing = makeStoring(db, Effect.void)
  return {
    db,
    feed: makePresenceFeed(db, storing, yield* Latch.make(), Option.fromUndefinedOr(sessionsOf(sql)?.listen), rollUp)
  }
})

const now = Effect.sync(() => Timestamp(Date.now()))

/** Where open stays and what the feed knows of them differ, in one snapshot. */
const differences = SqlClient.SqlClient.use(
  (sql) => sql`
    select * from (
      select organization_id, place_id, sum(open) as open, sum(known) as known from (
        select organization_id, place_id, 1 as open, 0 as known from open_stay
        union all select organization_id, place_id, 0, entered - departed from presence_totals
        union all select organization_id, place_id, 0, entered - departed from pending_change
      ) counts group by 1, 2
    ) sums where open <> known`
)

/** Requires that versions have no gaps, that times never go back, and that each `inside` is the sum until then. */
const requireOneOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const wrong = yield* sql`
    select * from (
      select e.*, row_number() over feed as place_in_feed, lag(at) over feed as before,
        sum(entered - departed) over (partition by organization_id, place_id order by version) as sum_inside
      from presence_event e window feed as (partition by organization_id order by version)
    ) e
    where version <> place_in_feed or at < before or type = 'presence.changed' and inside <> sum_inside`
  assert.deepStrictEqual(wrong, [])
  assert.deepStrictEqual(
    yield* sql`select organization_id from presence_feed f
      where version <> (select count(*) from presence_event e where e.organization_id = f.organization_id)`,
    []
  )
})

layer(layerPostgres, { excludeTestServices: true })("the presence feed", (it) => {
  it.effect("computes levels as the rule does", () =>
    Effect.gen(function* () {
      const levels: ReadonlyArray<CapacityLevel> = ["none", "normal", "warning", "full", "over"]
      const cases = [1, 2, 19, 20, 21, 40, 59, 60, 100].flatMap((capacity) =>
        [0.01, 0.5, 0.8, 0.93, 1].flatMap((warnAt) =>
          levels.flatMap((level) =>
            Array.from({ length: capacity + 5 }, (_, inside) => ({
              level,
              inside,
              capacity: capacity as number | null,
              warn_from: warningFrom({ capacity, warnAt }) as number | null,
              expected: nextLevel({ capacity, warnAt }, level, inside)
            }))
          )
        )
      )
      const none = { level: "full" as const, inside: 3, capacity: null, warn_from: null, expected: "none" as const }
      const wrong = yield* onEmpty(
        SqlClient.SqlClient.use((sql) =>
          sql.unsafe(
            `select * from (
              select *, ${NEXT_LEVEL} as found
              from json_to_recordset($1::json) as c (level text, inside bigint, capacity bigint, warn_from bigint, expected text)
            ) levels where found <> expected`,
            [JSON.stringify([...cases, none])]
          )
        )
      )
      assert.deepStrictEqual(wrong, [])
    })
  )

  it.effect("publishes each movement once, whatever publishes at the same moment and is terminated meanwhile", () =>
    Effect.gen(function* () {
      const address = yield* emptyDatabase
      const premises = [
        [1, 0],
        [1, 7],
        [1, 8],
        [2, 0]
      ] as const
      yield* on(address)(Effect.andThen(migrate, organizations))
      yield* on(address)(
        SqlClient.SqlClient.use((sql) => sql`insert into stay_policy (organization_id, event_grain) values (2, 0)`)
      )
      const done = yield* Ref.make(false)
      const untilDone = <E, R>(step: Effect.Effect<unknown, E, R>) =>
        Effect.andThen(step, Effect.yieldNow).pipe(Effect.repeat({ until: () => Ref.get(done) }))
      let terminated = 0
      const crowd = Effect.forEach(
        premises,
        ([organization, place]) =>
          Effect.forEach(
            Array.from({ length: 60 }, (_, round) => round),
            (round) =>
              Effect.andThen(enter(organization, place, 1 + (round % 3)), leave(organization, place, round % 3)).pipe(
                Effect.delay(1)
              ),
            { discard: true }
          ),
        { concurrency: "unbounded", discard: true }
      )
      const publishing = Effect.gen(function* () {
        const { feed } = yield* feedOf
        // A terminated backend is a failure of the storage: the next call does its work.
        yield* untilDone(Effect.ignore(Effect.flatMap(now, feed.publish)))
      })
      const terminating = untilDone(
        SqlClient.SqlClient.use(
          (sql) => sql<{ readonly count: bigint }>`
            select count(*) filter (where pg_terminate_backend(pid)) as count from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()
              and (query like '%with feed as materialized%' or query like '%no key update skip locked%')
              and query not like '%pg_stat_activity%' and state <> 'idle'`
        ).pipe(
          Effect.tap(([row]) => Effect.sync(() => (terminated += Number(row!.count)))),
          Effect.delay(5)
        )
      )
      const looking = Effect.gen(function* () {
        const looks = yield* Ref.make(0)
        yield* untilDone(
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* differences, [])
            yield* Ref.update(looks, (count) => count + 1)
          })
        )
        return yield* Ref.get(looks)
      })
      const [, , , , looks] = yield* Effect.all(
        [
          Effect.ensuring(on(address)(crowd), Ref.set(done, true)),
          on(address)(publishing),
          on(address)(publishing),
          on(address)(terminating),
          on(address)(looking)
        ],
        { concurrency: "unbounded" }
      )
      assert.isAbove(looks, 10)
      assert.isAbove(terminated, 0)
      yield* on(address)(
        Effect.gen(function* () {
          const { feed } = yield* feedOf
          yield* feed.publish(yield* now)
          yield* requireOneOrder
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`select * from pending_change`, [])
          const sums = yield* sql`
            select organization_id::int as organization, place_id::int as place, sum(entered)::int as entered,
              sum(exits)::int as exits, (sum(stayed) / 3600000)::int as hours, sum(departed)::int as departed
            from presence_event group by 1, 2 order by 1, 2`
          assert.deepStrictEqual(
            sums,
            premises.map(([organization, place]) => ({
              organization,
              place,
              entered: 120,
              exits: 60,
              hours: 60,
              departed: 60
            }))
          )
        })
      )
    })
  )

  it.effect("gives other servers events, until the connection breaks", () =>
    Effect.gen(function* () {
      const address = yield* emptyDatabase
      yield* on(address)(Effect.andThen(migrate, organizations))
      const heard = yield* Queue.unbounded<ReadonlyArray<OrganizationId>>()
      const listening = yield* Effect.gen(function* () {
        const { feed } = yield* feedOf
        return yield* Stream.runForEach(feed.notifications, (events) => Queue.offer(heard, events))
      }).pipe(on(address), Effect.flip, Effect.forkScoped)
      yield* on(address)(
        Effect.gen(function* () {
          const { db, feed } = yield* feedOf
          const sql = yield* SqlClient.SqlClient
          const listener = sql<{ readonly pid: number }>`
            select pid from pg_stat_activity where datname = current_database() and query like 'LISTEN%'`
          yield* Effect.repeat(Effect.delay(listener, 10), { until: ([row]) => row !== undefined })
          yield* enter(1, 7, 2)
          yield* enter(2, 0, 1)
          yield* feed.publish(yield* now)
          assert.deepStrictEqual(yield* Queue.takeN(heard, 2), [[one], [two]])
          yield* sql.withTransaction(publishEvents(db, two, [{ _tag: "OrganizationChanged", changed: "updated" }]))
          assert.deepStrictEqual(yield* Queue.take(heard), [two])
          yield* sql`insert into organization (id, name, tracking_area, tracking_mode, creation_date, last_change_date)
            select n, n::text, '{}', 'authenticated', now(), now() from generate_series(10001, 12000) n`
          yield* sql`insert into presence_feed (organization_id, at) select id, now() from organization where id > 10000`
          yield* sql`insert into presence_totals (organization_id, place_id, began_at)
            select id, 0, now() from organization where id > 10000`
          yield* sql`insert into pending_change (organization_id, place_id, entered, at)
            select id, 0, 1, now() from organization where id > 10000`
          assert.strictEqual((yield* feed.publish(yield* now)).organizations.length, 2000)
          assert.strictEqual((yield* Queue.takeN(heard, 2000)).length, 2000)
          const [row] = yield* listener
          yield* sql`select pg_terminate_backend(${row!.pid}::int)`
          assert.strictEqual((yield* Fiber.join(listening))._tag, "StoreError")
        })
      )
    })
  )
})
