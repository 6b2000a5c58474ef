import type { StoreError } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { type Batched, runBatch } from "./Batched.ts"
import type { PendingItem } from "./PendingQueue.ts"

/** A batch that was dispatched to the database. */
export interface InFlightBatch {
  readonly members: ReadonlyArray<PendingItem>
  readonly fiber: Fiber.Fiber<void>
  /** When it was dispatched, on the monotonic clock, in nanoseconds. */
  readonly dispatchedAt: bigint
  /** Only batches on time keep the next one waiting. */
  state: "on time" | "late" | "given up"
}

/** Runs the statement of each member once, and sets the members' outcomes. */
export const runMembers = (
  ready: Effect.Effect<void, StoreError>,
  members: ReadonlyArray<PendingItem>
): Effect.Effect<void> => traced(members, runStatements(ready, members))

/** Runs one statement for the members that ask for it, and sets their outcomes. */
const runStatement = (
  ready: Effect.Effect<void, StoreError>,
  batched: Batched<unknown, unknown, unknown>,
  members: ReadonlyArray<PendingItem>
): Effect.Effect<void> => {
  const items = members.map(({ item }) => item)
  return Effect.matchCause(Effect.andThen(ready, runBatch(batched, items)), {
    onSuccess: (exits) => members.forEach((member, i) => (member.outcome = exits[i])),
    onFailure: (cause) => members.forEach((member) => (member.outcome = Exit.failCause(cause)))
  })
}

const runStatements = (
  ready: Effect.Effect<void, StoreError>,
  members: ReadonlyArray<PendingItem>
): Effect.Effect<void> => {
  const first = members[0]!.batched
  if (members.every(({ batched }) => batched === first)) return runStatement(ready, first, members)
  return Effect.forEach(
    Map.groupBy(members, ({ batched }) => batched),
    ([batched, group]) => runStatement(ready, batched, group),
    { concurrency: "unbounded", discard: true }
  )
}

/**
 * Records the batch in the trace of its first traced member, with links to the spans of the others. Members that are not
 * traced add nothing; without any traced member there is no span.
 */
const traced = (members: ReadonlyArray<PendingItem>, run: Effect.Effect<void>): Effect.Effect<void> => {
  if (members.every(({ span }) => span === undefined)) return run
  const [parent, ...others] = members.flatMap(({ span }) => span ?? [])
  const links = others.map((span) => ({ span, attributes: {} }))
  const attributes = { "sojourn.batch.size": members.length }
  return Effect.withSpan(run, `batch: ${members[0]!.batched.operation}`, { parent, links, attributes })
}
