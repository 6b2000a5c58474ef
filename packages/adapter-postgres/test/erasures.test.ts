/** What erasure must cover in PostgreSQL: concurrent writes, every column that names a person, and sampled statistics. */
import { assert, layer as shared } from "@effect/vitest"
import {
  FavoriteStore,
  OrganizationId,
  OrgAuthServerId,
  PersonalDataStore,
  PersonSubject,
  Timestamp,
  UserId,
  UserSubject
} from "@sojourn/core"
import { Deferred, Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { migrate } from "../src/index.ts"
import { insertOrganization, layerPostgres, onEmpty, untilWaiting, withStores } from "./fixtures.ts"

const NOW = Timestamp(1_772_352_000_000)
const TOWN = OrganizationId.make(1n)
const ADA = OrgAuthServerId.make("ada")
const USER = UserId.make("auth0|ada")

/** An organization with a place, and a user who is linked to ada. */
const founded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* insertOrganization(1, "authenticated")
  yield* sql`insert into place (organization_id, id, tracking_area, west, east, south, north, area_points)
    values (1, 1, '{}', 0, 1, 0, 1, 5)`
  yield* sql`insert into account_link (organization_id, user_id, org_auth_server_id) values (1, 'auth0|ada', 'ada')`
})

/** Columns that name a person, or hold words of theirs: each is collected, erased, and in docs/privacy.md. */
const NAMING = [
  "account_link.org_auth_server_id",
  "account_link.user_id",
  "administrator_account.administrator_id",
  "administrator_account.mail",
  "administrator_account.mail_key",
  "administrator_account.password_hash",
  "audit_entry.actor_id",
  "audit_entry.changes",
  "audit_entry.target_id",
  "audit_entry_of_month.actor_id",
  "audit_entry_of_month.changes",
  "audit_entry_of_month.target_id",
  "audit_entry_rest.actor_id",
  "audit_entry_rest.changes",
  "audit_entry_rest.target_id",
  "deletion_request.administrator_id",
  "deletion_request.decided_by",
  "deletion_request.reason",
  "entrance_retry.person",
  "entrance_retry.retry_key",
  "favorite.org_auth_server_id",
  "favorite.user_id",
  "muster.note",
  "muster.started_by",
  "muster.swept_by",
  "muster_beginning.people",
  "muster_person.person",
  "muster_result.people",
  "open_stay.person",
  "permission.administrator_id",
  "permission.nominated_by",
  "permission.org_auth_server_id",
  "stay.person",
  "stay_first.person",
  "subject_cell.id",
  "webhook.created_by"
]

/**
 * Columns that hold text and name no person whom an erasure could be about: an organization's own words, and words of ours.
 */
const NAMELESS = [
  "audit_entry.action",
  "audit_entry.actor_kind",
  "audit_entry.request_id",
  "audit_entry.target_kind",
  "audit_entry_of_month.action",
  "audit_entry_of_month.actor_kind",
  "audit_entry_of_month.request_id",
  "audit_entry_of_month.target_kind",
  "audit_entry_rest.action",
  "audit_entry_rest.actor_kind",
  "audit_entry_rest.request_id",
  "audit_entry_rest.target_kind",
  "counted_people.missing",
  "deletion_request.status",
  "device.former_hash",
  "device.kind",
  "device.name",
  "device.state",
  "device.token_hash",
  "device_epoch.epoch",
  "feed_generation.generation",
  "floor_plan.digest",
  "floor_plan.image",
  "floor_plan.type",
  "muster.kind",
  "muster.mode",
  "muster_result.place_ids",
  "muster_result.states",
  "organization.authentication_server",
  "organization.city",
  "organization.country",
  "organization.description",
  "organization.image",
  "organization.name",
  "organization.number",
  "organization.post_code",
  "organization.street",
  "organization.time_zone",
  "organization.tracking_area",
  "organization.tracking_mode",
  "organization_cell.name",
  "permission.level",
  "place.name",
  "place.tracking_area",
  "presence_event.changed",
  "presence_event.level",
  "presence_event.state",
  "presence_event.type",
  "presence_totals.level",
  "sojourn_migration.name",
  "stay_policy.counted_reset_at",
  "stay_policy.stays_end_at",
  "subject_cell.kind",
  "token_key.fingerprint",
  "token_revocation.caller_hash",
  "webhook.failure",
  "webhook.holder",
  "webhook.state",
  "webhook.types",
  "webhook.url",
  "webhook_attempt.failure"
]

