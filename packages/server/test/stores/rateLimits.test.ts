/** The laws of `RateLimitStore` on every adapter, and the count of servers that share a database. */
import { assert, describe, it } from "@effect/vitest"
import { layerRateLimitStore } from "@sojourn/adapter-memory"
import { countRateLimitServers, layerClient } from "@sojourn/adapter-postgres"
import { RateLimitStore } from "@sojourn/core"
import { rateLimitStoreLaws } from "@sojourn/testing"
import { Effect, Exit, Layer, Scope } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { aDatabase } from "./database.ts"

const HOUR = 3_600_000

rateLimitStoreLaws("memory", layerRateLimitStore)

describe("servers on one database", () => {
  const layerDatabase = Layer.unwrap(Effect.map(aDatabase, (address) => layerClient(address)))
  const server = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const count = yield* Effect.provideService(countRateLimitServers, Scope.Scope, scope)
    return { count, end: Scope.close(scope, Exit.void) }
  })

  it.live("count themselves and the others, except those that stopped or crashed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [one, two, three] = [yield* server, yield* server, yield* server]
      assert.strictEqual(yield* one.count, 1)
      assert.strictEqual(yield* two.count, 2)
      assert.strictEqual(yield* three.count, 3)
      assert.strictEqual(yield* one.count, 3)
      yield* two.end
      assert.strictEqual(yield* one.count, 2)
      yield* sql`update rate_limit_server set seen_at = seen_at - interval '11 seconds'`
      assert.strictEqual(yield* one.count, 1)
      assert.strictEqual((yield* sql`select from rate_limit_server`).length, 1)
      assert.strictEqual(yield* three.count, 2)
    }).pipe(Effect.provide(layerDatabase))
  )

  it.live("count all servers that start concurrently", () =>
    Effect.gen(function* () {
      const servers = yield* Effect.all(Array.from({ length: 10 }, () => server))
      const counted = () =>
        Effect.all(
          servers.map(({ count }) => count),
          { concurrency: "unbounded" }
        )
      yield* counted()
      assert.deepStrictEqual(yield* counted(), Array(10).fill(10))
    }).pipe(Effect.provide(layerDatabase))
  )
})

describe("rate limits in memory", () => {
  it.effect("keep the last 50,000 of 300,000 names, and have evicted the first", () =>
    Effect.gen(function* () {
      const store = yield* RateLimitStore
      const limit = { most: 1, window: HOUR }
      const waitOf = (name: string) => Effect.map(store.consume(name, limit), ({ wait }) => wait)
      const all = Array.from({ length: 300_000 }, (_, nth) => `caller ${nth}`)
      for (const name of all) assert.strictEqual(yield* waitOf(name), 0)
      for (const name of all.slice(-50_000)) assert.strictEqual(yield* waitOf(name), HOUR)
      assert.strictEqual(yield* waitOf(all[0]!), 0)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* waitOf(all.at(-1)!), 0)
    }).pipe(Effect.provide(layerRateLimitStore))
  )
})
