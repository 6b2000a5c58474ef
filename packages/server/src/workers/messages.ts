/** The messages between the primary process and its workers. */
import * as Effect from "effect/Effect"
import cluster from "node:cluster"
import { type Caller, makeCaller, type SentAnswers, type SentCalls } from "./Calls.ts"

/** What a worker sends. */
export type FromWorker =
  | { readonly calls: SentCalls }
  /** Its metrics, as Prometheus text. */
  | { readonly metrics: string }
  /** The URL on which it listens. */
  | { readonly listening: string }
  /** Why it does not start, or cannot go on. */
  | { readonly failed: string }

/** What the primary process sends. */
export type FromPrimary =
  | { readonly answers: SentAnswers }
  /** The worker shall end, once it has answered what is underway. */
  | { readonly end: true }

/** Sends a message to the primary process. */
export const sendToPrimary = (message: FromWorker): void => void process.send?.(message)

/** Connects a worker to the primary process. */
export const connectToPrimary = (): Caller => {
  const caller = makeCaller((calls) => sendToPrimary({ calls }))
  process.on("message", (message: FromPrimary) => {
    if ("answers" in message) caller.receive(message.answers)
  })
  return caller
}

/** Ends a worker that does not start, or cannot go on, after it has told the primary process why. */
export const failAsWorker = (failed: string): Effect.Effect<never> =>
  Effect.callback<never>(() => {
    process.send?.({ failed } satisfies FromWorker, () => process.exit(1))
  })

/** Calls `end` when the primary process asks this process, if it is a worker, to end. */
export const onEnd = (end: () => void): void => {
  if (cluster.isWorker) process.on("message", (message: FromPrimary) => "end" in message && end())
}
