/** The flags of `sojourn serve`, and what they hold. */
import type * as Command from "effect/cli/Command"
import { Effect, Option } from "effect"
import { StartupError } from "@sojourn/service"
import { availableParallelism } from "node:os"
import { directoryOptions, readText } from "../identity/directories.ts"
import { version } from "../shared/version.ts"
import { areaFlags, areaLimitsOf, boundFlags, boundsOf, portOf, streamFlags, streamsOf } from "./bounds.ts"
import { crowdOf, demoFlags } from "./demo.ts"
import {
  directoryAllow,
  directoryFlags,
  list,
  originsOf,
  policyOf,
  receiversOf,
  text,
  webhookFlags,
  yes
} from "./flags.ts"
import { issuerFlags, issuersOf } from "./identity.ts"
import { limitFlags, limitsOf } from "./limits.ts"
import { pageFlags, pageOf } from "./page.ts"
import { storageFlags, storageOf } from "./storage.ts"
import { telemetryFlags, telemetryOf } from "./telemetry.ts"
import { upkeepFlags, upkeepOf } from "./upkeep.ts"
import { parseWhole, valueOf } from "./values.ts"

export const serveFlags = {
  ...storageFlags,
  host: text("host", "Address to listen on", "127.0.0.1"),
  port: text("port", "Port to listen on; 0 takes a free one", "8080"),
  corsOrigins: list("cors-origin", "Origins whose pages may call the server; none: CORS is off"),
  directoryAllow,
  ...directoryFlags,
  ...webhookFlags,
  ...issuerFlags,
  workers: text(
    "workers",
    "How many processes answer requests, or auto for one for each processor; one more process then starts them, and works in the background",
    "1"
  ),
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

/** The address to listen on, which `http://` and a port are no part of. */
const hostOf = (host: string) =>
  valueOf(
    "host",
    host,
    "an address or a host name, as 127.0.0.1, without scheme and port",
    Option.liftPredicate(host, (text) => !/[/\s[\]]/.test(text) && text !== "")
  )

/** How many processes answer requests. */
const workersOf = ({ workers }: { readonly workers: string }) =>
  workers === "auto"
    ? Effect.succeed(availableParallelism())
    : valueOf("workers", workers, "a whole number from 1 to 64, or auto", parseWhole(workers, { least: 1, most: 64 }))

const alone = (flag: string) => new StartupError({ message: `${flag} is of one process: leave out --workers` })

/** Reads all flags. */
export const settingsOf = Effect.fnUntraced(function* ({
  directoryAllow,
  ...flags
}: Command.Command.Config.Infer<typeof serveFlags>) {
  const policy = yield* policyOf(directoryAllow)
  const host = yield* hostOf(flags.host)
  const corsOrigins = yield* originsOf(flags.corsOrigins)
  const issuers = yield* issuersOf(flags, flags.data)
  const page = yield* pageOf(flags, issuers)
  const asking = yield* directoryOptions(flags)
  const receivers = yield* receiversOf(flags.webhookAllow)
  const webhookCertificates = yield* Effect.forEach(flags.webhookCa, (file) => readText("--webhook-ca", file))
  const port = yield* portOf("port", flags.port)
  const { drainDelay, ...bounds } = yield* boundsOf(flags)
  const storage = yield* storageOf(flags)
  const workers = yield* workersOf(flags)
  if (workers > 1 && storage.choice._tag === "Memory") return yield* alone("--storage memory")
  if (workers > 1 && flags.demo) return yield* alone("--demo")
  return {
    ...flags,
    host,
    corsOrigins,
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
    workers,
    ...storage,
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

export type Settings = Effect.Success<ReturnType<typeof settingsOf>>
