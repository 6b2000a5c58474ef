/** The command `sojourn serve`: reads all flags, and composes the layers so that they are released in the right order. */
import { GroupCommit } from "@sojourn/adapter-postgres"
import {
  Counting,
  layerSecretKeys,
  Movements,
  OrganizationStore,
  type ServerPolicy,
  WebhookReceivers
} from "@sojourn/core"
import {
  layerDirectory,
  explainListening,
  layerUpkeep,
  layerWebhooks,
  namingIn,
  StartupError,
  Storage
} from "@sojourn/service"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { existsSync } from "node:fs"
import { directoryOptions, layerDirectoryWithDemo, readText } from "../identity/directories.ts"
import { layerAuthenticator } from "../identity/issuers.ts"
import { layerServer } from "../composition/layer.ts"
import { layerLimits } from "../limits/layer.ts"
import { layerNodeServer } from "../http/NodeServer.ts"
import { ServerDrain } from "../http/ServerDrain.ts"
import { layerStorage } from "../storage/index.ts"
import { layerTelemetry } from "../telemetry/index.ts"
import { layerQuiet } from "../telemetry/Log.ts"
import { layerStateMetrics } from "../telemetry/StateMetrics.ts"
import { version } from "../shared/version.ts"
import { areaFlags, areaLimitsOf, boundFlags, boundsOf, portOf, streamFlags, streamsOf } from "./bounds.ts"
import { crowdOf, demoFlags, show } from "./demo.ts"
import { directoryAllow, directoryFlags, list, policyOf, receiversOf, text, webhookFlags, yes } from "./flags.ts"
import { issuerFlags, issuersOf } from "./identity.ts"
import { limitFlags, limitsOf } from "./limits.ts"
import { pageFlags, pageOf } from "./page.ts"
import { ownDatabaseIn, storageFlags, storageOf } from "./storage.ts"
import { telemetryFlags, telemetryOf } from "./telemetry.ts"
import { upkeepFlags, upkeepOf } from "./upkeep.ts"

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

/** Whether owners may name any server. */
const isOpen = ({ allow, listedOnly }: ServerPolicy<string>) => allow.length === 0 && listedOnly !== true

/** Logs that the server ended, if it had begun. */
const layerLastWord = (hasBegun: () => boolean) =>
  Layer.effectDiscard(
    Effect.addFinalizer(() => Effect.suspend(() => (hasBegun() ? Effect.logInfo("the server ended") : Effect.void)))
  )

const serveFlags = {
  ...storageFlags,
  host: text("host", "Address to listen on", "127.0.0.1"),
  port: text("port", "Port to listen on; 0 takes a free one", "8080"),
  corsOrigins: list("cors-origin", "Origins whose pages may call the server; none: CORS is off"),
  directoryAllow,
  ...directoryFlags,
  ...webhookFlags,
  ...issuerFlags,
  ...boundFlags,
  ...areaFlags,
  ...limitFlags,
  noMigrate: yes("no-migrate", "Leave the schema as it is, and refuse one that is not current"),
  noGroupCommit: yes("no-group-commit", "Write each movement by itself: those of one moment share no commit"),
  ...upkeepFlags,
  ...pageFlags,
  ...streamFlags,
  ...telemetryFlags,
  ...demoFlags
}

/** Reads all flags. */
const settingsOf = Effect.fnUntraced(function* ({
  directoryAllow,
  ...flags
}: Command.Command.Config.Infer<typeof serveFlags>) {
  const policy = yield* policyOf(directoryAllow)
  const issuers = yield* issuersOf(flags, flags.data)
  const page = yield* pageOf(flags, issuers)
  const asking = yield* directoryOptions(flags)
  const receivers = yield* receiversOf(flags.webhookAllow)
  const webhookCertificates = yield* Effect.forEach(flags.webhookCa, (file) => readText("--webhook-ca", file))
  const port = yield* portOf("port", flags.port)
  const { drainDelay, ...bounds } = yield* boundsOf(flags)
  return {
    ...flags,
    policy,
    issuers,
    page,
    asking,
    receivers,
    webhookCertificates,
    port,
    drainDelay,
    bounds,
    areaLimits: yield* areaLimitsOf(flags),
    limits: yield* limitsOf(flags),
    ...(yield* storageOf(flags)),
    upkeep: yield* upkeepOf(flags),
    streams: yield* streamsOf(flags),
    telemetry: yield* telemetryOf(flags, version),
    crowd: yield* crowdOf(flags.demoCrowd),
    // The demo's tokens are signed by the own issuer, whatever other issuers there are.
    demoKey: flags.demo
      ? (issuers.own ?? (yield* new StartupError({ message: "--demo needs the own issuer" })))
      : undefined
  }
})

