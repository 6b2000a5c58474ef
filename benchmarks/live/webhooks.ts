/** The scene `webhooks`: deliveries to quick, slow and dead receivers, and what they cost. */
import { writeFileSync } from "node:fs"
import * as https from "node:https"
import * as net from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { Operator, OperatorId } from "@sojourn/core"
import { Effect } from "effect"
import { type Answer, type Asked, bodyOf, makeClient } from "../../packages/server/test/faults/asking.ts"
import { bearer } from "../../packages/server/test/faults/town.ts"
import { rectangle } from "../../packages/server/src/demo/areas.ts"
import { certificates } from "../../packages/server/test/webhooks/Receiver.ts"
import { connectTo, makePlace, type Place } from "../arrivals/Place.ts"
import { temporaryDirectory } from "../compare/Databases.ts"
import { LoadFailed } from "../load/Load.ts"
import { markdown } from "../shared/markdown.ts"
import { childrenOf, residentMemory, usedByAll } from "../shared/Processes.ts"
import { quantile } from "../shared/quantile.ts"

/** Webhooks whose organizations change. */
export interface WebhookScene {
  readonly webhooks: number
  /** How often each organization changes: at most 50 times. */
  readonly changes: number
  /** How long an organization waits before it changes again, in milliseconds; 0: all changes come at once. */
  readonly every: number
  /** How many receivers answer after 10 seconds. */
  readonly slow?: number
  /** How many receivers accept connections and never say anything. */
  readonly dead?: number
}

const WEBHOOK_SCENES: ReadonlyArray<WebhookScene> = [
  { webhooks: 1, changes: 50, every: 0 },
  { webhooks: 100, changes: 20, every: 0 },
  { webhooks: 1_000, changes: 5, every: 0 },
  { webhooks: 100, changes: 15, every: 1_000 },
  { webhooks: 100, changes: 15, every: 1_000, slow: 50 },
  { webhooks: 100, changes: 15, every: 1_000, dead: 50 },
  { webhooks: 1_001, changes: 30, every: 1_000, dead: 1_000 },
  { webhooks: 1_001, changes: 30, every: 1_000, slow: 1_000 }
]

/** An organization has at most so many webhooks. */
const OF_ONE = 10

/** How long a slow receiver takes, in milliseconds. */
const SLOW = 10_000

/** The time within which a server takes all webhooks that were created, in milliseconds. */
const TAKEN = 3_000

/** How long the server is measured while nothing changes, in milliseconds. */
const IDLE = 4_000

/** How long all deliveries to quick receivers may take, in milliseconds. */
const PATIENCE = 300_000

/** What the deliveries of a scene were, and what they cost. */
interface Delivered {
  readonly scene: WebhookScene
  /** From the moment when an event was recorded to its arrival at a quick receiver, in milliseconds, in ascending order. */
  readonly latencies: ReadonlyArray<number>
  readonly seconds: number
  /** Connections that quick receivers accepted, and the most that were open to slow and dead ones. */
  readonly connections: number
  readonly others: number
  /** The longest time that a request of the server took meanwhile, in milliseconds. */
  readonly request: number
  /** Cores that the server and PostgreSQL use while nothing changes. */
  readonly idleCores: { readonly server: number; readonly postgres: number }
  /** Processor time of the server and of PostgreSQL for the deliveries, in milliseconds. */
  readonly server: number
  readonly postgres: number
  /** Transactions that PostgreSQL committed. */
  readonly commits: number
  /** Resident memory of the server before and after, in bytes. */
  readonly memory: { readonly before: number; readonly after: number }
}

const listening = (server: net.Server) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return `https://127.0.0.1:${(server.address() as net.AddressInfo).port}`
    }),
    () => Effect.sync(() => server.close())
  )

