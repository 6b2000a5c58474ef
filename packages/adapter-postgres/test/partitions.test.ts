/** The partitions of closed stays: made ahead, gone on with, and dropped, while movements, policies and other servers go on. */
import { assert, describe, it, layer as shared } from "@effect/vitest"
import {
  OrganizationId,
  OrganizationPremises,
  type Opened,
  Retention,
  StayLog,
  StayPolicyStore,
  Timestamp,
  UserId
} from "@sojourn/core"
import { Effect, Fiber, Layer, Option, Stream } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { layer, loadDatabase, PartitionRows, type Rows, saveDatabase } from "../src/index.ts"
import { FIRST, refuseAhead } from "../src/stays/partitions.sql.ts"
import { nextStep, type Partition, PARTITION_IDS, type Partitions } from "../src/stays/StayPartitions.ts"
import { emptyDatabase, insertOrganization, layerPostgres, on, untilWaiting } from "./fixtures.ts"

const DAY = 86_400_000
const NOW = 1_772_352_000_000
const RETENTION = Retention.make(86_400)

describe("the next step", () => {
  const partition = (name: string, rows: number, from?: bigint, to?: bigint): Partition => ({
    name,
    rows,
    isDefault: to === undefined,
    from,
    to
  })
  const [one, two, three] = [PARTITION_IDS, 2n * PARTITION_IDS, 3n * PARTITION_IDS]
  const rest = partition("stay_rest", 0)
  const state = (last: bigint, ...all: ReadonlyArray<Partition>): Partitions => ({ all, last, hasRetention: true })

  for (const [what, given, expected] of [
    ["none where the first is less than half full", state(9n, partition(FIRST, 49)), undefined],
    ["make the second when the first is half full", state(9n, partition(FIRST, 50)), { _tag: "Make", from: one }],
    ["none where nothing is ever forgotten", { ...state(9n, partition(FIRST, 90)), hasRetention: false }, undefined],
    [
      "leave room for ids that are issued meanwhile",
      state(one - 9n, partition(FIRST, 90)),
      { _tag: "Make", from: two }
    ],
    [
      "none until the present one is full",
      state(9n, partition(FIRST, 99, undefined, one), rest, partition("b", 0, one, two)),
      undefined
    ],
    [
      "go on when it is full",
      state(9n, partition(FIRST, 100, undefined, one), rest, partition("b", 0, one, two)),
      { _tag: "GoOn", from: one }
    ],
    [
      "make the third when the second is half full",
      state(one, partition(FIRST, 100, undefined, one), rest, partition("b", 50, one, two)),
      { _tag: "Make", from: two }
    ],
    [
      "none until a tenth of all is in the present one",
      state(one, partition(FIRST, 2_000, undefined, one), rest, partition("b", 100, one, two)),
      undefined
    ],
    [
      "make one where ids come from elsewhere",
      state(two, partition(FIRST, 0, undefined, one), partition("stay_rest", 60)),
      { _tag: "Make", from: three }
    ],
    ["none at the end of the range of a cell", state(2n ** 45n - 9n, partition(FIRST, 90)), undefined],
    [
      "make one in the range of another cell",
      state(2n ** 45n + 9n, partition(FIRST, 90)),
      { _tag: "Make", from: 2n ** 45n + PARTITION_IDS }
    ]
  ] as const) {
    it(what, () => assert.deepStrictEqual(nextStep(given, 100), expected))
  }
})

/** The stores of a server of the database, whose partitions are full with so many accesses. */
const server = (address: Effect.Success<typeof emptyDatabase>, rows: number) =>
  Layer.fresh(layer(address)).pipe(Layer.provide(Layer.succeed(PartitionRows, rows)))

/** Runs an effect on a server with small partitions. */
const withPartitions = <A, E, R>(effect: Effect.Effect<A, E, R>, rows = 2) =>
  Effect.flatMap(emptyDatabase, (address) => Effect.provide(effect, server(address, rows)))

const premisesOf = (organization: number) => OrganizationPremises(OrganizationId.make(BigInt(organization)))

const claimAt = (at: number) => ({ timestamp: undefined, orgAuthServerId: undefined, now: Timestamp(at) })

const user = UserId.make("phone")

const enter = (organization: number, at = NOW) =>
  StayLog.use((log) =>
    log.open({
      premises: premisesOf(organization),
      userId: user,
      claim: claimAt(at),
      keyId: 0,
      retryKey: Option.none()
    })
  )

const leave = ({ premises, organizationId, id }: Opened, at = NOW) =>
  StayLog.use((log) => log.close({ premises, stay: { organizationId, stayId: id }, userId: user, claim: claimAt(at) }))