type Settings = Effect.Success<ReturnType<typeof settingsOf>>

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
  // Readiness becomes false first: finalizers of later layers run before those of the layers that they depend on.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => (phase.isListening = false)).pipe(
      Effect.andThen(Effect.logInfo(ENDING)),
      Effect.andThen(announce),
      // Load balancers have this time to notice; until then all requests are served.
      Effect.andThen(Effect.all([endCrowd, Effect.sleep(drainDelay)], { concurrency: "unbounded" }))
    )
  )
})

/** The interface, which is ready while the server listens and the storage answers. */
const layerReadyServer = (settings: Settings, phase: Phase) =>
  Layer.unwrap(
    Effect.map(Storage, (storage) => {
      const { policy, areaLimits, corsOrigins, page, streams } = settings
      const { issuers, demo, demoDirectory, asking, bounds, telemetry } = settings
      const isReady = Effect.suspend(() => (phase.isListening ? storage.isReady : Effect.succeed(false)))
      return Layer.merge(
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
        }),
        layerStateMetrics({ isReady, organizations: telemetry.organizations })
      )
    })
  )

/** Everything that a server is, in the order of its release. `onRefused` is called when the storage refuses this server. */
const layerEverything = (
  settings: Settings,
  phase: Phase,
  onRefused: (reason: StartupError) => Effect.Effect<void>
) => {
  const { host, port, corsOrigins, bounds, choice, keys, demo, noMigrate, noGroupCommit } = settings
  const storage = layerStorage(choice, { keys, migrate: !noMigrate, whenRunning: "refuse", onRefused })
  return Layer.effectDiscard(listening(settings, phase)).pipe(
    Layer.provide([
      layerReadyServer(settings, phase),
      Movements.layer,
      Counting.layer,
      layerUpkeep(settings.upkeep),
      layerWebhooks({ certificates: settings.webhookCertificates }).pipe(namingIn("--webhook-ca"))
    ]),
    Layer.provide(Layer.succeed(WebhookReceivers, settings.receivers)),
    Layer.provide(layerLimits(settings.limits, settings.rateLimitStore)),
    Layer.provide(layerNodeServer({ host, port, corsOrigins, ...bounds })),
    Layer.provide([storage.pipe(Layer.provide(Layer.succeed(GroupCommit, !noGroupCommit))), layerSecretKeys(keys)]),
    Layer.provide(layerQuiet(() => demo && !phase.hasListened)),
    // Released after the storage, and before the log.
    Layer.provide(layerLastWord(() => phase.hasListened)),
    Layer.provide(layerTelemetry(settings.telemetry, version))
  )
}

export const serve = Command.make(
  "serve",
  serveFlags,
  Effect.fnUntraced(function* (flags) {
    const settings = yield* settingsOf(flags)
    const refused = yield* Deferred.make<never, StartupError>()
    const everything = layerEverything(settings, { isListening: false, hasListened: false }, (reason) =>
      Effect.asVoid(Deferred.fail(refused, reason))
    )
    yield* Effect.raceFirst(Layer.launch(everything), Deferred.await(refused)).pipe(
      Effect.catchTags({
        ServeError: ({ cause }) =>
          Effect.fail(
            new StartupError({
              message: `cannot listen on ${settings.host}:${settings.port}: ${explainListening(cause)}`
            })
          ),
        SecretKeysInvalid: ({ reason }) => Effect.fail(new StartupError({ message: `--token-keys: ${reason}` }))
      })
    )
  })
).pipe(Command.withDescription("Serves the interface over HTTP"))
