import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { make } from "@sojourn/embedded-postgres"
import * as Effect from "effect/Effect"
import { inject } from "vitest"
import { TEMPLATE } from "./template.ts"

/** A database of one's own with the current schema and nothing in it, until the scope ends. */
export const aDatabase = Effect.gen(function* () {
  const server = yield* make({ directory: inject("postgresDirectory"), whenRunning: "share", durability: "fast" })
  const database = yield* server.temporaryDatabase({ template: TEMPLATE })
  return { ...server.connection, database } satisfies DatabaseAddress
})
