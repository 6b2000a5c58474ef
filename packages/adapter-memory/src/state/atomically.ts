import { type Act, type AuditEntry, type AuditEntryId, authorIn, type Recorded, Timestamp } from "@sojourn/core"
import { Clock, Effect, Result } from "effect"
import type { State } from "./State.ts"

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

/** Adds an entry of the audit to the state. */
export const addEntry = (state: State, entry: Omit<AuditEntry, "id">): void => {
  state.audit.push({ ...entry, id: ++state.lastId.auditEntry as AuditEntryId })
}

/** {@link atomicallyNow} for changes of administrators and operators: the acts that it returns are added to the audit in the same step. */
export const recording = <Refusal extends Result.Result<unknown, unknown>, A>(
  state: State,
  operation: (now: Timestamp) => Generator<Refusal, Recorded<A>, never>
): Effect.Effect<A, [Refusal] extends [Result.Result<infer _, infer E>] ? E : never> =>
  Effect.withFiber(({ context }) =>
    Effect.flatMap(Clock.currentTimeMillis, (milliseconds) =>
      Effect.suspend(() => {
        const now = Timestamp(milliseconds)
        const done = Result.gen(() => operation(now) as never) as Result.Result<Recorded<A>, never>
        if (Result.isFailure(done)) return Effect.fail(done.failure)
        const { value, acts } = done.success
        const caller = authorIn(context)
        for (const { author = caller, ...act } of acts) addEntry(state, { ...act, ...author, at: now })
        return Effect.succeed(value)
      })
    )
  )

/** Adds the entry of something that a policy did. */
export const addPolicyEntry = (state: State, { author, ...act }: Act, at: Timestamp): void => {
  if (author !== undefined) addEntry(state, { ...act, ...author, at })
}
