/** A server process on a PostgreSQL database that the test can read. */
import { layer as layerStores } from "@sojourn/adapter-postgres"
import { AccountLinkStore, type OrganizationId, type OrgAuthServerId, type UserId } from "@sojourn/core"
import { make } from "@sojourn/embedded-postgres"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { issuerKey } from "../../src/keys/IssuerKey.ts"
import { want } from "../fixtures.ts"
import { makeClient } from "../faults/client.ts"
import { program } from "../faults/SojournProcess.ts"
import { fixturesOn } from "../faults/town.ts"

const DATABASE = "sojourn"

/** Starts a server with these flags. */
export const startGround = async (...flags: ReadonlyArray<string>) => {
  const data = mkdtempSync(join(tmpdir(), "sojourn-ground-"))
  const scope = await Effect.runPromise(Scope.make())
  const postgres = await Effect.runPromise(
    Scope.provide(make({ directory: join(data, "postgres"), transport: "tcp", durability: "fast" }), scope)
  )
  await Effect.runPromise(postgres.createDatabase(DATABASE))
  const url = postgres.url(DATABASE)
  const stores = await Effect.runPromise(Layer.buildWithScope(layerStores({ url }), scope))
  const links = Context.get(stores, AccountLinkStore)
  const sql = Context.get(stores, SqlClient.SqlClient)

  const kept = ["--data", data, "--storage", "postgres", "--database-url", Redacted.value(url)]
  const server = program("serve", "--port", "0", "--demo-directory", ...kept, ...flags)
  const baseUrl = await server.listening
  const key = await Effect.runPromise(issuerKey(data))
  const client = makeClient()
  const fixtures = fixturesOn(client, () => baseUrl, key)

  return {
    ...fixtures,
    /** Links a user to a person in the database, without a directory. */
    linkInDatabase: (userId: UserId, organizationId: OrganizationId, orgAuthServerId: OrgAuthServerId) =>
      Effect.runPromise(links.put({ userId, organizationId, orgAuthServerId })),
    rows: (statement: string): Promise<ReadonlyArray<any>> => Effect.runPromise(sql.unsafe<any>(statement)),
    metrics: async () => want(await fixtures.get(undefined, "/metrics"), 200).text,
    serverLog: () => server.said(),
    postgresLog: () => readFileSync(join(dirname(postgres.dataDirectory), "postgres.log"), "utf8"),
    stop: async () => {
      client.close()
      const ended = await server.end()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      return ended
    },
    /** The data files of PostgreSQL, which remain until `remove`. */
    dataDirectory: postgres.dataDirectory,
    remove: () => rmSync(data, { recursive: true, force: true })
  }
}

export type Ground = Awaited<ReturnType<typeof startGround>>
