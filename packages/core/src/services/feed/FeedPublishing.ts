/** The loop that publishes pending changes as events, so that no movement waits for the feed. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { PresenceFeed } from "../../ports/feed/PresenceFeed.ts"
import { insteadOfDefect } from "../shared/backgroundFailures.ts"
import { now } from "../shared/now.ts"

/** How long changes are collected after the first one is appended. */
const COLLECT_INTERVAL = Duration.millis(20)

/**
 * How long changes are collected while earlier ones wait for their interval: in a busy anonymous organization 49 of 50 calls would
 * find no change that is due.
 */
const COLLECT_INTERVAL_WHILE_WAITING = Duration.millis(200)

/** The interval of polls for changes that another server appended and did not publish, and the pause after a failure. */
const POLL_INTERVAL = Duration.seconds(1)

/** How long to collect changes before the next call, and when to call if none is appended. */
interface Pause {
  readonly collect: Duration.Duration
  readonly poll: Duration.Duration
}

/** Publishes the changes that are due. */
const publishOnce = Effect.gen(function* () {
  const feed = yield* PresenceFeed
  const at = yield* now
  const { nextAt, organizations } = yield* feed.publish(at)
  const isWaiting = organizations.length === 0 && Option.isSome(nextAt)
  return {
    collect: isWaiting ? COLLECT_INTERVAL_WHILE_WAITING : COLLECT_INTERVAL,
    poll: Duration.min(POLL_INTERVAL, Duration.millis(Option.getOrElse(nextAt, () => Infinity) - at))
  } satisfies Pause
}).pipe(
  // Pending changes outlive the failure, and requests report it already.
  Effect.catchTag("StoreError", (error) =>
    Effect.as(Effect.logDebug("events of presence wait for the storage", error), {
      collect: COLLECT_INTERVAL_WHILE_WAITING,
      poll: POLL_INTERVAL
    } satisfies Pause)
  ),
  insteadOfDefect<Pause>("the publishing of events", { collect: COLLECT_INTERVAL_WHILE_WAITING, poll: POLL_INTERVAL })
)

/**
 * Publishes events of presence until it is interrupted. Each server runs it once. A change that this process appends is published after
 * {@link COLLECT_INTERVAL}, one of a server that died within {@link POLL_INTERVAL}.
 */
export const publishPresence: Effect.Effect<never, never, PresenceFeed> = Effect.gen(function* () {
  const { appended } = yield* PresenceFeed
  let pause: Pause = { collect: COLLECT_INTERVAL, poll: Duration.zero }
  const waitAndPublish = Effect.gen(function* () {
    yield* Effect.raceFirst(Effect.andThen(appended, Effect.sleep(pause.collect)), Effect.sleep(pause.poll))
    pause = yield* publishOnce
  })
  return yield* Effect.forever(waitAndPublish)
})

/** Runs {@link publishPresence} while the scope is open. */
export const layerPublishing: Layer.Layer<never, never, PresenceFeed> = Layer.effectDiscard(
  Effect.forkScoped(publishPresence)
)
