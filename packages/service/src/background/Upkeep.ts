/** What a server does at intervals, beside answering: it applies stay policies, keeps the history, and forgets. */
import {
  Audits,
  Histories,
  insteadOfDefect,
  Musters,
  onEachCell,
  PresenceFeed,
  type StoreError,
  Sweeps,
  type Swept,
  Timestamp
} from "@sojourn/core"
import { Clock, Duration, Effect, Layer, Schedule } from "effect"

/** Repeats work at an interval. A failure is logged, and the next attempt is made at its time. */
const repeat = <A, R>(every: Duration.Input, failed: string, work: Effect.Effect<A, StoreError, R>) =>
  work.pipe(
    Effect.catchTag("StoreError", ({ operation, cause }) => Effect.logError(`${failed}: ${operation}`, cause)),
    insteadOfDefect(failed, undefined),
    Effect.repeat(Schedule.spaced(every))
  )

/** How many events are forgotten at once. */
const EVENTS_AT_ONCE = 5_000

/**
 * Forgets events of the feeds that were published longer ago than the retention. Servers on one storage may all do so.
 */
export const layerFeedRetention = (retention: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { forget } = yield* PresenceFeed
      const forgetAll = Effect.gen(function* () {
        const before = Timestamp((yield* Clock.currentTimeMillis) - Duration.toMillis(retention))
        while ((yield* forget(before, EVENTS_AT_ONCE)) === EVENTS_AT_ONCE) yield* Effect.yieldNow
      })
      yield* Effect.forkScoped(repeat("10 minutes", "presence events were not forgotten", forgetAll))
    })
  )

/**
 * Rolls up presence events into the history, and forgets its minutes after the retention. Servers on one storage share the work.
 */
export const layerHistoryKeeping = (retention: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { rollUp, forgetMinutes } = yield* Histories
      yield* Effect.forkScoped(repeat("1 minute", "presence events were not rolled up", rollUp))
      yield* Effect.forkScoped(repeat("1 hour", "minutes of presence were not forgotten", forgetMinutes(retention)))
    })
  ).pipe(Layer.provide(Histories.layer))

/**
 * Forgets musters that ended longer ago than the retention, with all that they keep of people. Servers on one storage may all do
 * so.
 */
export const layerMusterRetention = (retention: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { forget } = yield* Musters
      const forgetAll = Effect.tap(forget(retention), (forgotten) =>
        forgotten > 0 ? Effect.logInfo(`${forgotten} musters forgotten`) : Effect.void
      )
      yield* Effect.forkScoped(repeat("10 minutes", "musters were not forgotten", forgetAll))
    })
  ).pipe(Layer.provide(Musters.layer))

/** Forgets entries of the audit after the retention. Servers on one storage may all do so. */
export const layerAuditRetention = (retention: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { forget } = yield* Audits
      yield* Effect.forkScoped(repeat("1 hour", "entries of the audit were not forgotten", forget(retention)))
    })
  ).pipe(Layer.provide(Audits.layer))

/** Logs what a sweep did, unless it did nothing. */
const logSwept = ({ abandoned, forgotten }: Swept) =>
  abandoned > 0 || forgotten > 0
    ? Effect.logInfo(`swept: ${abandoned} stays abandoned, ${forgotten} accesses forgotten`)
    : Effect.void

/** Runs a sweep of the stay policies at an interval, the first one after it. Servers on one storage share the work. */
export const layerSweeping = (every: Duration.Duration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { sweep } = yield* Sweeps
      // A timer may fire a little early by the clock: the server's own last sweep must not prevent this one.
      const sweepOnce = Effect.flatMap(sweep(Duration.times(every, 0.9)), logSwept)
      yield* Effect.forkScoped(Effect.delay(repeat(every, "sweep failed", sweepOnce), every))
    })
  ).pipe(Layer.provide(Sweeps.layer))

/** The interval of sweeps (undefined: this server never sweeps), and the retentions. */
export interface UpkeepOptions {
  readonly sweepInterval: Duration.Duration | undefined
  readonly feedRetention: Duration.Duration
  readonly historyRetention: Duration.Duration
  readonly musterRetention: Duration.Duration
  readonly auditRetention: Duration.Duration
}

/** All upkeep of a server. */
export const layerUpkeep = ({
  sweepInterval,
  feedRetention,
  historyRetention,
  musterRetention,
  auditRetention
}: UpkeepOptions) =>
  onEachCell(
    Layer.mergeAll(
      sweepInterval === undefined ? Layer.empty : layerSweeping(sweepInterval),
      layerFeedRetention(feedRetention),
      layerHistoryKeeping(historyRetention),
      layerMusterRetention(musterRetention),
      layerAuditRetention(auditRetention)
    )
  )