/** A quick receiver, a slow one and a dead one. The quick one keeps how long events took, and counts its connections. */
const startReceivers = Effect.gen(function* () {
  const latencies: Array<number> = []
  let connections = 0
  const options = { key: certificates.server.keyPem, cert: certificates.server.pem }
  const answer = (delay: number, take: (json: { readonly timestamp: string }) => void) =>
    https.createServer(options, (request, response) => {
      const parts: Array<Buffer> = []
      response.on("error", () => {})
      request.on("data", (part: Buffer) => parts.push(part))
      request.on("end", () => {
        take(JSON.parse(Buffer.concat(parts).toString()))
        setTimeout(() => response.writeHead(204).end(), delay)
      })
    })
  const open = new Set<net.Socket>()
  let others = 0
  const countOthers = <Server extends net.Server>(server: Server) => {
    const own = new Set<net.Socket>()
    return server.on("connection", (socket: net.Socket) => {
      others = Math.max(others, own.add(socket).size)
      socket.on("close", () => own.delete(socket))
    })
  }
  yield* Effect.addFinalizer(() => Effect.sync(() => open.forEach((socket) => socket.destroy())))
  const kept = <Server extends net.Server>(server: Server) =>
    server.on("connection", (socket: net.Socket) => {
      open.add(socket)
      socket.on("error", () => {}).on("close", () => open.delete(socket))
    })
  const quick = kept(answer(0, ({ timestamp }) => latencies.push(Date.now() - Date.parse(timestamp))))
  quick.on("connection", () => connections++)
  return {
    quick: yield* listening(quick),
    slow: yield* listening(countOthers(kept(answer(SLOW, () => {})))),
    dead: yield* listening(countOthers(kept(net.createServer((socket) => void socket.resume())))),
    latencies,
    connections: () => connections,
    others: () => others
  }
})

type Receivers = Effect.Success<typeof startReceivers>

/** Asks a server, again where it is busy. */
const asking = (place: Place, client: ReturnType<typeof makeClient>) => {
  const ask = async (asked: Asked): Promise<Answer> => {
    const answer = await client.ask(place.baseUrl, asked)
    if (answer.status === 503) {
      await pause(100)
      return ask(asked)
    }
    if (answer.status < 200 || answer.status > 299) {
      throw new LoadFailed({ reason: `${asked.path} was answered with ${answer.status}` })
    }
    return answer
  }
  return ask
}

/** The URL of each webhook: of the first ten of a hundred, five are slow or dead where fifty of them are. */
const urlOf = (made: number, receivers: Receivers, { webhooks, slow = 0, dead = 0 }: WebhookScene) => {
  const isOther = (made * (slow + dead)) % webhooks < slow + dead
  const origin = !isOther ? receivers.quick : slow > 0 ? receivers.slow : receivers.dead
  return `${origin}/${made}`
}

/** Creates organizations with webhooks on a server. Returns the ids of the organizations. */
const createWebhooks = async (place: Place, receivers: Receivers, scene: WebhookScene) => {
  const client = makeClient()
  const ask = asking(place, client)
  const operator = await bearer(place.key, Operator(OperatorId.make("operator")))
  const owner = { administratorId: "owner", mail: "owner@example.test" }
  const organizations: Array<number> = []
  for (let made = 0; made < scene.webhooks; made++) {
    if (made % OF_ONE === 0) {
      const trackingArea = rectangle(11, 45, 12, 46)
      const json = { name: `Webhooks ${made}`, trackingMode: "anonymous", trackingArea, owner }
      const answer = await ask({ method: "POST", path: "/operator/organization", token: operator, json })
      organizations.push(bodyOf<{ readonly id: number }>(answer).id)
    }
    const path = `/webhook/organization/${organizations.at(-1)}`
    await ask({ method: "POST", path, token: place.owner, json: { url: urlOf(made, receivers, scene) } })
  }
  client.close()
  return organizations
}

/** Creates places in the organizations. Returns the longest time that one took, in milliseconds. */
const change = async (place: Place, organizations: ReadonlyArray<number>, { changes, every }: WebhookScene) => {
  const client = makeClient()
  const ask = asking(place, client)
  let longest = 0
  const changeOne = async (id: number, nth: number) => {
    if (every > 0) await pause((every * nth) / organizations.length)
    for (let n = 0; n < changes; n++) {
      const began = performance.now()
      // Changes of the same content would become one delivery.
      const west = 11.01 + n / 60
      const json = { organizationId: id, trackingArea: rectangle(west, 45.01, west + 0.01, 45.02) }
      await ask({ method: "POST", path: "/place", token: place.owner, json })
      longest = Math.max(longest, performance.now() - began)
      if (every > 0) await pause(every)
    }
  }
  await Promise.all(organizations.map(changeOne))
  client.close()
  return longest
}

