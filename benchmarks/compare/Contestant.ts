/** Prepares a candidate for measurement: its database, its process, the checks, and people to count. */
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { residentMemory, usedByAll } from "../shared/Processes.ts"
import { makeApi } from "./Api.ts"
import type { Candidate } from "./Candidate.ts"
import { check, checkMovements, same } from "./check.ts"
import type { Comparison } from "./Comparison.ts"
import { afar, clientOf, temporaryDatabase, temporaryDirectory } from "./Databases.ts"
import { foundInPeer, foundInSojourn, type Ground, populate } from "./ground.ts"
import type { Issuer } from "./Issuer.ts"
import { SCHEMA } from "./peers/schema.ts"
import { type Server, startServer } from "./Server.ts"

/** A candidate that runs, was found correct, and has people to count and stays to list. */
export interface Contestant {
  readonly candidate: Candidate
  readonly server: Server
  readonly ground: Ground
  /** Bytes before the first request; none where it is not known. */
  readonly idleMemory: number | undefined
  /** Bytes now. */
  readonly memory: () => number | undefined
  /** Processor time of the server until now, in microseconds. */
  readonly processor: () => number | undefined
  /** Vacuums the tables: the candidate that wrote most would else have the most dead rows to scan. */
  readonly tidy: Effect.Effect<void, unknown>
  /** Fails unless the database holds as many closed stays as exits were acknowledged, these and all before. */
  readonly acknowledge: (exits: number) => Effect.Effect<void, unknown>
}

/** How long a server is left alone before its idle memory is read. */
const REST = "500 millis"

const NOTHING: Ground = { organizationId: 1, lists: [] }

/** How many rows a table has. */
const rowsOf = (sql: SqlClient.SqlClient, table: "stay" | "open_stay") =>
  Effect.map(sql<{ readonly rows: number }>`select count(*)::int as rows from ${sql(table)}`, ([row]) => row!.rows)

const settle = Effect.fnUntraced(function* (
  candidate: Candidate,
  server: Server,
  sql: SqlClient.SqlClient,
  issuer: Issuer,
  comparison: Comparison
) {
  const api = makeApi(server)
  const organizationId = yield* candidate.tables === "sojourn" ? foundInSojourn(api, issuer) : foundInPeer(sql)
  yield* check(api, issuer, organizationId)
  yield* checkMovements(api, issuer, organizationId)
  const lists = yield* populate(api, issuer, organizationId, comparison)
  yield* same("people inside in the database", yield* rowsOf(sql, "open_stay"), comparison.crowd)
  return { organizationId, lists }
})

/** Starts a candidate on a database of its own for the time of the scope, checks it, and lets people come. */
export const enlist = Effect.fnUntraced(function* (
  candidate: Candidate,
  issuer: Issuer,
  postgres: Redacted.Redacted,
  comparison: Comparison
) {
  const directory = join(yield* temporaryDirectory, "data")
  issuer.keepIn(directory)
  const databaseUrl = candidate.tables === "none" ? undefined : yield* temporaryDatabase(postgres)
  const sql = databaseUrl === undefined ? undefined : yield* clientOf(databaseUrl)
  if (candidate.tables === "peer") for (const statement of SCHEMA) yield* sql!.unsafe(statement)
  const given =
    databaseUrl !== undefined && comparison.wireDelay > 0 ? yield* afar(databaseUrl, comparison.wireDelay) : databaseUrl
  const server = yield* startServer(
    candidate.command({
      databaseUrl: given === undefined ? "" : Redacted.value(given),
      directory,
      publicKey: issuer.publicKey,
      isPeerTokenCacheOn: comparison.isPeerTokenCacheOn
    })
  )
  yield* Effect.sleep(REST)
  const memory = () => residentMemory(server.processId)
  const idleMemory = memory()
  const contestant = { candidate, server, idleMemory, memory, processor: () => usedByAll(server.processId) }
  if (sql === undefined) {
    yield* checkMovements(makeApi(server), issuer, NOTHING.organizationId)
    return { ...contestant, ground: NOTHING, tidy: Effect.void, acknowledge: () => Effect.void } satisfies Contestant
  }
  const ground = yield* settle(candidate, server, sql, issuer, comparison)
  let closed = yield* rowsOf(sql, "stay")
  return {
    ...contestant,
    ground,
    tidy: Effect.asVoid(sql.unsafe("vacuum analyze open_stay, stay")),
    acknowledge: (exits) =>
      Effect.gen(function* () {
        closed += exits
        yield* same(`closed stays of ${candidate.name}`, yield* rowsOf(sql, "stay"), closed)
        yield* same(`people inside ${candidate.name}`, yield* rowsOf(sql, "open_stay"), comparison.crowd)
      })
  } satisfies Contestant
})
