/** Readings of many devices beside movements, each from a process of its own, on a server with an embedded database. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeClient } from "../../packages/server/test/faults/client.ts"
import { fixturesOn } from "../../packages/server/test/faults/town.ts"
import { want } from "../../packages/server/test/fixtures.ts"
import type { Outcome } from "../load/Job.ts"
import { startLoad } from "../load/Load.ts"
import { connectTo, lossesOf, makePlace, type Place } from "../shared/Place.ts"
import { serverProcessorTime, usedBy } from "../shared/Processes.ts"
import { digits, markdown } from "../shared/statistics.ts"

/** The parameters of a run. Rates are for a second. */
export interface Run {
  readonly organizations: number
  readonly devicesEach: number
  readonly readings: number
  readonly movements: number
  readonly seconds: number
}

/** The run that the project measures itself by: each device reports every 10 seconds. */
export const USUAL: Run = { organizations: 20, devicesEach: 500, readings: 1_000, movements: 1_000, seconds: 30 }

/** The outcomes of a run. */
export interface Measured {
  readonly readings: Outcome
  readonly movements: Outcome
  /** How many people the server says are counted inside, and how many the acknowledged readings counted. */
  readonly counted: number
  readonly expected: number
  /** Processor time of the server and of PostgreSQL, in microseconds for each reading or movement. */
  readonly processor: { readonly server: number; readonly postgres: number }
  /** Acknowledged movements that the database lacks. */
  readonly losses: ReadonlyArray<string>
}

/** At most, of each load: readings that wait at the same moment share a transaction. */
const CONNECTIONS = 256

/** How long the server warms up, in seconds. */
const WARMING = 3

/** The organizations with devices of a server. */
const install = async ({ baseUrl, key }: Place, { organizations, devicesEach }: Run) => {
  const client = makeClient()
  const { get, organization, owner, post } = fixturesOn(client, () => baseUrl, key)
  const each = <A>(count: number, make: (nth: number) => Promise<A>) =>
    Promise.all(Array.from({ length: count }, (_, nth) => make(nth)))
  const installed = await each(organizations, async () => {
    const { id } = await organization()
    const tokens: Array<string> = []
    for (let nth = 0; nth < devicesEach; nth++) {
      const draft = { name: `Door ${nth}`, premises: [{ organization: true }] }
      tokens.push(want(await post(owner, `/device/organization/${id}`, draft), 201, "a device").json.token)
    }
    return { id, tokens }
  })
  const countedIn = async (id: number): Promise<number> =>
    want(await get(owner, `/presence/organization/${id}/counted`), 200, "what is counted").json.counted
  return {
    tokens: installed.flatMap(({ tokens }) => tokens),
    counted: async () => {
      const all = await each(organizations, (nth) => countedIn(installed[nth]!.id))
      client.close()
      return all.reduce((sum, counted) => sum + counted, 0)
    }
  }
}

/** Measures a run on a server of its own. */
export const measureReadings = Effect.fnUntraced(function* (run: Run) {
  const place = yield* makePlace()
  const { tokens, counted } = yield* Effect.promise(() => install(place, run))
  const [read, move] = yield* Effect.all([startLoad, startLoad])
  const { host, port, organizationId } = place
  const during = (seconds: number, epoch: string) => {
    const job = { host, port, connections: CONNECTIONS, seconds }
    return Effect.all(
      [
        read({ ...job, work: { _tag: "Readings", tokens, epoch, perSecond: run.readings } }),
        move({ ...job, work: { _tag: "Arrivals", organizationId, tokens: place.tokens, perSecond: run.movements } })
      ],
      { concurrency: 2 }
    )
  }
  const [warmReadings, warmMovements] = yield* during(WARMING, "warm")
  const postgres = yield* Effect.provideService(serverProcessorTime, SqlClient.SqlClient, yield* connectTo(place))
  const [serverBefore, postgresBefore] = [usedBy(place.server.pid), postgres()]
  const [readings, movements] = yield* during(run.seconds, "measured")
  const requests = readings.requests + movements.requests
  const processor = {
    server: (usedBy(place.server.pid) - serverBefore) / requests,
    postgres: (postgres() - postgresBefore) / requests
  }
  const losses = yield* lossesOf(place, {
    entrances: warmMovements.entrances + movements.entrances,
    exits: warmMovements.exits + movements.exits
  })
  const expected = warmReadings.counted + readings.counted
  return {
    readings,
    movements,
    counted: yield* Effect.promise(counted),
    expected,
    processor,
    losses
  } satisfies Measured
}, Effect.scoped)

/** What is wrong with a run. That something was refused or found no connection shows what the machine is capable of, and is no fault. */
export const faultsOf = ({ readings, movements, counted, expected, losses }: Measured): ReadonlyArray<string> => [
  ...(counted === expected ? [] : [`${counted} people are counted, and ${expected} were sent`]),
  ...losses,
  ...Object.entries({ ...readings.errors, ...movements.errors }).map(([what, count]) => `${count} times ${what}`)
]

/** The outcomes as a table. */
export const tableOf = ({ readings, movements, counted, processor }: Measured): string => {
  const row = (name: string, { requests, duration, refused, unsent, p50, p99 }: Outcome) => [
    name,
    String(requests),
    digits((1000 * requests) / duration),
    String(refused),
    String(unsent),
    digits(p50, 1),
    digits(p99, 1)
  ]
  const head = ["", "accepted", "a second", "refused", "never sent", "p50 ms", "p99 ms"]
  return `${markdown([head, row("readings", readings), row("movements", movements)])}\n\n${counted} people counted inside; us of processor for each: server ${digits(processor.server)}, PostgreSQL ${digits(processor.postgres)}`
}
