/** A server with an organization and users, on an embedded database, for the measurements of arrivals. */
import { join } from "node:path"
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import { layerClient } from "@sojourn/adapter-postgres"
import { make } from "@sojourn/embedded-postgres"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeClient } from "../../packages/server/test/faults/asking.ts"
import { keysIn } from "../../packages/server/test/faults/scene.ts"
import { type SojournProcess, sojourn } from "../../packages/server/test/faults/SojournProcess.ts"
import { foundTown, userToken } from "../../packages/server/test/faults/town.ts"
import { temporaryDirectory } from "../compare/Databases.ts"
import { makeLoad } from "../load/Load.ts"

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

/** Starts a server on an embedded database of its own, with some flags and variables, for the time of the scope. */
export const makePlace = Effect.fnUntraced(function* (
  flags: ReadonlyArray<string>,
  variables: (data: string) => Readonly<Record<string, string>> = () => ({})
) {
  const data = yield* temporaryDirectory
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const before = { ...process.env }
      Object.assign(process.env, variables(data))
      const started = sojourn("serve", "--data", data, "--port", "0", ...flags)
      process.env = before
      return started
    }),
    (server) =>
      Effect.promise(() => {
        server.kill("SIGTERM")
        return server.ended
      })
  )
  const baseUrl = yield* Effect.promise(() => server.listening)
  const { key } = yield* Effect.promise(() => keysIn(data))
  const client = makeClient()
  const town = yield* Effect.promise(() => foundTown(client, baseUrl, key, { crowd: 0, companies: 0 }))
  client.close()
  const tokens = yield* Effect.promise(() =>
    Promise.all(Array.from({ length: USERS }, (_, nth) => userToken(key, `user-${nth}`)))
  )
  const { hostname, port } = new URL(baseUrl)
  const { organizationId } = town.anonymous[0]!
  return {
    server,
    baseUrl,
    data,
    host: hostname,
    port: Number(port),
    organizationId,
    tokens,
    owner: town.owner,
    key
  } satisfies Place
})

/** A connection to a database of the place's cluster, until the scope ends. */
export const connectTo = Effect.fnUntraced(function* ({ data }: Place, database = "sojourn") {
  const { connection } = yield* make({ directory: join(data, "postgres"), whenRunning: "share" })
  const client = yield* Layer.build(layerClient({ ...connection, database }, { maxConnections: 1 }))
  return Context.get(client, SqlClient.SqlClient)
})

/** How many stays there are in the database of a place that runs: of those who are inside, and of those who left. */
export const staysIn = Effect.fnUntraced(function* (place: Place) {
  const sql = yield* connectTo(place)
  const [row] = yield* sql<{ readonly open: number; readonly closed: number }>`
    select (select count(*)::int from open_stay) as open, (select count(*)::int from stay) as closed`
  return row!
}, Effect.scoped)

/** What was acknowledged, and the stays that are in the database after it. */
export interface Audit {
  readonly acknowledged: { readonly entrances: number; readonly exits: number }
  readonly found: { readonly open: number; readonly closed: number }
}

/** What the database lacks of what was acknowledged, or has beyond it. */
export const lossesOf = ({ acknowledged: { entrances, exits }, found }: Audit): ReadonlyArray<string> =>
  found.closed === exits && found.open === entrances - exits
    ? []
    : [
        `${entrances} entrances and ${exits} exits were acknowledged, and ` +
          `${found.open} open and ${found.closed} closed stays are in the database`
      ]

/**
 * Measures what a place is capable of, in movements a second: with connections that ask again as soon as they are answered, for some
 * seconds, after half as long to warm up. `pairs` are the entrances with their exits that were acknowledged.
 */
export const measureCapacity = Effect.fnUntraced(function* (place: Place, connections: number, seconds: number) {
  const { host, organizationId, port, tokens } = place
  const load = yield* makeLoad
  const work = { _tag: "Pairs", path: "/movement/track/organization", organizationId, tokens } as const
  const warm = yield* load.run({ host, port, connections, seconds: seconds / 2, work })
  const last = yield* load.run({ host, port, connections, seconds, work })
  return { perSecond: (1000 * last.requests) / last.duration, pairs: warm.pairs + last.pairs }
})