const visit = (organization: number, at = NOW) => Effect.tap(enter(organization, at), (stay) => leave(stay, at))

const listed = (stays: ReadonlyArray<Opened>) =>
  Effect.forEach([...Map.groupBy(stays, ({ organizationId }) => organizationId)], ([id, own]) =>
    StayLog.use((log) =>
      log.closedByIds(
        id,
        OrganizationPremises(id),
        own.map((stay) => stay.id)
      )
    )
  ).pipe(Effect.map((lists) => lists.flat().length))

/** Sets or lifts the retention of an organization. */
const retain = (organization: number, retention: Retention | null = RETENTION) =>
  StayPolicyStore.use((store) =>
    store.change({
      organizationId: OrganizationId.make(BigInt(organization)),
      decide: () => ({ retention: retention ?? undefined })
    })
  )

/** The upkeep, once PostgreSQL has counted rows. */
const keep = (at = NOW) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe("analyze stay")
    return yield* StayPolicyStore.use((store) => store.forgetAtOnce(Timestamp(at)))
  })

const partitions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string; readonly bound: string }>`
    select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'stay'::regclass order by 1`
  return Object.fromEntries(rows.map(({ name, bound }) => [name, bound]))
})

/** In which partitions accesses are. */
const where = (stays: ReadonlyArray<Opened>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ readonly id: bigint; readonly name: string }>`
      select id, tableoid::regclass::text as name from stay where ${sql.in(
        "id",
        stays.map(({ id }) => id)
      )}`
    return stays.map(({ id }) => rows.find((row) => row.id === id)?.name)
  })

const SECOND = `stay_${PARTITION_IDS}`

/** Two organizations that forget after a day, a partition with accesses of both, and the next one, in which stays are opened. */
const begun = Effect.gen(function* () {
  yield* insertOrganization(1)
  yield* insertOrganization(2)
  yield* retain(1)
  yield* retain(2)
  const inside = yield* enter(1)
  const closed = [yield* visit(1), yield* visit(2), yield* visit(2)]
  yield* keep()
  yield* keep()
  return { inside, closed }
})

