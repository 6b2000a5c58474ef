/** What `sojourn serve` runs, as layers in the order of their release: a server of one process, and the processes of one with workers. */
import { MetricsText } from "@sojourn/adapter-http"
import { GroupCommit } from "@sojourn/adapter-postgres"
import {
  Counting,
  Histories,
  Imports,
  Movements,
  OrganizationStore,
  type ServerPolicy,
  WebhookReceivers
} from "@sojourn/core"
import {
  layerDirectory,
  layerNodeKeys,
  layerUpkeep,
  layerWebhooks,
  namingIn,
  type StartupError,
  Storage
} from "@sojourn/service"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Console, Duration, Effect, Layer } from "effect"
import * as HttpServer from "effect/http/HttpServer"
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import { layerDirectoryWithDemo } from "../identity/directories.ts"
import { layerAuthenticator } from "../identity/issuers.ts"
import { layerServer } from "../composition/layer.ts"
import { layerLimits } from "../limits/layer.ts"
import { layerNodeServer, type NodeServerOptions } from "../http/NodeServer.ts"
import { ServerDrain } from "../http/ServerDrain.ts"
import { layerStorage } from "../storage/index.ts"
import { layerTelemetry } from "../telemetry/index.ts"
import { layerQuiet } from "../telemetry/Log.ts"
import { layerStateMetrics } from "../telemetry/StateMetrics.ts"
import { version } from "../shared/version.ts"
import { metricsOfAll, sendToPrimary } from "../workers/worker.ts"
import { startWorkers } from "../workers/Workers.ts"
import { show } from "./demo.ts"
import type { Settings } from "./serveSettings.ts"
import { ownDatabaseIn } from "./storage.ts"

/** The URL to call a server at that listens on all addresses of its host. */
const callable = (baseUrl: string) => baseUrl.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

const isLoopback = (host: string) => /^(localhost|127\..*|::1)$/i.test(host)

const ANY_DIRECTORY =
  "no --directory-allow: owners may name any ldaps server on port 636 as their directory, in private networks too. See docs/identity.md"

const ANY_RECEIVER =
  "no --webhook-allow: owners may name any https server as a receiver of webhooks, in private networks too. See docs/webhooks.md"

const UNLIMITED =
  "no --rate-limit: each caller may send as many requests as the server answers, and enter as often. See Limits in docs/operations.md"

const OPEN_DEMO =
  "the demo listens beyond this machine: whoever has its link or its commands owns its organizations for 12 hours, and tokens travel unencrypted. See docs/threats.md"

const otherDatabase = (own: string) =>
  `the database of --database-url is empty, and ${own} holds another one, which is not used: leave out --database-url for it, or move it by sojourn backup and restore`

const ENDING = "the server ends, once it has answered what is underway; a second Ctrl-C or SIGTERM ends it at once"

/** How many connections to the database the workers share, and how many each has at least. */
const CONNECTIONS_OF_WORKERS = 20
const LEAST_CONNECTIONS = 4

/** How long workers may take to end beside their drain. */
const END_RESERVE = Duration.seconds(5)

/** Whether owners may name any server. */
const isOpen = ({ allow, listedOnly }: ServerPolicy<string>) => allow.length === 0 && listedOnly !== true

/** Logs that the server ended, if it had begun. */
const layerLastWord = (hasBegun: () => boolean) =>
  Layer.effectDiscard(
    Effect.addFinalizer(() => Effect.suspend(() => (hasBegun() ? Effect.logInfo("the server ended") : Effect.void)))
  )

/** What a server does at the moment. */
interface Phase {
  isListening: boolean
  hasListened: boolean
}

/** Warns of what anyone may do with a server that listens beyond this machine. */
const warnOf = Effect.fnUntraced(function* ({ host, policy, receivers, limits, demo }: Settings) {
  if (isLoopback(host)) return
  if (isOpen(policy)) yield* Effect.logWarning(ANY_DIRECTORY)
  if (isOpen(receivers)) yield* Effect.logWarning(ANY_RECEIVER)
  if (limits.caller === undefined) yield* Effect.logWarning(UNLIMITED)
  if (demo) yield* Effect.logWarning(OPEN_DEMO)
})

/**
 * Warns where the database at the URL has no organization, and the data directory holds the server's own database: a server that was
 * configured with `--database-url` later starts with nothing of what it had.
 */