shared(layerPostgres, { excludeTestServices: true })("an erasure", (it) => {
  for (const [by, subject] of [
    ["user", UserSubject(USER)],
    ["person", PersonSubject(TOWN, ADA)]
  ] as const) {
    it.effect(`of a ${by} waits for entrances and exits that are being written, and erases them`, () =>
      withStores(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* founded
          yield* sql`insert into open_stay (organization_id, place_id, id, person, key_id, entered_at, recorded_at)
            values (1, 0, 1, 'ada', 1, now(), now())`
          const moving = yield* Deferred.make<void>()
          const [, erased] = yield* Effect.all(
            [
              sql.withTransaction(
                Effect.gen(function* () {
                  yield* sql`delete from open_stay where organization_id = 1 and place_id = 0 and id = 1`
                  yield* sql`insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
                    values (1, 0, 1, 'ada', now(), now())`
                  yield* sql`insert into open_stay (organization_id, place_id, id, person, key_id, entered_at, recorded_at)
                    values (1, 1, 2, 'ada', 1, now(), now())`
                  yield* sql`insert into entrance_retry
                    (organization_id, place_id, retry_key, stay_id, person, key_id, entered_at, used_at)
                    values (1, 1, 'retry', 2, 'ada', 1, now(), now())`
                  yield* Deferred.succeed(moving, undefined)
                  yield* Effect.sleep("300 millis")
                })
              ),
              Effect.andThen(
                Deferred.await(moving),
                PersonalDataStore.use((store) => store.erase(subject, NOW))
              )
            ],
            { concurrency: "unbounded" }
          )
          const { accesses, openStays, retriedEntrances, accountLinks } = erased
          assert.deepStrictEqual([accesses, openStays, retriedEntrances, accountLinks], [1, 1, 1, 1])
          for (const table of ["open_stay", "stay", "entrance_retry", "account_link"]) {
            assert.deepStrictEqual(yield* sql`select * from ${sql(table)}`, [], table)
          }
        })
      )
    )

    it.effect(`of a ${by} waits for a favorite that is being added, and erases what it says of them`, () =>
      withStores(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* founded
          const isHeld = yield* Deferred.make<void>()
          const [, , { mentions, favorites }] = yield* Effect.all(
            [
              // Nothing is written to the table until both have come as far as they come.
              sql.withTransaction(
                Effect.gen(function* () {
                  yield* sql`lock table favorite in share mode`
                  yield* Deferred.succeed(isHeld, undefined)
                  yield* untilWaiting(2)
                })
              ),
              Effect.andThen(
                Deferred.await(isHeld),
                FavoriteStore.use((store) => store.add({ userId: USER, organizationId: TOWN, creationDate: NOW }))
              ),
              Effect.andThen(
                Effect.andThen(Deferred.await(isHeld), untilWaiting(1)),
                PersonalDataStore.use((store) => store.erase(subject, NOW))
              )
            ],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual([favorites, mentions], by === "user" ? [1, 0] : [0, 1])
          const left = yield* sql`select user_id, org_auth_server_id from favorite`
          assert.deepStrictEqual(left, by === "user" ? [] : [{ user_id: USER, org_auth_server_id: null }])
        })
      )
    )
  }
})

shared(layerPostgres, { excludeTestServices: true })("the schema", (it) => {
  it.effect("says of every column that holds text whether it names a person: those are not sampled", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate
        const sql = yield* SqlClient.SqlClient
        const columns = yield* sql<{ readonly name: string; readonly sampled: boolean }>`
            select distinct regexp_replace(c.relname, '^audit_entry_[0-9]+$', 'audit_entry_of_month') || '.' || a.attname as name, coalesce(a.attstattarget, -1) <> 0 as sampled
            from pg_attribute a
            join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
            join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'sojourn'
            join pg_type t on t.oid = a.atttypid
            where a.attnum > 0 and not a.attisdropped and (t.typcategory = 'S' or t.typname in ('json', 'jsonb', 'bytea', '_text'))
            order by 1`
        const names = (isSampled: boolean) =>
          columns.flatMap(({ name, sampled }) => (sampled === isSampled ? [name] : []))
        assert.deepStrictEqual([names(false), names(true)], [NAMING, NAMELESS])
      })
    )
  )

  it.effect("lets PostgreSQL sample nothing of people", () =>
    onEmpty(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migrate
        yield* founded
        for (let i = 0; i < 3; i++) {
          yield* sql`insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
              values (1, 0, ${BigInt(i)}::bigint, 'ada', now(), now())`
        }
        yield* sql`analyze`
        const sampled = yield* sql<{ readonly text: string }>`
          select s::text as text from pg_stats s where schemaname = 'sojourn' and tablename in ('stay', 'account_link')`
        assert.isAbove(sampled.length, 0)
        assert.deepStrictEqual(
          sampled.filter(({ text }) => text.includes("ada")),
          []
        )
      })
    )
  )
})
