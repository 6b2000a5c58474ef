/** The primary process of a server with workers: it starts them, replaces those that end, adds their metrics, and ends them. */
import { MetricsText } from "@sojourn/adapter-http"
import { StartupError } from "@sojourn/service"
import { Deferred, type Duration, Effect } from "effect"
import cluster, { type Worker } from "node:cluster"
import { LogLines } from "../telemetry/Log.ts"
import { counted, mergeMetrics } from "./metrics.ts"
import type { FromPrimary, FromWorker } from "./worker.ts"

/** The pause before a worker is replaced, in milliseconds: it doubles until one of those that are started listens. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [100, 30_000]

/** How long workers may take to report their metrics; of one that is late those are used that it reported before. */
const REPORT_TIMEOUT = "500 millis"

type Running = { readonly worker: Worker; metrics: string; reported?: Deferred.Deferred<void> | undefined }

/**
 * Starts workers, which are servers by the same command with variables of their own, and ends them with the scope, within a time. Returns the
 * URL on which they listen once all do. Fails when one does not start before that; later ones are replaced.
 */
export const startWorkers = Effect.fnUntraced(function* (
  count: number,
  environment: Readonly<Record<string, string>>,
  endWithin: Duration.Duration
) {
  const ownMetrics = yield* MetricsText
  const { forward } = yield* LogLines
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const running = new Set<Running>()
  const started = yield* Deferred.make<string, StartupError>()
  const allEnded = yield* Deferred.make<void>()
  let metricsOfEnded = ""
  let listening = 0
  let pause = FIRST_PAUSE_MS
  let isEnding = false

  const send = ({ worker }: Running, message: FromPrimary) => worker.isConnected() && worker.send(message)

  const metrics = Effect.gen(function* () {
    const reports = [...running].map((own) => {
      if (own.reported === undefined) send(own, "report")
      return Deferred.await((own.reported ??= Deferred.makeUnsafe()))
    })
    yield* Effect.timeoutOption(Effect.all(reports, { concurrency: "unbounded" }), REPORT_TIMEOUT)
    return mergeMetrics([yield* ownMetrics, metricsOfEnded, ...[...running].map(({ metrics }) => metrics)])
  })

  const fork = () => {
    if (isEnding) return
    const worker = cluster.fork(environment)
    const own: Running = { worker, metrics: "" }
    running.add(own)
    let failure: string | undefined
    forward(worker.process.stderr!)
    // A channel that breaks while a message is sent: the worker's end is reported by itself.
    worker.on("error", () => {})
    worker.on("message", (message: FromWorker) => {
      if (message === "scrape") runFork(Effect.map(metrics, (all) => send(own, { metrics: all })))
      else if ("failed" in message) failure = message.failed
      else if ("metrics" in message) {
        own.metrics = message.metrics
        if (own.reported !== undefined) Deferred.doneUnsafe(own.reported, Effect.void)
        own.reported = undefined
      } else {
        pause = FIRST_PAUSE_MS
        if (++listening === count) Deferred.doneUnsafe(started, Effect.succeed(message.listening))
      }
    })
    worker.on("exit", (code, signal) => {
      metricsOfEnded = mergeMetrics([metricsOfEnded, counted(own.metrics)])
      running.delete(own)
      if (isEnding) return void (running.size === 0 && Deferred.doneUnsafe(allEnded, Effect.void))
      const message = failure ?? `a worker ended: ${signal ?? `exit code ${code}`}`
      if (listening < count) return void Deferred.doneUnsafe(started, Effect.fail(new StartupError({ message })))
      runFork(Effect.logError(`${message}: another worker starts`))
      setTimeout(fork, pause)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    })
  }

  yield* Effect.addFinalizer(() => {
    isEnding = true
    for (const own of running) send(own, "end")
    const ended = running.size === 0 ? Effect.void : Deferred.await(allEnded)
    const kill = Effect.sync(() => running.forEach(({ worker }) => worker.process.kill("SIGKILL")))
    return Effect.timeoutOrElse(ended, { duration: endWithin, orElse: () => kill })
  })

  // Each accepts connections itself: one that this process hands to a worker that dies would be lost, and its client would wait for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // Workers have the arguments and the environment of this process; what they print goes through its log.
  cluster.setupPrimary({ stdio: ["ignore", "inherit", "pipe", "ipc"] })
  for (let nth = 0; nth < count; nth++) fork()
  return yield* Deferred.await(started)
})
