/** A candidate that is ready to be measured: started on a database of its own, checked, with people inside and stays to list. */
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { temporaryDirectory } from "../shared/Place.ts"
import { residentMemory, usedByFamily } from "../shared/Processes.ts"
import { type Api, makeApi, requireSame } from "./api.ts"
import { type Candidate, startServer } from "./candidates.ts"
import { check } from "./check.ts"
import { clientOf, distant, temporaryDatabase } from "./databases.ts"
import { type Issuer, OWNER } from "./issuer.ts"
import { SCHEMA } from "./peers/schema.ts"

/** What a candidate has before it is measured. */
export interface Preparation {
  /** How many people are inside. */
  readonly crowd: number
  /** How many lists of accesses there are. */
  readonly lists: number
  /** How far the candidate is from PostgreSQL, in milliseconds each way. */
  readonly wireDelay: number
}

/** How many exit tokens a list of accesses has. */
export const LISTED = 50

/** How long a server is left alone before its idle memory is read. */
const REST = "500 millis"

const AREA = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'

const createOrganization = Effect.fnUntraced(function* (
  { isSojourn }: Candidate,
  { call }: Api,
  { operator }: Issuer,
  sql: SqlClient.SqlClient
) {
  if (isSojourn) {
    const organization = { name: "compared", trackingArea: AREA, trackingMode: "anonymous", owner: OWNER }
    const what = "an organization is created"
    const created = yield* call<{ readonly id: number }>(what, 201, operator, "/operator/organization", organization)
    return created.id
  }
  const [row] = yield* sql<{ readonly id: bigint }>`insert into organization (name) values ('compared') returning id`
  yield* sql`
    insert into permission (organization_id, administrator_id, level)
    values (${row!.id}, ${OWNER.administratorId}, 'owner')`
  return Number(row!.id)
})

/** Lets so many people enter and stay, and makes so many lists of exit tokens of closed stays. */
const populate = Effect.fnUntraced(function* (
  { track }: Api,
  { users }: Issuer,
  organizationId: number,
  { crowd, lists }: Preparation
) {
  const several = { concurrency: 32 } as const
  const times = (count: number) => Array.from({ length: count }, (_, nth) => nth)
  const enter = (nth: number) =>
    track("a user enters", 201, users[nth % users.length], { movementType: 1, organizationId })
  const visit = Effect.fnUntraced(function* (nth: number) {
    const { exitToken } = yield* enter(nth)
    yield* track("a user leaves", 202, users[nth % users.length], { movementType: -1, organizationId, exitToken })
    return exitToken
  })
  yield* Effect.forEach(times(crowd), enter, several)
  const tokens = yield* Effect.forEach(times(lists * LISTED), visit, several)
  return times(lists).map((nth) => tokens.slice(nth * LISTED, (nth + 1) * LISTED))
})

const readBatches = ({ text }: Api) =>
  Effect.map(text("/metrics"), (metrics) => {
    const read = (what: string) =>
      Number(
        new RegExp(`^sojourn_store_batch_size_${what}\\{[^}]*lane="movements"[^}]*\\} (\\d+)$`, "m").exec(metrics)?.[1]
      )
    return { batches: read("count"), movements: read("sum") }
  })

const rowsOf = (sql: SqlClient.SqlClient, table: "stay" | "open_stay") =>
  Effect.map(sql<{ readonly rows: number }>`select count(*)::int as rows from ${sql(table)}`, ([row]) => row!.rows)

/** Prepares a candidate for the time of the scope. */
export const prepare = Effect.fnUntraced(function* (
  candidate: Candidate,
  issuer: Issuer,
  postgres: { readonly url: Redacted.Redacted; readonly sql: SqlClient.SqlClient },
  preparation: Preparation
) {
  const directory = join(yield* temporaryDirectory, "data")
  issuer.keepIn(directory)
  const url = yield* temporaryDatabase(postgres.url, postgres.sql)
  const sql = yield* clientOf(url, candidate.isSojourn ? undefined : "public")
  if (!candidate.isSojourn) for (const statement of SCHEMA) yield* sql.unsafe(statement)
  const databaseUrl = preparation.wireDelay > 0 ? yield* distant(url, preparation.wireDelay) : url
  const server = yield* startServer(candidate.program({ databaseUrl, directory, publicKey: issuer.publicKey }))
  yield* Effect.sleep(REST)
  const memory = () => residentMemory(server.processId)
  const idleMemory = memory()
  const api = makeApi(server)
  const organizationId = yield* createOrganization(candidate, api, issuer, sql)
  yield* check(api, issuer, organizationId)
  const lists = yield* populate(api, issuer, organizationId, preparation)
  let closed = yield* rowsOf(sql, "stay")
  const requireRows = Effect.suspend(() =>
    Effect.all([
      Effect.flatMap(rowsOf(sql, "stay"), (rows) => requireSame(`closed stays of ${candidate.name}`, rows, closed)),
      Effect.flatMap(rowsOf(sql, "open_stay"), (rows) =>
        requireSame(`people inside ${candidate.name}`, rows, preparation.crowd)
      )
    ])
  )
  yield* requireRows
  return {
    name: candidate.name,
    server,
    organizationId,
    lists,
    /** Bytes before the first request, and now; NaN where they are not known. */
    idleMemory,
    memory,
    /** Processor time of the server and its workers until now, in microseconds. */
    processor: () => usedByFamily(server.processId),
    /** How many batches of movements there were until now, and how many movements were in them; NaN where that is not known. */
    batches: candidate.isSojourn ? readBatches(api) : Effect.succeed({ batches: Number.NaN, movements: Number.NaN }),
    /** Vacuums the tables: the candidate that wrote most would else have the most dead rows to scan. */
    vacuum: sql.unsafe("vacuum analyze open_stay, stay"),
    /** Fails unless the database holds as many closed stays as exits were acknowledged, these and all before. */
    acknowledge: (exits: number) => {
      closed += exits
      return requireRows
    }
  }
})

export type Contestant = Effect.Success<ReturnType<typeof prepare>>
