/** Where a history grows: the stores as a server has them, in a PostgreSQL that is gone at the end. */
import { join } from "node:path"
import { layerClient, layerStores, migrate } from "@sojourn/adapter-postgres"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect, Layer } from "effect"
import { temporaryDirectory } from "../compare/Databases.ts"

/** Durable, as the server's is, or `fast` where nothing is timed. Beside the stores is a client whose statements may take long. */
export const layerOwn = (durability: "durable" | "fast") =>
  Layer.unwrap(
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "postgres")
      const stores = Layer.unwrap(
        Effect.map(EmbeddedPostgres, ({ connection }) =>
          Layer.provide(layerStores, layerClient(connection)).pipe(
            Layer.provideMerge(Layer.effectDiscard(migrate)),
            Layer.provideMerge(layerClient(connection, { maxConnections: 1, statementTimeout: "1 hour" }))
          )
        )
      )
      return Layer.provide(stores, EmbeddedPostgres.layer({ directory, durability }))
    })
  )
