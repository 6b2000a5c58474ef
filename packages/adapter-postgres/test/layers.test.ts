/** The layers of the adapter on a real PostgreSQL: the ways to connect, and errors without values. */
import { assert, layer as shared } from "@effect/vitest"
import { OrganizationId, OrganizationStore, StoreError } from "@sojourn/core"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Config, ConfigProvider, Effect, Layer, Option, Redacted, Result } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { layer, layerClient, layerConfig, layerMigrated, layerStores, StoreReadiness } from "../src/index.ts"
import { emptyDatabase, insertOrganization, layerPostgres, withStores } from "./fixtures.ts"

const SOME = OrganizationId.make(1n)
const read = OrganizationStore.use((store) => store.get(SOME))

shared(EmbeddedPostgres.layerTemporary({ transport: "tcp" }), { excludeTestServices: true })("the layers", (it) => {
  const url = Effect.gen(function* () {
    const postgres = yield* EmbeddedPostgres
    return postgres.url(yield* postgres.temporaryDatabase())
  })

  it.effect("take a URL with several hosts, of which one is there, and say why none can be used", () =>
    Effect.gen(function* () {
      const several = (url: Redacted.Redacted<string>, database?: string) => {
        const one = new URL(Redacted.value(url))
        one.pathname = database ?? one.pathname
        return { url: Redacted.make(one.href.replace("@", "@127.0.0.1:1,")) }
      }
      const there = several(yield* url)
      assert.isTrue(Option.isNone(yield* Effect.provide(read, layer(there))))
      const failing = (address: typeof there) =>
        Effect.flip(
          Effect.provide(
            SqlClient.SqlClient.use((sql) => sql`select 1`),
            layerClient(address)
          )
        )
      assert.match((yield* failing(several(yield* url, "none"))).message, /Failed to connect/)
      const nowhere = { url: Redacted.make("postgresql://u@127.0.0.1:1,127.0.0.1:2/d") }
      assert.match(
        (yield* failing(nowhere)).message,
        /no host is the primary: 127.0.0.1:1: .*ECONNREFUSED.*; 127.0.0.1:2: /
      )
    })
  )

  it.effect("take an address from the configuration", () =>
    Effect.gen(function* () {
      const provider = ConfigProvider.fromUnknown({ DATABASE_URL: Redacted.value(yield* url) })
      const stores = layerConfig(Config.all({ url: Config.Redacted("DATABASE_URL") })).pipe(
        Layer.provide(ConfigProvider.layer(provider))
      )
      assert.isTrue(Option.isNone(yield* Effect.provide(read, stores)))
    })
  )

  it.effect("take a client that is there already, and its transactions", () =>
    Effect.gen(function* () {
      const stores = layerStores.pipe(
        Layer.provideMerge(layerMigrated),
        Layer.provideMerge(layerClient({ url: yield* url }))
      )
      const found = SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.andThen(insertOrganization(1), read)))
      assert.strictEqual(Option.getOrThrow(yield* Effect.provide(found, stores)).name, "Town 1")
    })
  )

  it.effect("refuse a database that cannot be reached when they migrate it, and only then", () =>
    Effect.gen(function* () {
      const nowhere = { url: Redacted.make("postgresql://nobody@127.0.0.1:1/nothing") }
      assert.strictEqual((yield* Effect.flip(Effect.provide(read, layer(nowhere))))._tag, "SqlError")
      const lazy = Layer.provide(layerStores, layerClient(nowhere))
      assert.strictEqual((yield* Effect.flip(Effect.provide(read, lazy)))._tag, "StoreError")
    })
  )
})

shared(layerPostgres, { excludeTestServices: true })("what goes wrong", (it) => {
  it.effect("is refused by every store while the database is not ready", () =>
    Effect.gen(function* () {
      const away = new StoreError({ operation: "wait", cause: "not yet" })
      const stores = layerStores.pipe(
        Layer.provide(Layer.succeed(StoreReadiness, Effect.fail(away))),
        Layer.provide(layerClient(yield* emptyDatabase))
      )
      assert.strictEqual(yield* Effect.flip(Effect.provide(read, stores)), away)
    })
  )

  it.effect("is reported without any value", () =>
    Effect.gen(function* () {
      const constrained = SqlClient.SqlClient.use(
        (sql) => sql`alter table organization add constraint secretive check (name <> 'a secret name')`
      )
      const change = OrganizationStore.use((store) =>
        store.update({
          organizationId: SOME,
          administratorId: Option.none(),
          withPlaces: false,
          decide: ({ organization }) => Result.succeed({ ...organization, name: "a secret name" })
        })
      )
      const refused = Effect.andThen(insertOrganization(1), Effect.flip(change))
      const error = yield* withStores(Effect.andThen(constrained, refused))
      assert.strictEqual(error._tag, "StoreError")
      assert.match(String((error as StoreError).cause), /ConstraintError 23514/)
      assert.notInclude(JSON.stringify(error), "secret name")
    })
  )
})
