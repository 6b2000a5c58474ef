import { layerClient, migrate } from "@sojourn/adapter-postgres"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { dirname } from "node:path"
import type { TestProject } from "vitest/node"
import { TEMPLATE } from "./template.ts"

/** Starts one PostgreSQL for all tests of a run, with a migrated template database, and stops it after them. */
export default async (project: TestProject) => {
  const scope = await Effect.runPromise(Scope.make())
  const started = Effect.gen(function* () {
    const layer = EmbeddedPostgres.layerTemporary({ settings: { max_connections: "300" } })
    const postgres = Context.get(yield* Layer.buildWithScope(layer, scope), EmbeddedPostgres)
    yield* postgres.createDatabase(TEMPLATE)
    yield* Effect.provide(migrate, layerClient({ ...postgres.connection, database: TEMPLATE }))
    return dirname(postgres.dataDirectory)
  })
  project.provide("postgresDirectory", await Effect.runPromise(started))
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
