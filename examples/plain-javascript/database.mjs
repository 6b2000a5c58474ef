/** A PostgreSQL for the time of the example, where an application has one of its own. */
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { ManagedRuntime, Redacted } from "effect"

export const startDatabase = async () => {
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layerTemporary({ transport: "tcp" }))
  const url = await runtime.runPromise(EmbeddedPostgres.useSync((server) => Redacted.value(server.url())))
  return { url, stop: () => runtime.dispose() }
}
