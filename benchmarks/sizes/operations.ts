import { StayLog, type TrackingMode } from "@sojourn/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Crowd } from "../growth/Crowd.ts"
import { drawFrom } from "../growth/draw.ts"
import type { Operation } from "../growth/operations.ts"
import type { Site } from "../growth/Population.ts"

const one = Effect.as(1)

/** Entrances and exits in each of the modes, which in this order keep the crowd as it is. None of them may grow. */
export const movements = (
  crowd: Crowd,
  modes: ReadonlyArray<TrackingMode>,
  times: number
): ReadonlyArray<Operation> => {
  const flat = (name: string, once: Effect.Effect<void, unknown>): Operation => ({
    name,
    times,
    promise: "flat",
    once: one(once)
  })
  return [
    ...modes.map((mode) =>
      flat(
        `entrance, ${mode}`,
        Effect.suspend(() => crowd.enter(mode))
      )
    ),
    ...modes.map((mode) =>
      flat(
        `exit, ${mode}`,
        Effect.suspend(() => crowd.leave(mode))
      )
    )
  ]
}

/** The counter of one of some sites, as its owner reads it: it costs the people whom it counts. */
export const counter = Effect.fnUntraced(function* (sites: ReadonlyArray<Site>, times: number) {
  const log = yield* StayLog
  const once = Effect.suspend(() => {
    const { owner, premises } = drawFrom(sites)
    return log.countOpen(owner, premises)
  })
  return { name: "counter", times, promise: "answer", once: one(once) } satisfies Operation
})

/** A question whose answer takes PostgreSQL no table: what its cost changes by is the machine's doing. */
export const yardstick = Effect.fnUntraced(function* (times: number) {
  const sql = yield* SqlClient.SqlClient
  return { name: "a question to PostgreSQL", times, promise: "yardstick", once: one(sql`select 1`) } satisfies Operation
})

/** Leaves the tables as autovacuum and a checkpoint leave them. */
export const settled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe("vacuum analyze")
  yield* sql.unsafe("checkpoint")
})
