import type { Stores } from "@sojourn/core"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { type Cost, measure } from "../growth/measure.ts"
import { usageMeter } from "../growth/Usage.ts"
import type { Aspect } from "./Aspect.ts"

/** How long to measure. */
export interface Patience {
  /** How many rounds are counted. */
  readonly rounds: number
  /** How often a round does each movement. */
  readonly times: number
}

/** The patience that the project measures itself by. */
export const USUAL: Patience = { rounds: 12, times: 1000 }

/** What everything cost at one size. */
export interface Weighed {
  readonly size: number
  readonly costs: ReadonlyArray<Cost>
}

/**
 * Measures the sizes of an aspect beside each other, each in a storage of its own: what else the machine does falls on all
 * of them. `say` is told what is under way.
 */
export const weigh = Effect.fnUntraced(function* <E>(
  { prepare, unit }: Aspect,
  sizes: ReadonlyArray<number>,
  { rounds, times }: Patience,
  storage: Layer.Layer<Stores | SqlClient.SqlClient, E>,
  say: (line: string) => void
) {
  const subjects = yield* Effect.forEach(
    sizes,
    Effect.fnUntraced(function* (size) {
      say(`${size} ${unit}: preparing`)
      const context = yield* Layer.build(Layer.fresh(storage))
      return yield* Effect.provideContext(Effect.all({ operations: prepare(size, times), usage: usageMeter }), context)
    })
  )
  say("measuring")
  const costs = yield* measure(subjects, rounds)
  return sizes.map((size, at): Weighed => ({ size, costs: costs[at]! }))
}, Effect.scoped)
