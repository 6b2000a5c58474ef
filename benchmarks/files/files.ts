/** Files of accesses from a server with an embedded database: how long they take, and what the server needs for them. */
import http from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeClient } from "../../packages/server/test/faults/client.ts"
import { fixturesOn } from "../../packages/server/test/faults/town.ts"
import { DEMO_HOST } from "../../packages/server/test/abuse/personalDataAttacks.ts"
import { square } from "../../packages/server/test/fixtures.ts"
import { connectTo, makePlace } from "../shared/Place.ts"
import { residentMemory, serverProcessorTime, usedBy } from "../shared/Processes.ts"
import { digits, markdown, megabytes } from "../shared/statistics.ts"

/** The parameters of a run. */
export interface Run {
  /** How many accesses a file has. */
  readonly accesses: number
  /** How many callers read one at once. */
  readonly callers: ReadonlyArray<number>
  /** In how many places besides the organization itself the accesses are. */
  readonly places: number
}

/** The run that the project measures itself by. */
export const USUAL: Run = { accesses: 1_000_000, callers: [1, 16], places: 20 }

/** The outcome for one number of callers. */
export interface Measured {
  readonly callers: number
  /** How many accesses arrived, of all callers. */
  readonly accesses: number
  readonly seconds: number
  /** How long the counter of another organization took at most, and at the median, in milliseconds. */
  readonly slowest: number
  readonly median: number
  /** The memory of the server before, and the most while the files were read, in bytes. */
  readonly idle: number
  readonly most: number
  /** Processor time for each access, in microseconds. */
  readonly server: number
  readonly postgres: number
}

/** How many accesses one statement writes. */
const BATCH = 50_000

/** How long the server rests before its memory is read, in milliseconds. */
const REST_MS = 5_000

const PEOPLE = 5_000

const FILL = `
insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
select $1::bigint, ($2::bigint[])[1 + n % cardinality($2::bigint[])], nextval('stay_id'), 'person-' || n % ${PEOPLE}, entered_at,
  entered_at + interval '1 hour'
from (
  select n, date_trunc('second', now()) - interval '300 days' + n * interval '20 seconds' as entered_at
  from generate_series($3::int, $4::int) n
) drawn`

/** Reads a file to its end, keeps nothing of it, and answers how many lines it has. */
const readFile = (url: string, token: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: "text/csv" }
    http
      .get(url, { headers, agent: false }, (response) => {
        let lines = 0
        response.on("data", (chunk: Buffer) => {
          for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
        })
        response.on("error", reject).on("end", () => resolve(lines))
      })
      .on("error", reject)
  })

/** Measures files on a server of its own. */
export const measureFiles = Effect.fnUntraced(function* ({ accesses, callers, places }: Run) {
  const place = yield* makePlace(["--demo-directory", "--directory-allow", DEMO_HOST])
  const { server, baseUrl, key } = place
  const client = makeClient()
  const town = fixturesOn(client, () => baseUrl, key)
  const { id, sites } = yield* Effect.promise(async () => {
    const { id } = await town.authenticated()
    const sites = [0]
    for (let nth = 0; nth < places; nth++) sites.push((await town.place(id, square(nth))).id)
    return { id, sites }
  })
  const sql = yield* connectTo(place)
  for (let from = 1; from <= accesses; from += BATCH) {
    yield* sql.unsafe(FILL, [BigInt(id), sites.map(BigInt), from, Math.min(accesses, from + BATCH - 1)])
  }
  yield* sql.unsafe("vacuum analyze stay")
  const postgresTime = yield* Effect.provideService(serverProcessorTime, SqlClient.SqlClient, sql)
  const [from, to] = [-301, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  const url = `${baseUrl}/record/organization/${id}/access?from=${from}&to=${to}`

  const during = async (count: number): Promise<Measured> => {
    await sleep(REST_MS)
    const idle = residentMemory(server.pid)
    let most = idle
    const waits: Array<number> = []
    const reading = new AbortController()
    const watch = async () => {
      while (!reading.signal.aborted) {
        const began = performance.now()
        await town.get(town.owner, `/presence/organization/${place.organizationId}/counter`)
        waits.push(performance.now() - began)
        most = Math.max(most, residentMemory(server.pid))
        await sleep(5)
      }
    }
    const watching = watch()
    const token = await town.owner.token
    const [began, serverBefore, postgresBefore] = [performance.now(), usedBy(server.pid), postgresTime()]
    const lines = await Promise.all(Array.from({ length: count }, () => readFile(url, token)))
    const seconds = (performance.now() - began) / 1000
    const [serverTime, postgres] = [usedBy(server.pid) - serverBefore, postgresTime() - postgresBefore]
    reading.abort()
    await watching
    waits.sort((one, other) => one - other)
    const read = lines.reduce((sum, count) => sum + count - 1, 0)
    return {
      callers: count,
      accesses: read,
      seconds,
      slowest: waits.at(-1) ?? 0,
      median: waits[Math.floor(waits.length / 2)] ?? 0,
      idle,
      most,
      server: serverTime / read,
      postgres: postgres / read
    }
  }
  const measured = yield* Effect.promise(async () => {
    const all: Array<Measured> = []
    for (const count of callers) all.push(await during(count))
    client.close()
    return all
  })
  return measured
}, Effect.scoped)

/** What is wrong with a run: files that lack accesses, or have more. */
export const faultsOf = (
  { accesses }: Pick<Run, "accesses">,
  measured: ReadonlyArray<Measured>
): ReadonlyArray<string> =>
  measured.flatMap(({ callers, accesses: read }) =>
    read === callers * accesses ? [] : [`${callers} callers read ${read} accesses of ${callers * accesses}`]
  )

/** The outcomes as a table. */
export const tableOf = (measured: ReadonlyArray<Measured>): string =>
  markdown([
    ["callers", "accesses", "s", "counter ms", "slowest ms", "idle MB", "most MB", "server us", "PostgreSQL us"],
    ...measured.map(({ callers, accesses, seconds, median, slowest, idle, most, server, postgres }) => [
      String(callers),
      accesses.toLocaleString("en"),
      digits(seconds, 1),
      digits(median, 1),
      digits(slowest),
      megabytes(idle),
      megabytes(most),
      digits(server, 1),
      digits(postgres, 1)
    ])
  ])