shared(layerPostgres, { excludeTestServices: true })("partitions of closed stays", (it) => {
  it.effect("are made ahead, have the options of the first, and ids go on in them", () =>
    withPartitions(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* insertOrganization(1)
        const closed = [yield* visit(1), yield* visit(1), yield* visit(1)]
        yield* keep()
        assert.deepStrictEqual(yield* partitions, { [FIRST]: "DEFAULT" })
        yield* retain(1)
        yield* keep()
        assert.deepStrictEqual(yield* partitions, {
          [FIRST]: `FOR VALUES FROM (MINVALUE) TO ('${PARTITION_IDS}')`,
          [SECOND]: `FOR VALUES FROM ('${PARTITION_IDS}') TO ('${2n * PARTITION_IDS}')`,
          stay_rest: "DEFAULT"
        })
        const late = yield* enter(1)
        yield* keep()
        yield* keep()
        const next = yield* visit(1)
        yield* leave(late)
        assert.deepStrictEqual(yield* where([late, next]), [FIRST, SECOND])
        assert.strictEqual(yield* listed([...closed, late, next]), 5)

        const differing = yield* sql`
          select distinct c.reloptions, a.attstattarget,
            (select count(*) from pg_constraint where conrelid = c.oid and contype <> 'n') as constraints,
            (select count(*) from pg_index x join pg_inherits i on i.inhrelid = x.indexrelid where x.indrelid = c.oid) as indexes
          from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'person'
          where c.relname like 'stay\\_%' and c.relispartition and c.relkind = 'r'`
        assert.deepStrictEqual(
          differing.map((row) => ({ ...row })),
          [
            {
              reloptions: ["autovacuum_vacuum_insert_scale_factor=0.02"],
              attstattarget: 0,
              constraints: 2n,
              indexes: 4n
            }
          ]
        )
      })
    )
  )

  it.effect("are dropped when no organization needs an access in them, and not before", () =>
    withPartitions(
      Effect.gen(function* () {
        const { closed } = yield* begun
        const kept = yield* visit(1, NOW + DAY)
        assert.strictEqual(yield* keep(NOW + DAY), 0)
        assert.strictEqual(yield* listed(closed), 3)
        assert.strictEqual(yield* keep(NOW + DAY + 1), 3)
        assert.notProperty(yield* partitions, FIRST)
        assert.strictEqual(yield* listed([...closed, kept]), 1)
      })
    )
  )

  it.effect("stay while one organization needs an access in them, and those of others are deleted one by one", () =>
    withPartitions(
      Effect.gen(function* () {
        const store = yield* StayPolicyStore
        const { closed } = yield* begun
        yield* retain(2, null)
        const now = Timestamp(NOW + 9 * DAY)
        assert.strictEqual(yield* keep(now), 0)
        const organizationId = OrganizationId.make(1n)
        const lease = Option.getOrThrow(yield* store.takeLease({ organizationId, every: 0, now }))
        assert.strictEqual(yield* store.forget({ lease, now, most: 10, isFirst: true }), 1)
        assert.strictEqual(yield* listed(closed), 2)
        yield* retain(2)
        assert.strictEqual(yield* keep(now), 2)
      })
    )
  )

  it.effect(
    "stay when a stay of theirs ended late, which looking at one access of each organization does not see",
    () =>
      withPartitions(
        Effect.gen(function* () {
          const { inside, closed } = yield* begun
          const later = NOW + 5 * DAY
          yield* leave(inside, later)
          assert.strictEqual(yield* keep(later), 0)
          assert.strictEqual(yield* listed([inside, ...closed]), 4)
          assert.property(yield* partitions, FIRST)
          assert.strictEqual(yield* keep(later + DAY + 1), 4)
        })
      )
  )

  it.effect("are dropped while a stay of theirs is open, which is then kept with those of other ids", () =>
    withPartitions(
      Effect.gen(function* () {
        const { inside, closed } = yield* begun
        const later = NOW + 5 * DAY
        assert.strictEqual(yield* keep(later), 3)
        yield* leave(inside, later)
        assert.deepStrictEqual(yield* where([inside, ...closed]), ["stay_rest", undefined, undefined, undefined])
        assert.strictEqual(yield* listed([inside, ...closed]), 1)
        // The next partition is made although the default one is not empty.
        yield* Effect.all([visit(1, later), visit(1, later), visit(1, later)])
        yield* keep(later)
        assert.property(yield* partitions, `stay_${2n * PARTITION_IDS}`)
      })
    )
  )

  it.effect("stay for ten minutes after an import, whose accesses may have any of their ids", () =>
    withPartitions(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { closed } = yield* begun
        const later = NOW + 5 * DAY
        yield* sql`insert into presence_feed (organization_id, at) values (1, now())`
        yield* sql`insert into presence_history (organization_id, imported_at) values (1, ${new Date(later)})`
        assert.strictEqual(yield* keep(later), 0)
        assert.strictEqual(yield* listed(closed), 3)
        assert.strictEqual(yield* keep(later + 600_001), 3)
      })
    )
  )

  for (const [what, hold, during] of [
    ["a policy is lifted", "update stay_policy set retention = null where organization_id = 2", () => Effect.void],
    ["an exit adds an access", "select from stay_policy for update", (stay: Opened, at: number) => leave(stay, at)]
  ] as const) {
    it.effect(`stay where ${what} after their accesses were read`, () =>
      Effect.gen(function* () {
        const address = yield* emptyDatabase
        yield* Effect.provide(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const { inside, closed } = yield* begun
            const later = Timestamp(NOW + 5 * DAY)
            const other = <A, E>(effect: Effect.Effect<A, E, StayLog | StayPolicyStore | SqlClient.SqlClient>) =>
              Effect.provide(effect, server(address, 2))
            const dropping = yield* sql.withTransaction(
              Effect.gen(function* () {
                yield* sql.unsafe(hold)
                const fiber = yield* Effect.forkChild(other(StayPolicyStore.use((store) => store.forgetAtOnce(later))))
                yield* other(Effect.andThen(untilWaiting(1), during(inside, later)))
                return fiber
              })
            )
            assert.strictEqual(yield* Fiber.join(dropping), 0)
            assert.property(yield* partitions, FIRST)
            assert.strictEqual(yield* listed([inside, ...closed]), what.startsWith("an exit") ? 4 : 3)
          }),
          server(address, 2)
        )
      })
    )
  }

  it.effect("are changed by one of several servers at once", () =>
    Effect.gen(function* () {
      const address = yield* emptyDatabase
      yield* Effect.provide(
        Effect.gen(function* () {
          yield* insertOrganization(1)
          yield* retain(1)
          yield* Effect.all([visit(1), visit(1), visit(1), visit(1)])
          yield* SqlClient.SqlClient.use((sql) => sql.unsafe("analyze stay"))
          const all = (at: number) =>
            Effect.all(
              Array.from({ length: 6 }, () =>
                Effect.provide(
                  StayPolicyStore.use((store) => store.forgetAtOnce(Timestamp(at))),
                  server(address, 2)
                )
              ),
              { concurrency: "unbounded" }
            )
          // Each may find that another one has begun, and leaves it for the next time.
          for (let time = 0; time < 50 && Object.keys(yield* partitions).length === 1; time++) yield* all(NOW)
          assert.deepStrictEqual(Object.keys(yield* partitions), [SECOND, FIRST, "stay_rest"])
          yield* all(NOW)
          const next = yield* visit(1, NOW + 5 * DAY)
          assert.deepStrictEqual(yield* where([next]), [SECOND])
          assert.strictEqual(
            (yield* all(NOW + 5 * DAY)).reduce((sum, count) => sum + count),
            4
          )
          assert.deepStrictEqual(yield* where([next]), [SECOND])
        }),
        server(address, 2)
      )
    })
  )

  it.effect("are made although a server ended in the middle", () =>
    withPartitions(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* insertOrganization(1)
        yield* retain(1)
        yield* Effect.all([visit(1), visit(1)])
        yield* sql.unsafe(refuseAhead(FIRST, { from: PARTITION_IDS, to: 2n * PARTITION_IDS }))
        yield* keep()
        assert.deepStrictEqual(Object.keys(yield* partitions), [SECOND, FIRST, "stay_rest"])
        const left = yield* sql`select from pg_constraint where conname = 'stay_ahead'`
        assert.lengthOf(left, 0)
      })
    )
  )

  it.effect("are changed under load, and no movement fails or is lost", () =>
    withPartitions(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* insertOrganization(1)
        yield* insertOrganization(2)
        yield* retain(1)
        yield* retain(2)
        const lost = yield* Effect.all(
          Array.from({ length: 40 }, () => visit(1, NOW - 9 * DAY)),
          { concurrency: 8 }
        )
        const kept: Array<Opened> = []
        const over = { now: false }
        const load = Effect.forEach(
          [1, 2, 1, 2, 1, 2, 1, 2],
          (organization) =>
            Effect.gen(function* () {
              while (!over.now) {
                kept.push(yield* visit(organization))
                yield* listed(kept.slice(-5))
              }
            }),
          { concurrency: "unbounded", discard: true }
        )
        const loading = yield* Effect.forkChild(load)
        let dropped = 0
        // Each makes a partition, or goes on with one.
        for (let round = 0; round < 8; round++) {
          dropped += yield* keep()
          const before = kept.length
          yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => kept.length > before + 40 })
        }
        over.now = true
        yield* Fiber.join(loading)
        const names = Object.keys(yield* partitions)
        assert.isAbove(names.length, 3, names.join())
        assert.strictEqual(yield* listed(kept), kept.length)
        assert.isAbove(new Set(yield* where(kept)).size, 2)
        assert.strictEqual(yield* listed(lost), 40 - Math.min(dropped, 40))
        const [row] = yield* sql<{ readonly count: bigint }>`select count(*) as count from open_stay`
        assert.strictEqual(row?.count, 0n)
      }),
      20
    )
  )

  it.effect("do not change what a backup holds", () =>
    Effect.gen(function* () {
      const parts: Array<Rows> = []
      const { closed, snapshot } = yield* withPartitions(
        Effect.gen(function* () {
          const { closed } = yield* begun
          const next = yield* visit(1)
          const sql = yield* SqlClient.SqlClient
          yield* sql`select setval('organization_id', 2)`
          const area = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'
          yield* sql`update organization set tracking_area = ${area}`
          yield* sql`insert into administrator_account (administrator_id) values ('owner')`
          yield* sql`insert into permission (organization_id, administrator_id, level, nominated_by)
            select id, 'owner', 'owner', 'owner' from organization`
          yield* sql`insert into presence_feed (organization_id, at) select id, now() from organization on conflict do nothing`
          yield* sql`insert into presence_history (organization_id) select id from organization on conflict do nothing`
          yield* sql`insert into presence_totals (organization_id, place_id, began_at) select id, 0, now() from organization
            on conflict do nothing`
          const snapshot = yield* saveDatabase({
            begin: () => Effect.void,
            write: (rows) => Effect.sync(() => parts.push(rows))
          })
          return { closed: [...closed, next], snapshot }
        })
      )
      const tables = [...new Set(parts.map(({ table }) => table))]
      assert.deepStrictEqual(
        tables.filter((name) => name.startsWith("stay")),
        ["stay", "stay_policy"]
      )
      const address = yield* emptyDatabase
      yield* on(address)(loadDatabase(snapshot, Stream.fromIterable(parts)))
      yield* Effect.provide(
        Effect.gen(function* () {
          assert.strictEqual(yield* listed(closed), 4)
          assert.deepStrictEqual(yield* partitions, { [FIRST]: "DEFAULT" })
          yield* keep()
          const next = yield* visit(1)
          yield* keep()
          assert.strictEqual(yield* listed([...closed, next]), 5)
          assert.lengthOf(Object.keys(yield* partitions), 3)
        }),
        server(address, 2)
      )
    })
  )
})