const warnOfOwnDatabase = Effect.fnUntraced(function* ({ choice, data }: Settings) {
  const own = ownDatabaseIn(data)
  if (choice._tag !== "Postgres" || !existsSync(own)) return
  const organizations = yield* OrganizationStore.use(({ list }) => list())
  if (organizations.items.length === 0) yield* Effect.logWarning(otherDatabase(own))
})

/** Begins to end the server when the scope ends. Readiness becomes false first. */
const endWith = (phase: Phase, end: Effect.Effect<unknown>) =>
  Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.sync(() => (phase.isListening = false)),
      end
    )
  )

/** Prints that the server listens; the end of the scope drains it. */
const listening = Effect.fnUntraced(function* (settings: Settings, phase: Phase) {
  const { choice, demoKey, data, page, crowd, drainDelay } = settings
  const storage = yield* Storage
  const baseUrl = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  yield* warnOf(settings)
  yield* Effect.ignore(warnOfOwnDatabase(settings))
  if (storage.isForgetful) yield* Console.error("storage in memory: everything is forgotten when the server ends")
  const isOwnStorage = choice._tag === "Embedded"
  const endCrowd =
    demoKey === undefined
      ? Effect.void
      : yield* show({ baseUrl: callable(baseUrl), key: demoKey, data, isOwnStorage, page: page !== false, crowd })
  phase.isListening = phase.hasListened = true
  yield* Console.log(`listening on ${baseUrl}`)
  const { announce } = yield* ServerDrain
  // Load balancers have the time of the delay to notice; until then all requests are served.
  const drain = Effect.all([endCrowd, Effect.sleep(drainDelay)], { concurrency: "unbounded" })
  yield* endWith(phase, Effect.logInfo(ENDING).pipe(Effect.andThen(announce), Effect.andThen(drain)))
})

/** Reports to the primary process that the worker listens; the end of the scope drains it. */
const reporting = Effect.fnUntraced(function* ({ drainDelay }: Settings, phase: Phase) {
  const baseUrl = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const { announce } = yield* ServerDrain
  phase.isListening = true
  sendToPrimary({ listening: baseUrl })
  yield* endWith(phase, Effect.andThen(announce, Effect.sleep(drainDelay)))
})

/** The ports of all workers and of those that replace them, a free one for 0. Fails where one is taken. */
const freePorts = ({ host, port, bounds: { metricsPort } }: Settings) => {
  const free = (port: number) =>
    Effect.map(NodeHttpServer.make(createServer, { host, port }), ({ address }) =>
      address._tag === "UnixPathAddress" ? port : address.port
    )
  return Effect.scoped(
    Effect.all({ port: free(port), metricsPort: metricsPort === undefined ? Effect.undefined : free(metricsPort) })
  )
}

const PORTS = "SOJOURN_WORKER_PORTS"

/** Starts the workers, and prints that they listen; the end of the scope ends them. */
const leading = Effect.fnUntraced(function* (settings: Settings, phase: Phase) {
  const { workers, drainDelay, bounds, telemetry } = settings
  const ports = yield* freePorts(settings)
  yield* warnOf(settings)
  yield* Effect.ignore(warnOfOwnDatabase(settings))
  const environment = {
    [PORTS]: JSON.stringify(ports),
    // Their lines go through this process, so that they see no terminal.
    ...(telemetry.log.format === "auto" && process.stderr.isTTY && { SOJOURN_LOG_FORMAT: "pretty" })
  }
  const endWithin = Duration.sum(Duration.sum(drainDelay, bounds.drainTimeout), END_RESERVE)
  const baseUrl = yield* startWorkers(workers, environment, endWithin)
  phase.isListening = phase.hasListened = true
  yield* Console.log(`listening on ${baseUrl}`)
  yield* endWith(phase, Effect.logInfo(ENDING))
})

/** Whether the server takes requests and its storage answers. */
const readinessOf = (phase: Phase) =>
  Effect.map(Storage, ({ isReady }) => Effect.suspend(() => (phase.isListening ? isReady : Effect.succeed(false))))

/** The interface over HTTP, which is ready while the process listens and the storage answers. */
const layerInterface = (settings: Settings, phase: Phase) => {
  const { policy, areaLimits, corsOrigins, page, streams, issuers, demo, demoDirectory, asking, bounds } = settings
  return Layer.unwrap(
    Effect.map(readinessOf(phase), (isReady) =>
      layerServer({
        policy,
        areaLimits,
        corsOrigins,
        page,
        streams,
        key: issuers.own,
        authenticator: layerAuthenticator(issuers),
        directory:
          demo || demoDirectory
            ? layerDirectoryWithDemo(asking)
            : layerDirectory(asking).pipe(namingIn("--directories")),
        metricsElsewhere: bounds.metricsPort !== undefined,
        isReady
      })
    )
  )
}

