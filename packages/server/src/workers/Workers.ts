/** The primary process: it starts the workers, replaces those that end, and ends them. */
import { StartupError } from "@sojourn/service"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import cluster, { type Worker } from "node:cluster"
import { makeAnswerer, type Methods } from "./Calls.ts"
import { makeCountsOfEnded } from "./metrics.ts"
import type { FromPrimary, FromWorker } from "./messages.ts"

/** The pause before a worker is started again that had not listened, in milliseconds. */
const PAUSE_MS = 1_000

export interface WorkersOptions {
  readonly count: number
  /** Variables of their environment, beside those of this process. */
  readonly environment: Readonly<Record<string, string>>
  readonly methods: Methods
  /** Writes lines of a worker to the log. */
  readonly write: (lines: string) => void
  /** How long workers have to end. */
  readonly endWithin: Duration.Duration
}

/** The workers of a server. */
export interface Workers {
  /** The URL on which they listen. */
  readonly baseUrl: string
  /** The metrics of the workers as Prometheus text, and what those counted that have ended. */
  readonly metrics: () => ReadonlyArray<string>
  /** Asks the workers to end, and waits until they have. */
  readonly end: Effect.Effect<void>
}

interface Running {
  readonly worker: Worker
  metrics: string
}

/** Calls `write` with whole lines of a stream. */
const forwardLines = (stream: NodeJS.ReadableStream, write: (lines: string) => void) => {
  let rest = ""
  stream.setEncoding("utf8")
  stream.on("data", (text: string) => {
    const end = text.lastIndexOf("\n")
    if (end < 0) return void (rest += text)
    write(rest + text.slice(0, end))
    rest = text.slice(end + 1)
  })
}

/**
 * Starts workers, which are processes of the same command, and waits until all listen. A worker that ends is replaced. Fails when one
 * of the first workers does not start.
 */
export const startWorkers = Effect.fnUntraced(function* ({
  count,
  environment,
  methods,
  write,
  endWithin
}: WorkersOptions) {
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const running = new Map<number, Running>()
  const ended = makeCountsOfEnded()
  const started = yield* Deferred.make<string, StartupError>()
  const allEnded = yield* Deferred.make<void>()
  let listening = 0
  let isEnding = false

  const fork = () => {
    const worker = cluster.fork(environment)
    const own: Running = { worker, metrics: "" }
    running.set(worker.id, own)
    let isListening = false
    let failure: string | undefined
    const answer = makeAnswerer(methods, runFork, (answers) => {
      if (worker.isConnected()) worker.send({ answers } satisfies FromPrimary)
    })
    forwardLines(worker.process.stderr!, write)
    // A channel that breaks while a message is sent: the worker's end is reported by itself.
    worker.on("error", () => {})
    worker.on("message", (message: FromWorker) => {
      if ("calls" in message) return answer(message.calls)
      if ("metrics" in message) return void (own.metrics = message.metrics)
      if ("failed" in message) return void (failure = message.failed)
      isListening = true
      if (++listening === count) runFork(Deferred.succeed(started, message.listening))
    })
    worker.on("exit", (code, signal) => {
      running.delete(worker.id)
      ended.add(own.metrics)
      if (isEnding) {
        if (running.size === 0) runFork(Deferred.succeed(allEnded, undefined))
        return
      }
      const reason = failure ?? (signal === null ? `exit code ${code}` : signal)
      if (listening < count) {
        runFork(Deferred.fail(started, new StartupError({ message: failure ?? `a worker ended: ${reason}` })))
        return
      }
      runFork(Effect.logError(`a worker ended (${reason}): another one takes its place`))
      if (isListening) fork()
      else setTimeout(() => isEnding || fork(), PAUSE_MS)
    })
  }

  const end = Effect.suspend(() => {
    isEnding = true
    if (running.size === 0) return Effect.void
    for (const { worker } of running.values()) {
      if (worker.isConnected()) worker.send({ end: true } satisfies FromPrimary)
    }
    return Deferred.await(allEnded).pipe(
      Effect.timeoutOrElse({
        duration: endWithin,
        orElse: () =>
          Effect.sync(() => {
            for (const { worker } of running.values()) worker.process.kill("SIGKILL")
          })
      })
    )
  })
  yield* Effect.addFinalizer(() => end)

  // Workers have the arguments and the environment of this process; what they print goes through its log.
  cluster.setupPrimary({ stdio: ["ignore", "inherit", "pipe", "ipc"] })
  for (let nth = 0; nth < count; nth++) fork()
  const workers: Workers = {
    baseUrl: yield* Deferred.await(started),
    metrics: () => [...[...running.values()].map(({ metrics }) => metrics), ended.text()],
    end
  }
  return workers
})
