/** What is known of areas beside them, in rows that servers of an older version, or a backup, wrote without it. */
import { assert, layer as shared } from "@effect/vitest"
import {
  AdministratorId,
  areaWeight,
  boundsOf,
  Mail,
  OrganizationStore,
  type OrganizationId,
  PlaceStore,
  Timestamp,
  vouchedAccount
} from "@sojourn/core"
import { rectangleArea, wholeGrid } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import { layer } from "../src/index.ts"
import { migrateTo } from "../src/migrations/Migrations.ts"
import { emptyDatabase, layerPostgres, on } from "./given.ts"

const NOW = Timestamp(Date.UTC(2026, 2, 1))
const OWNER = { administratorId: AdministratorId.make("owner"), mail: Mail.make("owner@example.org") }
const column = (left: number) => rectangleArea({ left, bottom: 0, right: left + 1, top: 1 })

const anOrganization = Effect.map(
  OrganizationStore.use((store) =>
    store.create({
      organization: { name: "Somewhere", trackingArea: rectangleArea(wholeGrid(8)), trackingMode: "anonymous" },
      owner: OWNER,
      now: NOW,
      decide: (accounts) => vouchedAccount(OWNER, accounts)
    })
  ),
  ({ id }) => id
)

const aPlace = (organizationId: OrganizationId, left: number) =>
  PlaceStore.use((store) =>
    store.create({
      organizationId,
      administratorId: OWNER.administratorId,
      bounds: boundsOf(column(left)),
      decide: () => Result.succeed({ organizationId, trackingArea: column(left) })
    })
  )

/** What a place at a column would be decided on. */
const factsAt = (organizationId: OrganizationId, left: number) =>
  Effect.map(
    Effect.flip(
      PlaceStore.use((store) =>
        store.create({
          organizationId,
          administratorId: OWNER.administratorId,
          bounds: boundsOf(column(left)),
          decide: (facts) => Result.fail({ _tag: "Seen" as const, facts })
        })
      )
    ),
    (refusal) => (refusal._tag === "Seen" ? refusal.facts : assert.fail(refusal._tag))
  )

shared(layerPostgres, { excludeTestServices: true })("areas of places", (it) => {
  it.effect("are near everything when a server of the version before wrote them, until they are read", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const stores = layer(database)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const places = yield* PlaceStore
        const id = yield* anOrganization
        const moved = yield* aPlace(id, 0)
        const kept = yield* aPlace(id, 1)
        // As the version before inserts, moves and renames.
        const [inserted] = yield* sql<{ readonly id: typeof kept.id }>`
          insert into place (organization_id, name, tracking_area) values (${id}, null, ${column(2).text}) returning id`
        yield* sql`update place set name = null, tracking_area = ${column(4).text} where id = ${moved.id}`
        const others = [
          { id: moved.id, bounds: undefined },
          { id: inserted!.id, bounds: undefined }
        ]
        const far = yield* factsAt(id, 7)
        assert.deepStrictEqual(
          far.near.map(({ id, bounds }) => ({ id, bounds })),
          others
        )
        const read = yield* places.areas(id, [moved.id, kept.id, inserted!.id])
        assert.deepStrictEqual(
          read.map(({ trackingArea }) => trackingArea.text),
          [column(4).text, column(1).text, column(2).text]
        )
        const versions = new Map(read.map((area) => [area.id, area.version]))
        assert.deepStrictEqual((yield* factsAt(id, 7)).near, [])
        const { near, others: totals } = yield* factsAt(id, 3)
        assert.deepStrictEqual(near, [
          { id: moved.id, version: versions.get(moved.id)!, bounds: boundsOf(column(4)) },
          { id: inserted!.id, version: versions.get(inserted!.id)!, bounds: boundsOf(column(2)) }
        ])
        assert.deepStrictEqual(totals, { places: 3, points: 3 * areaWeight(column(0)) })
        const [again] = yield* places.areas(id, [moved.id])
        assert.strictEqual(again?.version, versions.get(moved.id))
      }).pipe(Effect.provide(stores))
    })
  )

  it.effect("are measured when they were there before the schema knew of it", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* on(database)(migrateTo(6))
      yield* on(database)(
        SqlClient.SqlClient.use(
          (sql) => sql`
            with o as (
              insert into organization (id, name, tracking_area, tracking_mode, creation_date, last_change_date)
              values (1, 'old', ${rectangleArea(wholeGrid(8)).text}, 'anonymous', now(), now()) returning id)
            insert into place (organization_id, tracking_area) select id, ${column(5).text} from o`
        )
      )
      yield* Effect.gen(function* () {
        const id = 1n as OrganizationId
        const [old] = (yield* factsAt(id, 0)).near
        assert.isUndefined(old?.bounds)
        yield* PlaceStore.use((store) => store.areas(id, [old!.id]))
        const { near, others } = yield* factsAt(id, 0)
        assert.deepStrictEqual({ near, others }, { near: [], others: { places: 1, points: areaWeight(column(5)) } })
      }).pipe(Effect.provide(layer(database)))
    })
  )
})
