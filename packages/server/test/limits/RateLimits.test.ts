/** Shared rate limits while the database is unavailable. */
import { assert, describe, it } from "@effect/vitest"
import { RequestLimits } from "@sojourn/adapter-http"
import { countRateLimitServers, layerClient } from "@sojourn/adapter-postgres"
import { User, UserId } from "@sojourn/core"
import { Context, Effect, Layer, Redacted } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { layerLimits } from "../../src/limits/layer.ts"
import { Storage } from "@sojourn/service"

describe("rate limits of servers that cannot count each other", () => {
  it.live("are applied in full by each server", () =>
    Effect.gen(function* () {
      // No server listens on port 1.
      const sql = Context.get(
        yield* Layer.build(layerClient({ url: Redacted.make("postgresql://nobody@127.0.0.1:1/nothing") })),
        SqlClient.SqlClient
      )
      const storage = Layer.succeed(Storage, {
        isReady: Effect.succeed(false),
        isForgetful: false,
        countRateLimitServers: Effect.provideService(countRateLimitServers, SqlClient.SqlClient, sql)
      })
      const limits = layerLimits({ caller: { most: 3, window: 60_000 }, trustedProxies: 0 }, "postgres")
      const built = yield* Layer.build(Layer.provide(limits, storage))
      const { caller } = Context.get(built as Context.Context<never>, RequestLimits)
      const all = []
      for (let nth = 0; nth < 4; nth++) all.push(yield* caller!(User(UserId.make("somebody"))))
      assert.deepStrictEqual(
        all.map(({ wait, remaining }) => [wait === 0, remaining]),
        [
          [true, 2],
          [true, 1],
          [true, 0],
          [false, 0]
        ]
      )
    }).pipe(Effect.scoped)
  )
})
