import { Timestamp } from "@sojourn/core"
import { Clock, Effect, Result } from "effect"

/**
 * One operation on the state, in the style of `Result.gen`. It runs in one synchronous step, which no other operation can
 * come between; whatever it checks it checks before it writes, so a refusal changes nothing.
 */
export const atomically = <Refusal extends Result.Result<unknown, unknown>, A>(
  operation: () => Generator<Refusal, A, never>
): Effect.Effect<A, [Refusal] extends [Result.Result<infer _, infer E>] ? E : never> =>
  Effect.suspend(() => Effect.fromResult(Result.gen(operation as never))) as never

/** {@link atomically}, with the service's time, for operations that are not given one. */
export const atomicallyNow = <Refusal extends Result.Result<unknown, unknown>, A>(
  operation: (now: Timestamp) => Generator<Refusal, A, never>
) => Effect.flatMap(Clock.currentTimeMillis, (now) => atomically(() => operation(Timestamp(now))))
