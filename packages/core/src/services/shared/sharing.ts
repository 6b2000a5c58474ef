/** Concurrent callers share the runs of expensive operations. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Result from "effect/Result"
import type * as Semaphore from "effect/Semaphore"
import { makeLimitedOutside } from "./callersTransaction.ts"

/** The largest number of items of a run, unless another one is given. */
export const LARGEST_RUN = 32

interface Waiting<Item, A, E> {
  readonly item: Item
  readonly answer: Deferred.Deferred<A, E>
}

/**
 * Makes an operation whose concurrent callers share runs, by key. While a run of a key is in flight, further items of the key wait for
 * the next one, which starts after all of them were submitted: it sees everything that was answered before. `permits` bounds the runs
 * in flight over all keys. An interrupted caller does not interrupt the run; its item is dropped where it still waits. A caller in a
 * transaction has a run of its own.
 */
export const makeShared = Effect.fnUntraced(function* <Key, Item, A, E, F>(
  permits: Semaphore.Semaphore,
  run: (key: Key, items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Result.Result<A, E>>, F>,
  largestRun = LARGEST_RUN
) {
  const scope = yield* Effect.scope
  const limitedOutside = yield* makeLimitedOutside
  const queues = new Map<Key, Set<Waiting<Item, A, E | F>>>()

  const answerAll = (
    waiting: Iterable<Waiting<Item, A, E | F>>,
    exit: Exit.Exit<ReadonlyArray<Result.Result<A, E>>, F>
  ) => {
    let nth = 0
    for (const { answer } of waiting) {
      const index = nth++
      Deferred.doneUnsafe(
        answer,
        Effect.flatMap(exit, (results) => Effect.fromResult(results[index]!))
      )
    }
  }

  const runNext = (key: Key, queue: Set<Waiting<Item, A, E | F>>) =>
    Effect.suspend(() => {
      const taken = [...queue].slice(0, largestRun)
      if (taken.length === 0) return Effect.void
      for (const one of taken) queue.delete(one)
      const items = taken.map(({ item }) => item)
      return Effect.exit(Effect.onExit(run(key, items), (exit) => Effect.sync(() => answerAll(taken, exit))))
    })

  const runAll = Effect.fnUntraced(function* (key: Key, queue: Set<Waiting<Item, A, E | F>>) {
    while (queue.size > 0) {
      // Callers of the same turn of the event loop share the first run.
      yield* Effect.yieldNow
      yield* permits.withPermit(runNext(key, queue))
    }
    queues.delete(key)
  })

  const runAlone = (key: Key, item: Item) => Effect.flatMap(run(key, [item]), ([result]) => Effect.fromResult(result!))

  const share = (key: Key, item: Item): Effect.Effect<A, E | F> =>
    Effect.suspend(() => {
      const waiting: Waiting<Item, A, E | F> = { item, answer: Deferred.makeUnsafe() }
      const known = queues.get(key)
      const queue = known ?? new Set()
      queue.add(waiting)
      const awaited = Effect.onInterrupt(Deferred.await(waiting.answer), () =>
        Effect.sync(() => void queue.delete(waiting))
      )
      if (known !== undefined) return awaited
      queues.set(key, queue)
      const runs = Effect.onExit(runAll(key, queue), () => Effect.sync(() => answerAll(queue, Exit.interrupt())))
      return Effect.andThen(Effect.forkIn(runs, scope), awaited)
    })

  return (key: Key, item: Item): Effect.Effect<A, E | F> => limitedOutside(runAlone(key, item), () => share(key, item))
})
