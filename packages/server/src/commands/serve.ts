/** The command `sojourn serve`: reads all flags, and runs a server. */
import { explainListening, StartupError } from "@sojourn/service"
import * as Command from "effect/cli/Command"
import { Deferred, Effect, Layer } from "effect"
import cluster from "node:cluster"
import type { FromWorker } from "../workers/worker.ts"
import { serveFlags, settingsOf } from "./serveSettings.ts"
import { layerAlone, layerPrimary, layerWorker } from "./serving.ts"

/** Ends a worker that does not start, or cannot go on, after it has reported the reason to the primary process. */
const failAsWorker = ({ message: failed }: StartupError): Effect.Effect<never> =>
  Effect.callback(() => void process.send?.({ failed } satisfies FromWorker, () => process.exit(1)))

export const serve = Command.make(
  "serve",
  serveFlags,
  Effect.fnUntraced(function* (flags) {
    const settings = yield* settingsOf(flags)
    const refused = yield* Deferred.make<never, StartupError>()
    const onRefused = (reason: StartupError) => Effect.asVoid(Deferred.fail(refused, reason))
    const everything = Effect.suspend(() => {
      const layer = cluster.isWorker ? layerWorker : settings.workers > 1 ? layerPrimary : layerAlone
      return Layer.launch(layer(settings, onRefused))
    })
    yield* Effect.raceFirst(everything, Deferred.await(refused)).pipe(
      Effect.catchTags({
        ServeError: ({ cause }) =>
          Effect.fail(
            new StartupError({
              message: `cannot listen on ${settings.host}:${settings.port}: ${explainListening(cause)}`
            })
          ),
        SecretKeysInvalid: ({ reason }) => Effect.fail(new StartupError({ message: `--token-keys: ${reason}` }))
      }),
      Effect.catchTag("StartupError", (error) => (cluster.isWorker ? failAsWorker(error) : Effect.fail(error)))
    )
  })
).pipe(Command.withDescription("Serves the interface over HTTP"))
