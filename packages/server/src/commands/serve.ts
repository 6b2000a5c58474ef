import { parseAllowEntry } from "@sojourn/core"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { CommandFailed } from "../CommandFailed.ts"
import { issuerKey } from "../IssuerKey.ts"
import { layerServer } from "../layer.ts"
import { layerNodeServer } from "../NodeServer.ts"
import { demonstrate } from "./demo.ts"
import { data, list, text, yes } from "./flags.ts"

/** The address to call a server at that listens on every one of its host's. */
const callable = (baseUrl: string) => baseUrl.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

export const serve = Command.make(
  "serve",
  {
    host: text("host", "Address to listen on", "127.0.0.1"),
    port: Flag.Int("port").pipe(
      Flag.withFallbackConfig(Config.Int("SOJOURN_PORT")),
      Flag.withDefault(8080),
      Flag.withDescription("Port to listen on; 0 takes a free one (SOJOURN_PORT; default 8080)")
    ),
    storage: text("storage", "Where everything is kept: memory, which forgets all when the server ends", "memory"),
    data,
    corsOrigins: list("cors-origin", "Origins whose pages may call the server; none: CORS is off"),
    directoryAllow: list(
      "directory-allow",
      "Authentication servers that the service may reach, as scheme://host[:port]; none: ldaps on port 636, no special address"
    ),
    demo: yes("demo", "Load the demo, and print commands to try")
  },
  Effect.fnUntraced(function* ({ host, port, storage, data, corsOrigins, directoryAllow, demo }) {
    if (storage !== "memory") {
      return yield* new CommandFailed({ message: `--storage is memory in this version: ${storage}` })
    }
    const allow = yield* Effect.forEach(directoryAllow, (entry) =>
      Effect.mapError(
        Effect.fromResult(parseAllowEntry(entry)),
        ({ reason }) => new CommandFailed({ message: `--directory-allow: ${reason}` })
      )
    )
    const key = yield* issuerKey(data)
    let isReady = false
    const listening = Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const baseUrl = HttpServer.formatAddress(address)
      yield* Console.error("storage in memory: everything is forgotten when the server ends")
      if (demo) {
        yield* Console.log(yield* demonstrate(callable(baseUrl), key))
      }
      isReady = true
      yield* Console.log(`listening on ${baseUrl}`)
      // Readiness turns first: what comes after it in the layers ends before what it stands on.
      yield* Effect.addFinalizer(() => Effect.sync(() => (isReady = false)))
    })
    const server = layerServer({ key, policy: { allow }, corsOrigins, isReady: Effect.sync(() => isReady) })
    yield* Layer.launch(
      Layer.effectDiscard(listening).pipe(Layer.provide(server), Layer.provide(layerNodeServer({ host, port })))
    ).pipe(
      Effect.catchTag("ServeError", ({ cause }) =>
        Effect.fail(
          new CommandFailed({
            message: `cannot listen on ${host}:${port}: ${cause instanceof Error ? cause.message : String(cause)}`
          })
        )
      )
    )
  })
).pipe(Command.withDescription("Serves the interface over HTTP"))
