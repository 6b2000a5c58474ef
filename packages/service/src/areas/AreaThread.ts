/** Core's port `AreaComparer` on a thread of its own, so that no check of an area holds the event loop. */
import { type AreaCheck, AreaComparer, StoreError } from "@sojourn/core"
import { Cause, Duration, Effect, Layer, Semaphore } from "effect"
import type { Worker } from "node:worker_threads"
import type { CheckMessage, CheckReply } from "./messages.ts"
import { startThread } from "./thread.ts"

const failed = (cause: unknown) => Effect.fail(new StoreError({ operation: "check an area", cause }))

/** A thread that runs one check at a time. The first check starts it, and the next one after it ended starts it again. */
const makeThread = (start: () => Worker) => {
  let current: Worker | undefined

  const running = (): Worker => {
    if (current !== undefined) return current
    const thread = start()
    const forget = () => {
      if (current === thread) current = undefined
    }
    current = thread.once("error", forget).once("exit", forget)
    return thread
  }

  const run = <A>(message: CheckMessage, limit: Duration.Duration): AreaCheck<A> =>
    Effect.callback((resume) => {
      const thread = running()
      let timer: NodeJS.Timeout | undefined
      const end = (outcome: AreaCheck<A>) => {
        clearTimeout(timer)
        thread.off("message", onMessage).off("error", onError).off("exit", onExit).unref()
        resume(outcome)
      }
      const onLate = () => {
        current = undefined
        void thread.terminate()
        end(Effect.fail(new Cause.TimeoutError()))
      }
      const onMessage = (reply: CheckReply) => {
        // The time limit begins here: neither the start of the thread nor the wait for it counts.
        if (reply === "started") timer = setTimeout(onLate, Duration.toMillis(limit))
        else end(Effect.succeed([Duration.millis(reply.millis), reply.result as A]))
      }
      const onError = (error: unknown) => end(failed(error))
      const onExit = () => end(failed("the thread ended"))
      thread.on("message", onMessage).on("error", onError).on("exit", onExit).ref()
      thread.postMessage(message)
    })

  return { run, end: Effect.promise(async () => void (await current?.terminate())) }
}

/**
 * Checks areas on a thread. Checks run one at a time, in the order in which they came. A check that exceeds its time limit ends the
 * thread. One that a caller no longer waits for runs to its end, so that callers who leave do not restart the thread.
 */
export const layerAreaThread = (start: () => Worker = startThread): Layer.Layer<never> =>
  Layer.effect(
    AreaComparer,
    Effect.gen(function* () {
      const thread = makeThread(start)
      yield* Effect.addFinalizer(() => thread.end)
      const turn = yield* Semaphore.make(1)
      const check = <A>(message: CheckMessage, limit: Duration.Duration) =>
        Semaphore.withPermit(turn, Effect.uninterruptible(thread.run<A>(message, limit)))
      return {
        whyMalformed: (input, limit) => check({ name: "whyMalformed", input }, limit),
        firstConflict: (input, limit) => check({ name: "firstConflict", input }, limit)
      }
    })
  )
