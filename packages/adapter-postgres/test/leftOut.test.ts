/** Background work goes on for all organizations but one whose rows no server writes, as an edited database may have. */
import {
  CountStore,
  DeviceId,
  DeviceStore,
  HistoryStore,
  OrganizationId,
  PresenceFeed,
  StayEndingStore,
  Timestamp
} from "@sojourn/core"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { insertOrganization, layerPostgres, withStores } from "./fixtures.ts"

const NOW = Timestamp(Date.parse("2026-06-01T12:00:00Z"))

/** Organization 1 is broken by these statements, and 2 is not. */
const broken = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const id of [1, 2]) {
    yield* insertOrganization(id)
    yield* sql`insert into presence_feed (organization_id, at) values (${id}, '2026-01-01Z')`
    yield* sql`insert into presence_history (organization_id) values (${id})`
    yield* sql`insert into presence_totals (organization_id, place_id, began_at) values (${id}, 0, '2026-01-01Z')`
    yield* sql`insert into stay_policy (organization_id) values (${id})`
  }
  for (const statement of statements) yield* sql.unsafe(statement)
})

const HUGE = "9223372036854775807"

layer(layerPostgres, { excludeTestServices: true })(
  "an organization with rows that no server writes holds up no other",
  (it) => {
    it.effect("when people counted become none", () =>
      withStores(
        Effect.gen(function* () {
          yield* broken(
            "update stay_policy set counted_reset_at = '04:00', reset_at = '2026-06-01T04:00Z'",
            "update organization set time_zone = 'Europe/Atlantis' where id = 1",
            "insert into counted_people (organization_id, place_id, counted) values (1, 0, 5), (2, 0, 5)"
          )
          const { reset } = yield* CountStore
          assert.strictEqual(yield* reset(NOW), 1)
          assert.strictEqual(yield* reset(NOW), 0)
          const sql = yield* SqlClient.SqlClient
          const left = yield* sql<{
            readonly counted: bigint
          }>`select counted from counted_people order by organization_id`
          assert.deepStrictEqual(
            left.map(({ counted }) => Number(counted)),
            [5, 0]
          )
        })
      )
    )

    it.effect("when stays end daily", () =>
      withStores(
        Effect.gen(function* () {
          yield* broken(
            "update stay_policy set stays_end_at = '03:00', end_at = '2026-06-01T03:00Z'",
            "update organization set time_zone = 'Europe/Atlantis' where id = 1",
            `insert into open_stay (organization_id, place_id, key_id, entered_at, recorded_at)
            select id, 0, 0, '2026-01-01Z', '2026-01-01Z' from organization`
          )
          const { endDue } = yield* StayEndingStore
          assert.strictEqual(yield* endDue(NOW), 1)
          assert.strictEqual(yield* endDue(NOW), 0)
          const sql = yield* SqlClient.SqlClient
          const left = yield* sql<{ readonly organization_id: bigint }>`select organization_id from open_stay`
          assert.deepStrictEqual(
            left.map((row) => Number(row.organization_id)),
            [1]
          )
        })
      )
    )

    it.effect("when devices fall silent", () =>
      withStores(
        Effect.gen(function* () {
          yield* broken(
            `update stay_policy set device_silent_after = ${HUGE} where organization_id = 1`,
            `insert into device (organization_id, name, creation_date, token_hash, state, seen_at)
            select id, 'Door', '2026-01-01Z', id, 'ok', '2026-01-01Z' from organization`
          )
          assert.strictEqual(yield* DeviceStore.use(({ markStates }) => markStates(NOW, 500)), 1)
          assert.strictEqual(yield* DeviceStore.use(({ markStates }) => markStates(NOW, 500)), 0)
        })
      )
    )

    it.effect("when displays are seen", () =>
      withStores(
        Effect.gen(function* () {
          yield* broken(
            `insert into device (id, organization_id, name, creation_date, token_hash, kind, state, seen_at)
            select id, id, 'Wall', '2026-01-01Z', id, 'display', 'silent', '2026-01-01Z' from organization`,
            `update presence_feed set version = ${HUGE} where organization_id = 1`
          )
          const sightings = [1n, 2n].map((id) => ({
            organizationId: OrganizationId.make(id),
            deviceId: DeviceId.make(id),
            at: NOW
          }))
          yield* DeviceStore.use(({ recordSightings }) => recordSightings(sightings, NOW))
          const sql = yield* SqlClient.SqlClient
          const states = yield* sql<{ readonly state: string }>`select state from device order by id`
          assert.deepStrictEqual(
            states.map(({ state }) => state),
            ["silent", "ok"]
          )
        })
      )
    )

    it.effect("when events are published", () =>
      withStores(
        Effect.gen(function* () {
          yield* broken(
            `update presence_totals set entered = ${HUGE}, departed = ${HUGE} where organization_id = 1`,
            "insert into pending_change (organization_id, place_id, entered, at) values (1, 0, 1, '2026-01-01Z'), (2, 0, 1, '2026-01-01Z')"
          )
          const { publish } = yield* PresenceFeed
          assert.deepStrictEqual((yield* publish(NOW)).organizations.map(String), ["2"])
        })
      )
    )

    it.effect("when events are rolled up", () =>
      withStores(
        Effect.gen(function* () {
          yield* broken(
            `insert into presence_event (organization_id, version, at, type, entered, departed, inside, exits, stayed)
            select id, 1, '2026-01-01Z', 'presence.changed', 1, 0, 1, 0, 0 from organization`,
            `update presence_event set entered = ${HUGE}, inside = -${HUGE} where organization_id = 1`,
            "update presence_feed set version = 1"
          )
          assert.strictEqual(yield* HistoryStore.use(({ rollUp }) => rollUp(500)), 1)
          assert.strictEqual(yield* HistoryStore.use(({ rollUp }) => rollUp(500)), 0)
        })
      )
    )
  }
)
