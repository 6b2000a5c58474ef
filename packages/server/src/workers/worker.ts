/** The channel between a worker and the primary process, and the worker's end of it. */
import { MetricsText } from "@sojourn/adapter-http"
import { Effect } from "effect"
import cluster from "node:cluster"

/** It asks for the metrics of all processes, has here its own, listens at a URL, or cannot go on. */
export type FromWorker = "scrape" | { metrics: string } | { listening: string } | { failed: string }

/** The worker shall end, report its metrics, or has here those of all processes. */
export type FromPrimary = "end" | "report" | { metrics: string }

export const sendToPrimary = (message: FromWorker): void => void process.send?.(message)

/** Calls `end` when the primary process asks this process, if it is a worker, to end. */
export const onEnd = (end: () => void): void => {
  if (cluster.isWorker) process.on("message", (message: FromPrimary) => message === "end" && end())
}

/** Reports the metrics of this process when they are asked for, and returns how to ask for those of all. */
export const metricsOfAll = Effect.gen(function* () {
  const own = yield* MetricsText
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const waiting: Array<(metrics: Effect.Effect<string>) => void> = []
  process.on("message", (message: FromPrimary) => {
    if (message === "report") runFork(Effect.map(own, (metrics) => sendToPrimary({ metrics })))
    else if (message !== "end") for (const resume of waiting.splice(0)) resume(Effect.succeed(message.metrics))
  })
  return Effect.callback<string>((resume) => {
    if (waiting.push(resume) === 1) sendToPrimary("scrape")
  })
})
