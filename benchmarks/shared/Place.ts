/** A Sojourn server on an embedded database, with an anonymous organization and users. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import { layerClient } from "@sojourn/adapter-postgres"
import { make } from "@sojourn/embedded-postgres"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeClient } from "../../packages/server/test/faults/client.ts"
import { keyIn } from "../../packages/server/test/faults/scene.ts"
import { type SojournProcess, sojourn } from "../../packages/server/test/faults/SojournProcess.ts"
import { foundTown, userToken } from "../../packages/server/test/faults/town.ts"

/** How many users come and go. */
const USERS = 256

/** A server with an organization that is tracked anonymously, and people for it. */
export interface Place {
  readonly server: SojournProcess
  readonly baseUrl: string
  readonly data: string
  readonly host: string
  readonly port: number
  readonly organizationId: number
  readonly tokens: ReadonlyArray<string>
  /** The token of the organization's owner. */
  readonly owner: string
  /** The key of the server's own issuer, which signs tokens. */
  readonly key: OwnIssuer.SigningKey
}

/** A directory for the time of the scope. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sojourn-benchmark-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
)

/** Starts a server with this storage and a directory of its own, for the time of the scope. */
export const startServer = Effect.fnUntraced(function* (
  storage: "embedded" | "memory",
  flags: ReadonlyArray<string> = []
) {
  const data = yield* temporaryDirectory
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => sojourn("serve", "--data", data, "--port", "0", "--storage", storage, ...flags)),
    (server) =>
      Effect.promise(() => {
        server.kill("SIGTERM")
        return server.ended
      })
  )
  return yield* Effect.promise(async () => {
    const baseUrl = await server.listening
    const key = await keyIn(data)
    return { server, data, baseUrl, key }
  })
})

/** Starts a server on an embedded database of its own, for the time of the scope, with an organization. */
export const makePlace = Effect.fnUntraced(function* (flags: ReadonlyArray<string> = []) {
  const { server, data, baseUrl, key } = yield* startServer("embedded", flags)
  return yield* Effect.promise(async (): Promise<Place> => {
    const client = makeClient()
    const town = await foundTown(client, baseUrl, key, { crowd: 0, companies: 0 })
    client.close()
    const tokens = await Promise.all(Array.from({ length: USERS }, (_, nth) => userToken(key, `user-${nth}`)))
    const { hostname: host, port } = new URL(baseUrl)
    const { organizationId } = town.anonymous[0]!
    return { server, baseUrl, data, host, port: Number(port), organizationId, tokens, owner: town.owner, key }
  })
})

/** A connection to a database of the place's cluster, until the scope ends. */
export const connectTo = Effect.fnUntraced(function* ({ data }: Place, database = "sojourn") {
  const { connection } = yield* make({ directory: join(data, "postgres"), whenRunning: "share" })
  const client = yield* Layer.build(layerClient({ ...connection, database }, { maxConnections: 1 }))
  return Context.get(client, SqlClient.SqlClient)
})

/** What the database lacks of the acknowledged movements, or has beyond them. */
export const lossesOf = Effect.fnUntraced(function* (
  place: Place,
  { entrances, exits }: { readonly entrances: number; readonly exits: number }
) {
  const sql = yield* connectTo(place)
  const [row] = yield* sql<{ readonly open: number; readonly closed: number }>`
    select (select count(*)::int from open_stay) as open, (select count(*)::int from stay) as closed`
  const { open, closed } = row!
  return closed === exits && open === entrances - exits
    ? []
    : [
        `${entrances} entrances and ${exits} exits were acknowledged; the database has ${open} open and ${closed} closed stays`
      ]
}, Effect.scoped)
