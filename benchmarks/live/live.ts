/** The scenes of the presence stream: a server, subscribers and movements, each as a process of its own. */
import { setTimeout as pause } from "node:timers/promises"
import { Operator, OperatorId } from "@sojourn/core"
import { Effect, Fiber } from "effect"
import { makeClient } from "../../packages/server/test/faults/asking.ts"
import { bearer } from "../../packages/server/test/faults/town.ts"
import type { Arrivals, Received } from "../arrivals/Arrivals.ts"
import { connectTo, makePlace, type Place, staysIn } from "../arrivals/Place.ts"
import { LoadFailed, makeGenerator } from "../load/Load.ts"
import { residentMemory, usedByAll } from "../shared/Processes.ts"
import type { Heard, Subscribing } from "./Subscribing.ts"

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

/** What is measured: how long each scene lasts, and flags for the server. */
export interface Live {
  readonly scenes: ReadonlyArray<Scene>
  /** Whether counters are measured too. */
  readonly hasCounters: boolean
  /** Whether the deliveries of webhooks are measured too. */
  readonly hasWebhooks: boolean
  /** Whether musters are measured too. */
  readonly hasMusters: boolean
  readonly seconds: number
  readonly flags: ReadonlyArray<string>
}

export interface Measured {
  readonly scene: Scene
  readonly received: Received
  readonly heard: Heard
  /** Cores that the server used during the movements, and with the subscribers connected but nothing moving. */
  readonly cores: number
  readonly idleCores: number
  /** Resident memory of the server, in bytes: without subscribers, with them idle, after the movements. */
  readonly memory: { readonly before: number; readonly idle: number; readonly after: number }
  /** What is in the database at the end, and what was acknowledged. */
  readonly inside: { readonly found: number; readonly acknowledged: number }
}

/** How long all subscribers may take to connect, and the last events to arrive, in seconds. */
const CONNECTING = 300
const LAST_EVENTS = 2

const CONNECTIONS = 64

/** How many streams are asked for beyond those that the server may have. */
const REFUSED = 20

/** Events are told as they come: an anonymous organization would collect them for a second. */
const tellAtOnce = ({ baseUrl, key, organizationId }: Place) =>
  Effect.promise(async () => {
    const client = makeClient()
    const token = await bearer(key, Operator(OperatorId.make("operator")))
    const path = `/operator/organization/${organizationId}/policy`
    const { status } = await client.ask(baseUrl, { method: "PUT", path, token, json: { eventGrain: 0 } })
    client.close()
    return status
  }).pipe(
    Effect.filterOrFail(
      (status) => status === 200,
      (status) => new LoadFailed({ reason: `the policy was answered with ${status}` })
    )
  )

/** Keeps a transaction that has written open, in another database of the place's cluster, until the scope ends. */
const openTransaction = Effect.fnUntraced(function* (place: Place) {
  const sql = yield* connectTo(place, "postgres")
  const write = sql`select pg_current_xact_id()`
  yield* Effect.forkScoped(sql.withTransaction(Effect.andThen(write, Effect.never)))
})

/** Waits until the server has so many streams. */
const untilStreams = ({ baseUrl }: Place, count: number) =>
  Effect.promise(async () => {
    const giveUp = Date.now() + CONNECTING * 1000
    const client = makeClient()
    const streams = async () => {
      const { text } = await client.ask(baseUrl, { method: "GET", path: "/metrics" })
      return Number(/^sojourn_presence_streams (\d+)$/m.exec(text)?.[1])
    }
    while ((await streams()) < count && Date.now() < giveUp) await pause(200)
    client.close()
  })

const measure = Effect.fnUntraced(function* (scene: Scene, { seconds, flags }: Live) {
  const { silent = 0, subscribers } = scene
  const most = subscribers + silent
  // All streams are of one caller, and further ones shall be refused for want of places.
  const limits = ["--max-subscribers", String(most), "--max-subscribers-per-caller", String(most + 1_000)]
  const bounds = [...limits, "--max-connections", String(most + 2_000)]
  const place = yield* makePlace(["--storage", "embedded", "--request-log", "off", ...bounds, ...flags])
  yield* tellAtOnce(place)
  if (scene.hasOpenTransaction === true) yield* openTransaction(place)
  const arrive = yield* makeGenerator<Arrivals, Received>(new URL("../arrivals/main.ts", import.meta.url))
  const listen = yield* makeGenerator<Subscribing, Heard>(new URL("main.ts", import.meta.url))
  const { host, port, organizationId, owner, server, tokens } = place
  const movements = { host, port, organizationId, tokens, connections: CONNECTIONS, patience: 5_000 }
  // Without this the measurement would include the compilation of the hot path.
  const warm = yield* arrive({ ...movements, perSecond: 1_000, seconds: 2 })

  const memory = () => residentMemory(server.pid) ?? 0
  const used = () => usedByAll(server.pid) ?? 0
  const coresDuring = <A, E>(during: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const [began, before] = [performance.now(), used()]
      const done = yield* during
      return [done, (used() - before) / 1000 / (performance.now() - began)] as const
    })

  const before = memory()
  const idling = Math.max(2, seconds / 4)
  const listening = yield* Effect.forkChild(
    listen({
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
  yield* untilStreams(place, most)
  const [, idleCores] = yield* coresDuring(Effect.sleep(`${idling} seconds`))
  const idle = memory()
  const [received, cores] = yield* coresDuring(arrive({ ...movements, perSecond: scene.perSecond, seconds }))
  const heard = yield* Fiber.join(listening)
  const after = memory()
  const { open: found } = yield* staysIn(place)
  const acknowledged = warm.entrances - warm.exits + received.entrances - received.exits
  return { scene, received, heard, cores, idleCores, memory: { before, idle, after }, inside: { found, acknowledged } }
}, Effect.scoped)

/** Measures the scenes one after the other, each on a server of its own. `say` is told what is under way. */
export const live = (wanted: Live, say: (line: string) => void) =>
  Effect.forEach(wanted.scenes, (scene) => {
    say(scene.name)
    return measure(scene, wanted)
  })
