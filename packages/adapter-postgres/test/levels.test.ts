/** A level and what it allows to read are of one moment. */
import { assert, layer as shared } from "@effect/vitest"
import {
  AdministratorId,
  DeletionRequestStore,
  DeviceStore,
  FloorPlanStore,
  OrganizationId,
  type Stores,
  WebhookId,
  WebhookStore
} from "@sojourn/core"
import { Deferred, Effect, Fiber } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { insertOrganization, insertOwner, layerPostgres, untilWaiting, withStores } from "./fixtures.ts"

const ofOwner = { organizationId: OrganizationId.make(1n), administratorId: AdministratorId.make("ada") }
const ofReader = { organizationId: ofOwner.organizationId, reader: ofOwner.administratorId }

/** Readings, by the table that they read beside the permissions. */
const READINGS: Readonly<Record<string, ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, Stores>>>> = {
  floor_plan: [
    FloorPlanStore.use((store) => store.get({ ...ofReader, level: 0 })),
    FloorPlanStore.use((store) => store.digest({ ...ofReader, level: 0 })),
    FloorPlanStore.use((store) => store.list(ofReader))
  ],
  device: [DeviceStore.use((store) => store.list(ofOwner))],
  deletion_request: [DeletionRequestStore.use((store) => store.pending(ofOwner))],
  webhook: [WebhookStore.use((store) => store.list(ofOwner))],
  webhook_attempt: [WebhookStore.use((store) => store.attempts({ ...ofOwner, webhookId: WebhookId.make(1n) }))]
}

shared(layerPostgres, { excludeTestServices: true })("an administrator whose permission is withdrawn", (it) => {
  it.effect("reads nothing by a call that has not read yet", () =>
    withStores(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* insertOrganization(1)
        yield* sql`insert into webhook (id, organization_id, url, types, key_id, creation_date, created_by, processed)
          values (1, 1, 'https://example.org', '{place.changed}', 1, now(), 'ada', 0)`
        for (const [table, readings] of Object.entries(READINGS)) {
          yield* insertOwner(1, "ada")
          const isHeld = yield* Deferred.make<void>()
          const isWithdrawn = yield* Deferred.make<void>()
          const holder = yield* sql`lock table ${sql(table)} in access exclusive mode`.pipe(
            Effect.andThen(Deferred.succeed(isHeld, undefined)),
            Effect.andThen(Deferred.await(isWithdrawn)),
            sql.withTransaction,
            Effect.forkChild
          )
          yield* Deferred.await(isHeld)
          const reading = yield* Effect.forkChild(Effect.all(readings.map(Effect.flip), { concurrency: "unbounded" }))
          yield* untilWaiting(readings.length)
          yield* sql`delete from permission`
          yield* Deferred.succeed(isWithdrawn, undefined)
          yield* Fiber.join(holder)
          const refusals = yield* Fiber.join(reading)
          assert.deepStrictEqual(
            refusals.map(({ _tag }) => _tag),
            readings.map(() => "PermissionTooLow"),
            table
          )
        }
      })
    )
  )
})
