/**
 * A queue of items that share executions of one statement (group commit). Items that wait at the same moment share one statement, and so one
 * commit, and each is answered after it. The next batch collects while one is in flight. Where batches are slow, it is dispatched
 * beside the others once it has as many items as they have on average. No timer delays a batch.
 *
 * An item that breaks its statement fails alone. A batch that is late, because of another server's lock or a silent connection,
 * does not keep the next one waiting. Items of callers that were interrupted while they waited are dropped; those in flight run on.
 */
import type { StoreError } from "@sojourn/core"
import { Clock, Effect, Exit, Fiber, Metric, type Scope } from "effect"
import type { Apart, BulkStatement } from "../database/BulkStatement.ts"
import { sampledSpan } from "../database/Database.ts"
import { batchQueueMetrics, countRetries } from "../database/metrics.ts"
import { exitOf, failed, makeAnswer, rejected } from "./answers.ts"
import { ageOf, makeDeadlines } from "./deadlines.ts"
import { LatencyWindow, mayDispatch } from "./concurrency.ts"
import { type InFlightBatch, runMembers } from "./InFlightBatch.ts"
import { type PendingItem, pendingItemOf, PendingQueue, type QueueKeys } from "../queueing/PendingQueue.ts"

export interface BatchQueueOptions<Item, A> {
  /** The queue's name in metrics: the value of their label `lane`. */
  readonly name: string
  /** Runs before each statement; where it fails, the items of the batch fail with its error. */
  readonly ready: Effect.Effect<void, StoreError>
  /** The largest number of items of a batch; 1: a statement for each item. */
  readonly largestBatch: number
  /** How many batches are in flight at once while batches are quick. */
  readonly concurrency: number
  /** How many while batches are slow (`LatencyWindow`); as many as else when left out. */
  readonly concurrencyWhenSlow?: number
  /** How many items may wait; further ones are rejected. */
  readonly mostPending: number
  /** The longest time that the database works on an item with this answer, in milliseconds; 0.03 when left out. */
  readonly work?: (item: Item, answer: A) => number
}

/** What a queue is made of beside its statement. */
interface Queueing<Item, A, E> extends BatchQueueOptions<Item, A> {
  /** Runs the items of fibers that share no batch; left out: all share batches. */
  readonly apart?: Apart<Item, A, E> | undefined
}

export interface BatchQueue<Item, A, E> {
  /** Runs an item in a batch, and returns its answer once that batch is committed. */
  readonly submit: (item: Item, keys: QueueKeys) => Effect.Effect<A, E | StoreError>
}

/** The longest time that the database works on an item, in milliseconds, unless the options say otherwise. */
const DEFAULT_WORK_MS = 0.03

/** The longest time that the database worked on an item with this exit, in milliseconds. */
const workOf = <Item, A>(
  work: BatchQueueOptions<Item, A>["work"],
  { item }: PendingItem,
  exit: Exit.Exit<unknown, unknown> | undefined
): number =>
  work !== undefined && exit !== undefined && Exit.isSuccess(exit)
    ? work(item as Item, exit.value as A)
    : DEFAULT_WORK_MS

/** Makes a function that runs another one after the current task, once for all calls until then. */
const oncePerTask = (run: () => void) => {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    void Promise.resolve().then(() => {
      isScheduled = false
      run()
    })
  }
}

/** Makes a queue for a statement. It is open as long as the scope. */
export const makeBatchQueue = Effect.fnUntraced(function* <Item, A, E>(
  statement: BulkStatement<Item, A, E>,
  {
    name,
    ready,
    largestBatch,
    concurrency,
    concurrencyWhenSlow = concurrency,
    mostPending,
    work,
    apart
  }: Queueing<Item, A, E>
): Effect.fn.Return<BatchQueue<Item, A, E>, never, Scope.Scope> {
  const { operation } = statement
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const clock = yield* Clock.Clock
  const pending = new PendingQueue(mostPending)
  const inFlight = new Set<InFlightBatch>()
  const latency = new LatencyWindow()
  const metrics = batchQueueMetrics(
    name,
    { waiting: () => pending.size, inFlight: () => inFlight.size },
    yield* Metric.CurrentMetricAttributes
  )
  const orderingKeys = new Set<string>()
  const answer = makeAnswer(operation, runFork)
  const limits = { concurrency, concurrencyWhenSlow, largestBatch }
  let isDispatching = false

  /**
   * Dispatches batches while that is allowed. A batch may complete before `dispatch` returns, as when the stores are not ready:
   * the loop then continues here, and not in a nested call.
   */
  const dispatchReady = () => {
    if (isDispatching) return
    isDispatching = true
    while (pending.size > 0 && mayDispatch(limits, inFlight, latency.isSlow, pending.size)) {
      const members = pending.take(largestBatch, orderingKeys)
      if (members.length === 0) break
      dispatch(members)
    }
    isDispatching = false
  }

  const dispatch = (members: ReadonlyArray<PendingItem>) => {
    const batch: InFlightBatch = {
      members,
      dispatchedAt: clock.monotonicTimeNanosUnsafe(),
      fiber: runFork(runMembers(statement as never, ready, members)),
      state: "on time"
    }
    inFlight.add(batch)
    metrics.dispatched(members.length)
    watchDeadlines()
    batch.fiber.addObserver(() => complete(batch))
  }

  const complete = (batch: InFlightBatch) => {
    const { members } = batch
    inFlight.delete(batch)
    const age = ageOf(clock, batch)
    const again: Array<PendingItem> = []
    let worked = 0
    const exits = members.map((item) => {
      if (item.keys.orderingKey !== undefined) orderingKeys.delete(item.keys.orderingKey)
      const exit = exitOf(operation, item, item.outcome ?? failed(operation, "interrupted"))
      item.outcome = undefined
      worked += workOf(work, item, exit)
      if (exit === undefined) again.push(item)
      return exit
    })
    if (again.length > 0) countRetries(again.length)
    pending.requeue(again)
    // The next batch is dispatched first: the database works on it while these are answered.
    dispatchReady()
    exits.forEach((exit, i) => {
      if (exit !== undefined) answer(members[i]!, exit)
    })
    latency.record(age, worked)
    metrics.completed(age / 1000)
  }

  // Items that are submitted together with the first share its batch.
  const schedule = oncePerTask(dispatchReady)
  const watchDeadlines = makeDeadlines({ operation, clock, runFork, inFlight, pending, answer, dispatchReady })

  yield* Effect.addFinalizer(() => {
    metrics.close()
    for (const item of pending.clear()) answer(item, failed(operation, "the stores are closed"))
    return Fiber.interruptAll([...inFlight].map(({ fiber }) => fiber))
  })

  return {
    submit: (item, keys) =>
      Effect.callback((resume) => {
        const { context } = Fiber.getCurrent()!
        if (apart?.isApart(context) === true) return resume(apart.run(item))
        const submitted = pendingItemOf(item, keys, resume as never, sampledSpan(context))
        if (!pending.add(submitted)) return answer(submitted, rejected(operation))
        schedule()
        return Effect.sync(() => (submitted.answer = undefined))
      })
  }
})
