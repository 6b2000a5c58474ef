/** How items of a batch queue are answered. */
import { StoreError } from "@sojourn/core"
import { Cause, Effect, Exit, Option } from "effect"
import * as SqlError from "effect/sql/SqlError"
import { describe, MAX_ATTEMPTS, WriteConflict } from "../database/Database.ts"
import type { PendingItem } from "../queueing/PendingQueue.ts"

/** Runs an effect in the background, with the services of the queue. */
export type RunFork = ReturnType<typeof Effect.runForkWith<never>>

/** Answers an item, once. */
export type Answer = (item: PendingItem, exit: Exit.Exit<unknown, unknown>) => void

/** The exit of an item that was not done, or whose outcome is unknown. */
export const failed = (operation: string, cause: string): Exit.Exit<never, StoreError> =>
  Exit.fail(new StoreError({ operation, cause }))

/** The exit of an item that a full queue did not take. */
export const rejected = (operation: string): Exit.Exit<never, StoreError> =>
  Exit.fail(new StoreError({ operation, cause: "too many are waiting", isOverload: true }))

/** Maps the outcome in a batch to the caller's exit; undefined where the item has to run again. */
export const exitOf = (
  operation: string,
  item: PendingItem,
  outcome: Exit.Exit<unknown, unknown>
): Exit.Exit<unknown, unknown> | undefined => {
  const error = Exit.isFailure(outcome) ? Option.getOrUndefined(Cause.findErrorOption(outcome.cause)) : undefined
  if (error instanceof WriteConflict) {
    return ++item.attempts < MAX_ATTEMPTS ? undefined : failed(operation, `${MAX_ATTEMPTS} write conflicts`)
  }
  return SqlError.isSqlError(error) ? failed(operation, describe(error)) : outcome
}

/**
 * Makes the function that answers items. The caller continues on the stack of the database's connection: an exception there would
 * leave the rest of the batch unanswered and close the connection. So it is caught and logged.
 */
export const makeAnswer =
  (operation: string, runFork: RunFork): Answer =>
  (item, exit) => {
    const resume = item.answer
    item.answer = undefined
    try {
      resume?.(exit)
    } catch (defect) {
      runFork(Effect.logError(`${operation}: the answer was not taken`, Cause.die(defect)))
    }
  }