/** What one process of a server does beside answering: upkeep, deliveries, and metrics of what is stored. */
const layerBackground = ({ upkeep, webhookCertificates, telemetry }: Settings, phase: Phase) =>
  Layer.mergeAll(
    layerUpkeep(upkeep),
    layerWebhooks({ certificates: webhookCertificates }).pipe(namingIn("--webhook-ca")),
    Layer.unwrap(
      Effect.map(readinessOf(phase), (isReady) =>
        layerStateMetrics({ isReady, organizations: telemetry.organizations })
      )
    )
  )

const layerHttp = ({ host, port, corsOrigins, bounds }: Settings, ports: Partial<NodeServerOptions> = {}) =>
  layerNodeServer({ host, port, corsOrigins, ...bounds, ...ports })

/** Called when the storage refuses this server after its start. */
type OnRefused = (reason: StartupError) => Effect.Effect<void>

/** The stores, and what is derived with the keys. */
const layerStores = (
  { choice, keys, noMigrate, noGroupCommit }: Settings,
  options: Pick<Parameters<typeof layerStorage>[1], "whenRunning" | "onRefused" | "maxConnections">
) =>
  layerNodeKeys(keys).pipe(
    Layer.provideMerge(layerStorage(choice, { keys, migrate: !noMigrate, ...options })),
    Layer.provide(Layer.succeed(GroupCommit, !noGroupCommit))
  )

/** The use cases of the demo, which makes movements in this process. */
const layerDemo = Layer.mergeAll(Movements.layer, Counting.layer, Histories.layer, Imports.layer)

/** A server of one process. */
export const layerAlone = (settings: Settings, onRefused: OnRefused) => {
  const phase: Phase = { isListening: false, hasListened: false }
  return Layer.effectDiscard(listening(settings, phase)).pipe(
    Layer.provide([layerInterface(settings, phase), layerDemo, layerBackground(settings, phase)]),
    Layer.provide(Layer.succeed(WebhookReceivers, settings.receivers)),
    Layer.provide(layerLimits(settings.limits, settings.rateLimitStore)),
    Layer.provide(layerHttp(settings)),
    Layer.provide(layerStores(settings, { whenRunning: "refuse", onRefused })),
    Layer.provide(layerQuiet(() => settings.demo && !phase.hasListened)),
    // Released after the storage, and before the log.
    Layer.provide(layerLastWord(() => phase.hasListened)),
    Layer.provide(layerTelemetry(settings.telemetry, version))
  )
}

/** The primary process of a server with workers: it starts and ends them, and does the background work. */
export const layerPrimary = (settings: Settings, onRefused: OnRefused) => {
  const phase: Phase = { isListening: false, hasListened: false }
  return Layer.effectDiscard(leading(settings, phase)).pipe(
    Layer.provide(layerBackground(settings, phase)),
    Layer.provide(Layer.succeed(WebhookReceivers, settings.receivers)),
    Layer.provide(layerStores(settings, { whenRunning: "refuse", onRefused })),
    // Released after the storage, and before the log.
    Layer.provide(layerLastWord(() => phase.hasListened)),
    Layer.provide(layerTelemetry(settings.telemetry, version))
  )
}

/** A worker: a server that works in the background for its own requests alone. */
export const layerWorker = (settings: Settings, onRefused: OnRefused) => {
  const phase: Phase = { isListening: false, hasListened: false }
  const maxConnections = Math.max(LEAST_CONNECTIONS, Math.ceil(CONNECTIONS_OF_WORKERS / settings.workers))
  return Layer.effectDiscard(reporting(settings, phase)).pipe(
    Layer.provide(layerInterface(settings, phase)),
    Layer.provide([Layer.succeed(WebhookReceivers, settings.receivers), Layer.effect(MetricsText, metricsOfAll)]),
    Layer.provide(layerLimits(settings.limits, settings.rateLimitStore, settings.workers)),
    Layer.provide(layerHttp(settings, JSON.parse(process.env[PORTS]!))),
    Layer.provide(layerStores(settings, { whenRunning: "share", onRefused, maxConnections })),
    Layer.provide(layerTelemetry(settings.telemetry, version))
  )
}
