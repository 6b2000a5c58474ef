/** Epochs of devices are forgotten once so many newer ones began, so that a sensor may name a new one with each message. */
import {
  CountStore,
  DeviceId,
  Epoch,
  OrganizationId,
  OrganizationPremises,
  REMEMBERED_EPOCHS,
  Timestamp
} from "@sojourn/core"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { insertOrganization, layerPostgres, withStores } from "./fixtures.ts"

const NOW = Timestamp(Date.parse("2026-06-01T12:00:00Z"))
const NEWEST = REMEMBERED_EPOCHS + 5

layer(layerPostgres, { excludeTestServices: true })("the epochs of a device", (it) => {
  it.effect("are forgotten in their order, with one that begins", () =>
    withStores(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* insertOrganization(1)
        for (const statement of [
          "insert into presence_feed (organization_id, at) values (1, '2026-01-01Z')",
          "insert into presence_totals (organization_id, place_id, began_at) values (1, 0, '2026-01-01Z')",
          `insert into device (id, organization_id, name, creation_date, token_hash)
          values (7, 1, 'Door', '2026-01-01Z', 'hash')`,
          `insert into device_premises (organization_id, device_id, place_id, position, newest) values (1, 7, 0, 0, ${NEWEST})`,
          `insert into device_epoch (organization_id, device_id, place_id, epoch, number, in_total, out_total)
          select 1, 7, 0, n, n, 1, 0 from unnest(array[5, 6, 7, ${NEWEST}]) as e (n)`
        ]) {
          yield* sql.unsafe(statement)
        }
        const reading = { premises: OrganizationPremises(OrganizationId.make(1n)), in: 1, out: 0 }
        const count = (epoch: string) =>
          CountStore.use((store) =>
            store.count({ deviceId: DeviceId.make(7n), readings: [{ ...reading, epoch: Epoch.make(epoch) }], now: NOW })
          )
        assert.strictEqual(yield* count("6"), 0)
        assert.strictEqual(yield* count("new"), 1)
        const left = yield* sql<{ readonly epoch: string }>`select epoch from device_epoch order by number`
        assert.deepStrictEqual(
          left.map(({ epoch }) => epoch),
          ["7", `${NEWEST}`, "new"]
        )
      })
    )
  )
})