const measure = Effect.fnUntraced(function* (scene: WebhookScene) {
  const receivers = yield* startReceivers
  const authority = join(yield* temporaryDirectory, "authority.pem")
  writeFileSync(authority, certificates.authority.pem)
  const allowed = [receivers.quick, receivers.slow, receivers.dead].flatMap((origin) => ["--webhook-allow", origin])
  const place = yield* makePlace([
    "--storage",
    "embedded",
    "--request-log",
    "off",
    ...allowed,
    "--webhook-ca",
    authority
  ])
  const { pid } = place.server
  const sql = yield* connectTo(place)
  const committed = Effect.map(
    sql<{ readonly commits: number }>`select sum(xact_commit)::int as commits from pg_stat_database`,
    ([row]) => row!.commits
  )
  const organizations = yield* Effect.promise(() => createWebhooks(place, receivers, scene))
  const { latencies } = receivers
  const expected = (scene.webhooks - (scene.slow ?? 0) - (scene.dead ?? 0)) * scene.changes
  const processes = () => childrenOf(pid).flatMap((child) => [child, ...childrenOf(child)])
  const sum = (some: ReadonlyArray<number>) => some.reduce((total, one) => total + (usedByAll(one) ?? 0), 0) / 1000
  yield* Effect.sleep(TAKEN)
  const idle = { server: sum([pid]), postgres: sum(processes()) }
  yield* Effect.sleep(IDLE)
  const idleCores = {
    server: (sum([pid]) - idle.server) / IDLE,
    postgres: (sum(processes()) - idle.postgres) / IDLE
  }
  const began = performance.now()
  const before = {
    commits: yield* committed,
    server: sum([pid]),
    postgres: sum(processes()),
    memory: residentMemory(pid)
  }
  const request = yield* Effect.promise(async () => {
    const longest = await change(place, organizations, scene)
    while (latencies.length < expected && performance.now() - began < PATIENCE) await pause(20)
    return longest
  })
  const seconds = (performance.now() - began) / 1000
  // Statistics are written when a backend is idle.
  yield* Effect.sleep("1 second")
  const delivered: Delivered = {
    scene,
    latencies: latencies.toSorted((one, other) => one - other),
    seconds,
    connections: receivers.connections(),
    others: receivers.others(),
    request,
    idleCores,
    server: sum([pid]) - before.server,
    postgres: sum(processes()) - before.postgres,
    commits: (yield* committed) - before.commits,
    memory: { before: before.memory ?? 0, after: residentMemory(pid) ?? 0 }
  }
  if (latencies.length === expected) return delivered
  return yield* new LoadFailed({
    reason: `${latencies.length} of ${expected} deliveries: ${rowOf(delivered).join(", ")}`
  })
}, Effect.scoped)

const HEADS = [
  "Webhooks",
  "Deliveries",
  "a second",
  "p50, p99 ms",
  "connections, most to others",
  "longest request ms",
  "ms of the server each",
  "of PostgreSQL",
  "commits each",
  "MB before, after",
  "idle cores, of PostgreSQL"
]

const rowOf = (delivered: Delivered) => {
  const { scene, latencies, seconds, connections, others: most, request, ...costs } = delivered
  const { idleCores, server, postgres, commits, memory } = costs
  const at = (share: number) => quantile(latencies, share).toLocaleString("en")
  const each = (total: number) => (total / latencies.length).toFixed(2)
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  const others = Object.entries({ slow: scene.slow, dead: scene.dead }).flatMap(([what, count]) =>
    count === undefined ? [] : `, ${count} ${what}`
  )
  const pace = scene.every === 0 ? "" : `, a change each ${scene.every} ms`
  return [
    `${scene.webhooks.toLocaleString("en")}${others.join("")}${pace}`,
    String(latencies.length),
    (latencies.length / seconds).toFixed(0),
    `${at(0.5)}, ${at(0.99)}`,
    `${connections}, ${most}`,
    request.toFixed(0),
    each(server),
    each(postgres),
    each(commits),
    `${megabytes(memory.before)}, ${megabytes(memory.after)}`,
    `${idleCores.server.toFixed(3)}, ${idleCores.postgres.toFixed(3)}`
  ]
}

/**
 * Measures the deliveries of webhooks, each scene on a server of its own, and tabulates them. It fails unless every event reached all
 * quick receivers once.
 */
export const webhooks = (say: (line: string) => void, scenes = WEBHOOK_SCENES) =>
  Effect.gen(function* () {
    const measured = yield* Effect.forEach(scenes, (scene) =>
      Effect.tap(measure(scene), (delivered) => Effect.sync(() => say(rowOf(delivered).join(" | "))))
    )
    return markdown([HEADS, ...measured.map(rowOf)])
  })
