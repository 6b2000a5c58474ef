import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { CommandFailed } from "../CommandFailed.ts"
import { embeddedDatabase, type EmbeddedChoice } from "./embedded.ts"
import type { StorageChoice } from "./Storage.ts"

/** The database that a storage keeps everything in, for work on it as a whole, until the scope ends. */
export const databaseOf = (
  choice: StorageChoice,
  whenRunning: EmbeddedChoice["whenRunning"]
): Effect.Effect<DatabaseAddress, CommandFailed, Scope.Scope> => {
  switch (choice._tag) {
    case "Memory":
      return Effect.fail(new CommandFailed({ message: "--storage memory keeps nothing that could be backed up" }))
    case "Embedded":
      return embeddedDatabase({ directory: choice.directory, whenRunning })
    case "Postgres":
      return Effect.succeed({ url: choice.url })
  }
}
