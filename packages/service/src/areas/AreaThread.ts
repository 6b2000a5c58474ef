/** Core's port `AreaComparer` on a thread of its own, so that no check of an area holds the event loop. */
import { type AreaChecking, AreaComparer, StoreError } from "@sojourn/core"
import { Cause, Duration, Effect, Layer } from "effect"
import { MessageChannel, type Worker } from "node:worker_threads"
import type { CheckMessage, CheckReply } from "./messages.ts"
import { startThread } from "./thread.ts"

const ENDED = Effect.fail(new StoreError({ operation: "check an area", cause: "the thread ended" }))

/** A thread that runs checks. The first check starts it, and the next one after it ended starts it again. */
const makeThread = (start: () => Worker) => {
  let current: Worker | undefined

  const running = (): Worker => {
    if (current !== undefined) return current
    const thread = start()
    const forget = () => {
      if (current === thread) current = undefined
    }
    current = thread.once("error", forget).once("exit", forget)
    thread.unref()
    return thread
  }

  const run: AreaChecking["firstFault"] = (check, limit) =>
    Effect.callback((resume) => {
      const { port1: replies, port2: port } = new MessageChannel()
      replies.once("message", (reply: CheckReply) => {
        resume(
          reply === "late"
            ? Effect.fail(new Cause.TimeoutError())
            : Effect.succeed([Duration.millis(reply.millis), reply.fault])
        )
        replies.close()
      })
      // The port of a thread closes with it.
      replies.once("close", () => resume(ENDED))
      running().postMessage({ check, limitMillis: Duration.toMillis(limit), port } satisfies CheckMessage, [port])
    })

  return { run, end: Effect.promise(async () => void (await current?.terminate())) }
}

/**
 * Checks areas on a thread, where checks take turns of one comparison each. One that a caller no longer waits for runs to its end, so that
 * callers who leave start no further ones.
 */
export const layerAreaThread = (start: () => Worker = startThread): Layer.Layer<never> =>
  Layer.effect(
    AreaComparer,
    Effect.gen(function* () {
      const thread = makeThread(start)
      yield* Effect.addFinalizer(() => thread.end)
      return { firstFault: (check, limit) => Effect.uninterruptible(thread.run(check, limit)) }
    })
  )
