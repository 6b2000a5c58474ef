/** A database that is reachable but blocked: another session holds the locks that every movement needs. */
import { type DatabaseAddress, type DatabaseOptions, layer, layerClient } from "@sojourn/adapter-postgres"
import { Effect, Layer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, it, onTestFinished } from "vitest"
import { forThisFile } from "../forThisFile.ts"
import { startSojourn } from "../harness.ts"
import { eventually } from "./eventually.ts"
import { postgresHost } from "./PostgresHost.ts"
import { makeScene } from "./scene.ts"

const postgres = forThisFile(await postgresHost())

/** Locks every open stay until `what` ends, as a maintenance session might. */
const withEverythingLocked = (address: DatabaseAddress, what: () => Promise<void>): Promise<void> =>
  Effect.runPromise(
    SqlClient.SqlClient.use((sql) =>
      sql.withTransaction(Effect.andThen(sql`lock table open_stay in access exclusive mode`, Effect.promise(what)))
    ).pipe(Effect.provide(layerClient(address, { maxConnections: 1 })))
  )

const CASES: ReadonlyArray<readonly [name: string, database: string, bounds: DatabaseOptions]> = [
  ["the few connections that there are wait for a lock", "few", { maxConnections: 2 }],
  ["statements take longer than they may", "slow", { statementTimeout: "300 millis" }]
]

describe.each(CASES)("when %s", (_, database, bounds) => {
  it("movements wait, then are refused with 503; each is applied once after the locks are released", async () => {
    await postgres.create(database)
    const address = postgres.direct(database)
    const sojourn = await startSojourn({ stores: Layer.orDie(layer(address, bounds)) })
    onTestFinished(sojourn.stop)
    const on = { ...sojourn.keys, baseUrl: () => sojourn.baseUrl, database: () => address }
    const scene = await makeScene({ ...on, crowd: 40, companies: 1, keyed: 1 })
    onTestFinished(scene.close)
    await scene.during(() =>
      withEverythingLocked(address, async () => {
        const before = scene.ledger.ambiguous()
        await eventually("movements are refused", () => scene.ledger.ambiguous() > before)
      })
    )
  })
})
