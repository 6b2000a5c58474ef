/** The loop that turns recorded movements into events, so that no movement waits for the feed. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { PresenceFeed } from "../../ports/feed/PresenceFeed.ts"
import { now } from "../shared/now.ts"

/** How long movements are collected before their event is published. */
const COLLECT = Duration.millis(20)

/** How often the loop looks for what another server recorded and did not publish, and how long it waits after a failure. */
const LOOK = Duration.seconds(1)

/**
 * How long movements are collected instead where what was recorded before waits for its interval: in a busy anonymous organization
 * 49 of 50 calls would find nothing that is due.
 */
const COLLECT_WHILE_WAITING = Duration.millis(200)

/** How long to collect movements before the next call, and when to call where nothing is recorded. */
interface Pause {
  readonly collect: Duration.Duration
  readonly look: Duration.Duration
}

/** Publishes what is recorded and due. */
const publishOnce = Effect.gen(function* () {
  const feed = yield* PresenceFeed
  const at = yield* now
  const { nextAt, organizations } = yield* feed.publish(at)
  const isWaiting = organizations.length === 0 && Option.isSome(nextAt)
  return {
    collect: isWaiting ? COLLECT_WHILE_WAITING : COLLECT,
    look: Duration.min(LOOK, Duration.millis(Option.getOrElse(nextAt, () => Infinity) - at))
  } satisfies Pause
}).pipe(
  // The storage is away: what is recorded stays recorded. Requests publish of it already.
  Effect.catchTag("StoreError", (error) =>
    Effect.as(Effect.logDebug("events of presence wait for the storage", error), {
      collect: COLLECT_WHILE_WAITING,
      look: LOOK
    } satisfies Pause)
  )
)

/**
 * Publishes events of presence as long as it runs: each server runs it once. What this process records is published {@link COLLECT}
 * later, so movements of the same moment are one event. A change of a server that died is published by another one within {@link LOOK}.
 */
export const publishPresence: Effect.Effect<never, never, PresenceFeed> = Effect.gen(function* () {
  const { appended } = yield* PresenceFeed
  let pause: Pause = { collect: COLLECT, look: Duration.zero }
  while (true) {
    yield* Effect.raceFirst(Effect.andThen(appended, Effect.sleep(pause.collect)), Effect.sleep(pause.look))
    pause = yield* publishOnce
  }
})

/** Runs {@link publishPresence} while the scope is open. */
export const layerPublishing: Layer.Layer<never, never, PresenceFeed> = Layer.effectDiscard(
  Effect.forkScoped(publishPresence)
)
