/** The scenes of the presence stream: a server, subscribers and movements, each a process of its own. */
import { setTimeout as pause } from "node:timers/promises"
import { Operator, OperatorId } from "@sojourn/core"
import { Effect, Fiber } from "effect"
import { makeClient } from "../../packages/server/test/faults/client.ts"
import { mintToken } from "../../packages/server/test/callers.ts"
import type { Outcome } from "../load/Job.ts"
import { startLoad } from "../load/Load.ts"
import { LoadFailed, startJobs } from "../shared/jobs.ts"
import { connectTo, lossesOf, makePlace, type Place } from "../shared/Place.ts"
import { residentMemory, usedBy } from "../shared/Processes.ts"
import { digits, markdown, megabytes } from "../shared/statistics.ts"
import type { Heard, Subscribing } from "./subscribe.ts"

/** A crowd in front of a server with subscribers. */
export interface Scene {
  readonly name: string
  readonly subscribers: number
  /** Connections beside them that read nothing. The server refuses further ones. */
  readonly silent?: number
  /** Movements a second. */
  readonly perSecond: number
  /** The first subscriber stops reading for half of the time. */
  readonly hasSlowReader?: boolean
  /** A transaction of another database of the cluster writes and stays open the whole time. */
  readonly hasOpenTransaction?: boolean
}

/** The scenes that the project measures itself by. */
export const SCENES: ReadonlyArray<Scene> = [
  { name: "crowd", subscribers: 200, perSecond: 2_000 },
  { name: "open-transaction", subscribers: 200, perSecond: 2_000, hasOpenTransaction: true },
  { name: "fan-out", subscribers: 1_000, perSecond: 10 },
  { name: "slow-reader", subscribers: 20, perSecond: 1_000, hasSlowReader: true },
  { name: "idle", subscribers: 5_000, perSecond: 1 },
  { name: "silent", subscribers: 20, silent: 10_000, perSecond: 4 }
]

/** The measurement of a scene. */
export interface Measured {
  readonly scene: Scene
  readonly outcome: Outcome
  readonly heard: Heard
  /** Cores that the server used during the movements, and with the subscribers connected but nothing moving. */
  readonly cores: number
  readonly idleCores: number
  /** Resident memory of the server, in bytes: without subscribers, with them idle, after the movements. */
  readonly memory: ReadonlyArray<number>
  /** Acknowledged movements that the database lacks. */
  readonly losses: ReadonlyArray<string>
}

/** How long all subscribers may take to connect, and the last events to arrive, in seconds. */
const CONNECTING = 300
const LAST_EVENTS = 2

const CONNECTIONS = 64

/** How many streams are asked for beyond those that the server may have. */
const REFUSED = 20

/** Publishes events as they come: an anonymous organization would collect them for a second. */
const publishAtOnce = Effect.fnUntraced(function* ({ baseUrl, key, organizationId }: Place) {
  const { status } = yield* Effect.promise(async () => {
    const client = makeClient()
    const token = await mintToken(key, Operator(OperatorId.make("operator")))
    const path = `/operator/organization/${organizationId}/policy`
    const answer = await client.ask(baseUrl, { method: "PUT", path, token, json: { eventGrain: 0 } })
    client.close()
    return answer
  })
  if (status !== 200) return yield* new LoadFailed({ reason: `the policy was answered with ${status}` })
})

/** Keeps a transaction that has written open, in another database of the place's cluster, until the scope ends. */
const openTransaction = Effect.fnUntraced(function* (place: Place) {
  const sql = yield* connectTo(place, "postgres")
  const write = sql`select pg_current_xact_id()`
  yield* Effect.forkScoped(sql.withTransaction(Effect.andThen(write, Effect.never)))
})

/** The interval at which the number of streams is read, in milliseconds. */
const POLL_INTERVAL_MS = 200

/** Waits until the server has so many streams. */
const untilStreams = async ({ baseUrl }: Place, count: number) => {
  const giveUp = Date.now() + CONNECTING * 1000
  const client = makeClient()
  const streams = async () => {
    const { text } = await client.ask(baseUrl, { method: "GET", path: "/metrics" })
    return Number(/^sojourn_presence_streams (\d+)$/m.exec(text)?.[1])
  }
  while ((await streams()) < count && Date.now() < giveUp) await pause(POLL_INTERVAL_MS)
  client.close()
}

