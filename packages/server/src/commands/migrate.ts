/** The command `sojourn migrate`. */
import { giveSettings, layerClient, migrate as migrateDatabase } from "@sojourn/adapter-postgres"
import * as Command from "effect/cli/Command"
import { Console, Effect } from "effect"
import { explain } from "@sojourn/service"
import { secret, yes } from "./flags.ts"
import { databaseSchema, requireDatabaseUrl } from "./storage.ts"

export const migrate = Command.make(
  "migrate",
  {
    databaseUrl: secret("database-url", "The database: postgresql://user:password@host:port/name"),
    databaseSchema,
    pooled: yes("pooled", "Also give the user of the database the settings of sessions, for a pooler of transactions")
  },
  Effect.fnUntraced(function* ({ databaseUrl, databaseSchema: schema, pooled }) {
    const url = yield* requireDatabaseUrl(databaseUrl)
    const work = Effect.tap(migrateDatabase, pooled ? giveSettings({ schema }) : Effect.void)
    const done = yield* work.pipe(Effect.provide(layerClient({ url }, { schema })), Effect.mapError(explain))
    yield* Console.log(
      done.length === 0 ? "the schema is up to date" : done.map(([number, name]) => `${number}\t${name}`).join("\n")
    )
  })
).pipe(Command.withDescription("Brings a PostgreSQL database to the current schema, and prints what it did"))
