import { setTimeout as pause } from "node:timers/promises"
import { Effect, Option } from "effect"
import type { Fault } from "../../packages/server/test/faults/Ledger.ts"
import { randomness } from "../../packages/server/test/faults/randomness.ts"
import { keysIn, makeScene } from "../../packages/server/test/faults/scene.ts"
import { userToken } from "../../packages/server/test/faults/town.ts"
import { clientOf, postgresAt, temporaryDatabase, temporaryDirectory } from "../compare/Databases.ts"
import { makeLoad } from "../load/Load.ts"
import { serverProcessorTime } from "../shared/ServerProcesses.ts"
import { SqlClient } from "effect/sql"
import { makeBalancer } from "./Balancer.ts"
import { makeFleet } from "./Fleet.ts"
import { race, type Tried } from "./races.ts"
import { measureThroughput, type Patience, type Throughput } from "./throughput.ts"

/** What is tried and measured. */
export interface Scale extends Patience {
  readonly servers: number
  /** How often people race through all servers. */
  readonly races: number
  /** How many people come and go while servers are killed, and how often one is. */
  readonly crowd: number
  readonly kills: number
}

/** The scale that the project measures itself by. */
export const USUAL: Scale = {
  servers: 3,
  races: 25,
  crowd: 40,
  kills: 4,
  rounds: 7,
  seconds: 3,
  connections: 64
}

/** What came of it. */
export interface Scaled {
  readonly tried: ReadonlyArray<Tried>
  readonly throughputs: ReadonlyArray<Throughput>
  /** Movements that were acknowledged, each once, and how many of these are in the database. */
  readonly acknowledged: number
  readonly found: number
  /** Movements that were not answered at first, because their server was killed. */
  readonly ambiguous: number
  readonly faults: ReadonlyArray<Fault>
}

/** How long people come and go before a server is killed, and after, in milliseconds. */
const A_WHILE = 300

/** How many users the load has. */
const USERS = 256

/**
 * Servers over one PostgreSQL behind a balancer: races through all of them, kills of one under a crowd, and what one, two
 * and all of them do under load. `say` is told what is under way.
 */
export const scale = Effect.fnUntraced(function* (
  wanted: Scale,
  durability: "durable" | "fast",
  say: (line: string) => void
) {
  const url = yield* temporaryDatabase(yield* postgresAt(Option.none(), durability))
  const data = yield* temporaryDirectory
  const keys = yield* Effect.promise(() => keysIn(data))
  say(`starting ${wanted.servers} servers`)
  const fleet = yield* makeFleet(wanted.servers, url, data)
  const balancer = yield* makeBalancer
  const ports = () => fleet.members().map(({ port }) => port)
  balancer.leadTo(ports())
  const baseUrl = `http://127.0.0.1:${balancer.port}`
  const setting = { ...keys, baseUrl: () => baseUrl, random: randomness(20260301), companies: 2, keyed: 0.5 }
  const scene = yield* Effect.acquireRelease(
    Effect.promise(() => makeScene({ ...setting, crowd: wanted.crowd })),
    ({ client }) => Effect.sync(() => client.close())
  )
  const audit = Effect.promise(() => scene.audit({ url }))

  say("racing")
  const urls = () => fleet.members().map((member) => member.url)
  const raced = yield* Effect.promise(() => race(scene, urls, wanted.races))
  yield* audit

  say("killing")
  for (let nth = 0; nth < wanted.kills; nth++) {
    const kill = async () => {
      await pause(A_WHILE)
      await Effect.runPromise(fleet.killLast)
      // The balancer still knows it: whoever is led there is refused, and led on to the rest.
      await pause(A_WHILE)
    }
    yield* Effect.promise(() => scene.during(kill, () => ({ url }), { silent: true }))
    yield* fleet.startOne
    balancer.leadTo(ports())
  }

  say("loading")
  const sql = yield* clientOf(url)
  const [square] = scene.town.anonymous
  const closed = Effect.map(
    sql<{ readonly closed: number; readonly open: number }>`
      select (select count(*)::int from stay where organization_id = ${square!.id} and place_id = 0) as closed,
        (select count(*)::int from open_stay where organization_id = ${square!.id} and place_id = 0) as open`,
    ([row]) => row!
  )
  const before = yield* closed
  const tokens = yield* Effect.promise(() =>
    Promise.all(Array.from({ length: USERS }, (_, nth) => userToken(keys.key, `user-${nth}`)))
  )
  const { acknowledged, throughputs } = yield* measureThroughput(
    yield* makeLoad,
    balancer,
    fleet.members(),
    yield* Effect.provideService(serverProcessorTime, SqlClient.SqlClient, sql),
    { organizationId: square!.id, tokens },
    wanted
  )
  const after = yield* closed
  const { ledger } = scene
  const written = after.closed - before.closed
  if (written !== acknowledged || after.open !== before.open)
    ledger.fault(
      written < acknowledged ? "lost" : "doubled",
      `of ${acknowledged} pairs under load ${written} are in the database, and ${after.open - before.open} stays are open`
    )
  const [movements] = yield* sql<{ readonly found: number }>`
    select ((select 2 * count(*) from stay) + (select count(*) from open_stay))::int as found`
  return {
    tried: [
      ...raced,
      { what: "kill -9 of one server under a crowd: nothing acknowledged lost, nothing doubled", times: wanted.kills }
    ],
    throughputs,
    acknowledged: ledger.acknowledged() + 2 * acknowledged,
    // Entrances of nobody in particular that were written, and whose answer was cut off, were acknowledged to nobody.
    found: movements!.found - ledger.forsaken.size,
    ambiguous: ledger.ambiguous(),
    faults: ledger.faults
  } satisfies Scaled
}, Effect.scoped)