/** Measures a scene on a server of its own. */
export const measure = Effect.fnUntraced(function* (scene: Scene, seconds: number) {
  const { silent = 0, subscribers } = scene
  const most = subscribers + silent
  // All streams are of one caller, and further ones shall be refused for want of places.
  const limits = ["--max-subscribers", String(most), "--max-subscribers-per-caller", String(most + 1_000)]
  const bounds = [...limits, "--max-connections", String(most + 2_000)]
  const place = yield* makePlace(["--request-log", "off", ...bounds])
  yield* publishAtOnce(place)
  if (scene.hasOpenTransaction === true) yield* openTransaction(place)
  const generate = yield* startLoad
  const subscribe = yield* startJobs<Subscribing, Heard>(new URL("main.ts", import.meta.url))
  const { host, port, organizationId, owner, server, tokens } = place
  const move = (perSecond: number, seconds: number) =>
    generate({
      host,
      port,
      connections: CONNECTIONS,
      seconds,
      work: { _tag: "Arrivals", organizationId, tokens, perSecond }
    })
  // Without this the measurement would include the compilation of the hot path.
  const warm = yield* move(1_000, 2)

  const memory = () => residentMemory(server.pid)
  const coresDuring = <A, E>(during: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const used = () => usedBy(server.pid)
      const [began, before] = [performance.now(), used()]
      const done = yield* during
      return [done, (used() - before) / 1000 / (performance.now() - began)] as const
    })

  const before = memory()
  const idling = Math.max(2, seconds / 4)
  const listening = yield* Effect.forkChild(
    subscribe({
      host,
      port,
      organizationId,
      token: owner,
      subscribers,
      silent,
      refused: silent > 0 ? REFUSED : 0,
      connecting: CONNECTING,
      seconds: idling + seconds + LAST_EVENTS + 1,
      pause: scene.hasSlowReader === true ? idling + seconds / 2 : 0
    })
  )
  yield* Effect.promise(() => untilStreams(place, most))
  const [, idleCores] = yield* coresDuring(Effect.sleep(`${idling} seconds`))
  const idle = memory()
  const [outcome, cores] = yield* coresDuring(move(scene.perSecond, seconds))
  const heard = yield* Fiber.join(listening)
  const losses = yield* lossesOf(place, {
    entrances: warm.entrances + outcome.entrances,
    exits: warm.exits + outcome.exits
  })
  return { scene, outcome, heard, cores, idleCores, memory: [before, idle, memory()], losses } satisfies Measured
}, Effect.scoped)

/** What is wrong with a scene: an event that was lost, doubled or wrong, or a movement that was lost. */
export const faultsOf = ({ scene, heard, outcome, losses }: Measured): ReadonlyArray<string> => {
  const { subscribers, silent = 0 } = scene
  const expectations: ReadonlyArray<readonly [holds: boolean, fault: string]> = [
    [heard.connected === subscribers, `${heard.connected} of ${subscribers} subscribers had a snapshot`],
    [heard.silent === silent, `${heard.silent} of ${silent} connections stayed that read nothing`],
    [silent === 0 || heard.refused > 0, "no stream was refused beyond those that may be"],
    [heard.gaps === 0, `${heard.gaps} versions did not follow the one before`],
    [heard.wrongSums === 0, `${heard.wrongSums} times inside was not the sum of the changes`],
    [heard.last.length === 1, `subscribers ended with ${heard.last.length} different states`],
    [heard.events > 0, "no event arrived"]
  ]
  return [
    ...expectations.flatMap(([holds, fault]) => (holds ? [] : [fault])),
    ...losses,
    ...Object.entries({ ...heard.errors, ...outcome.errors }).map(([what, count]) => `${count} times ${what}`)
  ].map((fault) => `${scene.name}: ${fault}`)
}

const HEAD = [
  "scene",
  "subscribers",
  "movements/s",
  "events/s for each",
  "p50 ms",
  "p99 ms",
  "longest ms",
  "snapshots",
  "cores",
  "cores idle",
  "MB for subscribers",
  "MB after"
]

/** The measurements as a table. */
export const tableOf = (measured: ReadonlyArray<Measured>): string => {
  const rows = measured.map(
    ({ scene, heard, outcome, cores, idleCores, memory: [before = 0, idle = 0, after = 0] }) => [
      scene.name,
      String(scene.subscribers + (scene.silent ?? 0)),
      digits((1000 * outcome.requests) / outcome.duration),
      digits((1000 * heard.events) / scene.subscribers / outcome.duration, 1),
      digits(heard.p50),
      digits(heard.p99),
      digits(heard.longest),
      Object.entries(heard.snapshots)
        .map(([reason, count]) => `${count} ${reason}`)
        .join(", "),
      digits(cores, 2),
      digits(idleCores, 2),
      megabytes(idle - before),
      megabytes(after - idle)
    ]
  )
  return markdown([HEAD, ...rows])
}
