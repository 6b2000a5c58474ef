/** Runs a batch in the database, and isolates the items that break its statement: the other items do not fail with them. */
import type { StoreError } from "@sojourn/core"
import { Effect, Exit, type Fiber, Result } from "effect"
import type * as SqlError from "effect/sql/SqlError"
import { type BulkStatement, recoverSingle } from "../database/BulkStatement.ts"
import { isOfItsRows, type WriteConflict } from "../database/Database.ts"
import type { PendingItem } from "../queueing/PendingQueue.ts"

/** A batch that was dispatched to the database. */
export interface InFlightBatch {
  readonly members: ReadonlyArray<PendingItem>
  readonly fiber: Fiber.Fiber<void>
  /** When it was dispatched, on the monotonic clock, in nanoseconds. */
  readonly dispatchedAt: bigint
  /** Only batches on time keep the next one waiting. */
  state: "on time" | "late" | "abandoned"
}

/** Runs the statement for the members, and sets their outcomes. */
export const runMembers = (
  statement: BulkStatement<unknown, unknown, unknown>,
  ready: Effect.Effect<void, StoreError>,
  members: ReadonlyArray<PendingItem>
): Effect.Effect<void> => {
  const items = members.map(({ item }) => item)
  const run = Effect.matchCause(Effect.andThen(ready, runBatch(statement, items)), {
    onSuccess: (exits) => members.forEach((member, i) => (member.outcome = exits[i])),
    onFailure: (cause) => members.forEach((member) => (member.outcome = Exit.failCause(cause)))
  })
  return traced(statement.operation, members, run)
}

/**
 * Records the batch in the trace of its first traced member, with links to the spans of the others. Members that are not
 * traced add nothing; without any traced member there is no span.
 */
const traced = (
  operation: string,
  members: ReadonlyArray<PendingItem>,
  run: Effect.Effect<void>
): Effect.Effect<void> => {
  if (members.every(({ span }) => span === undefined)) return run
  const [parent, ...others] = members.flatMap(({ span }) => span ?? [])
  const links = others.map((span) => ({ span, attributes: {} }))
  const attributes = { "sojourn.batch.size": members.length }
  return Effect.withSpan(run, `batch: ${operation}`, { parent, links, attributes })
}

type Exits<A, E> = ReadonlyArray<Exit.Exit<A, E | WriteConflict | SqlError.SqlError>>

/**
 * Runs a batch as one statement, and bisects it where rows of it break the statement. Nothing of a broken statement was
 * written: items that break it fail by themselves, and the others are done without them. Once a part fails for another reason,
 * such as a lost connection, the parts after it are not tried and fail with the same error; those before it keep their outcomes.
 */
const runBatch = <Item, A, E>(
  statement: BulkStatement<Item, A, E>,
  items: ReadonlyArray<Item>
): Effect.Effect<Exits<A, E>, SqlError.SqlError> => runOr(statement, items, () => runParts(statement, halves(items)))

const halves = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> => {
  const middle = items.length >> 1
  return [items.slice(0, middle), items.slice(middle)]
}

/** Runs items as one statement; where several of them break it, continues with `split`. */
const runOr = <Item, A, E>(
  statement: BulkStatement<Item, A, E>,
  items: ReadonlyArray<Item>,
  split: () => Effect.Effect<Exits<A, E>, SqlError.SqlError>
): Effect.Effect<Exits<A, E>, SqlError.SqlError> =>
  Effect.catchIf(statement.run(items), isOfItsRows, (error) => {
    const [first, ...others] = items
    return first !== undefined && others.length === 0
      ? Effect.map(recoverSingle(statement, first, error), (exit) => [exit])
      : split()
  })

const runParts = Effect.fnUntraced(function* <Item, A, E>(
  statement: BulkStatement<Item, A, E>,
  parts: ReadonlyArray<ReadonlyArray<Item>>
): Effect.fn.Return<Exits<A, E>> {
  const exits: Array<Exits<A, E>[number]> = []
  const remaining = [...parts]
  for (let part = remaining.shift(); part !== undefined; part = remaining.shift()) {
    const items = part
    const ran = yield* Effect.result(
      runOr(statement, items, () => {
        remaining.unshift(...halves(items))
        return Effect.succeed([])
      })
    )
    if (Result.isSuccess(ran)) exits.push(...ran.success)
    else return [...exits, ...[items, ...remaining].flat().map(() => Exit.fail(ran.failure))]
  }
  return exits
})
