/** A PostgreSQL, as an application has one. It prints its URL and runs until SIGTERM. */
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect, Redacted } from "effect"
import { once } from "node:events"

await EmbeddedPostgres.useSync((server) => console.log(Redacted.value(server.url()))).pipe(
  Effect.andThen(Effect.promise(() => once(process, "SIGTERM"))),
  Effect.provide(EmbeddedPostgres.layerTemporary({ transport: "tcp" })),
  Effect.runPromise
)
