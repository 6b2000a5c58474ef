/** The same day in a PostgreSQL that comes from npm. */
import { layerDirectories } from "@sojourn/adapter-memory"
import { layer as layerStores } from "@sojourn/adapter-postgres"
import { layerSecretKeysEphemeral, layerServices } from "@sojourn/core"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect, Layer } from "effect"
import assert from "node:assert/strict"
import { day } from "./day.ts"

const stores = Layer.unwrap(EmbeddedPostgres.useSync(({ connection }) => layerStores({ ...connection }))).pipe(
  Layer.provide(EmbeddedPostgres.layerTemporary())
)
const sojourn = Layer.provide(layerServices, [stores, layerDirectories(new Map()), layerSecretKeysEphemeral])

assert.deepEqual(await Effect.runPromise(Effect.provide(day, sojourn)), [1, 0])
