/** Limits concurrency by key, so that a key that is slow or asks for much delays and refuses only its own callers. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

/** Runs an effect once the limits of its key admit it. */
export type RunLimited<Refusal> = <A, E, R>(
  key: string | bigint,
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | Refusal, R>

/**
 * Makes a limiter that runs `concurrency` effects of each key at once, in the order of their arrival. When `mostOfKey` of the key, or
 * `most` of all keys, run and wait already, the next fails with `refuse()`.
 */
export const makeKeyedLimiter = <Refusal>(
  { concurrency, mostOfKey, most = Infinity }: { concurrency: number; mostOfKey: number; most?: number },
  refuse: () => Refusal
): RunLimited<Refusal> => {
  const keys = new Map<string | bigint, { readonly permits: Semaphore.Semaphore; admitted: number }>()
  let admitted = 0
  const enter = (key: string | bigint) => {
    const own = keys.get(key) ?? { permits: Semaphore.makeUnsafe(concurrency), admitted: 0 }
    if (admitted >= most || own.admitted >= mostOfKey) return Effect.fail(refuse())
    keys.set(key, own)
    admitted++
    own.admitted++
    return Effect.succeed(own)
  }
  return (key, effect) =>
    Effect.acquireUseRelease(
      Effect.suspend(() => enter(key)),
      ({ permits }) => permits.withPermit(effect),
      (own) =>
        Effect.sync(() => {
          admitted--
          if (--own.admitted === 0) keys.delete(key)
        })
    )
}
