import { do_not_optimize, measure } from "mitata"
import { Effect } from "effect"
import { median } from "../shared/median.ts"
import type { Subject } from "./Subject.ts"

/** How long to measure. */
export interface Patience {
  readonly rounds: number
  /** Of processor time that each subject has in a round. */
  readonly milliseconds: number
  /** How often a quick rule is asked between two looks at the clock, which cost about as much as the rule. */
  readonly batch: number
}

/** What asking a rule once costs, in one round of asking. */
export interface Round {
  /** The median of its samples, in nanoseconds. */
  readonly nanoseconds: number
  /** Bytes that it allocates; none where a garbage collection came between every time. */
  readonly bytes: number | undefined
}

/** What asking a rule once costs. */
export interface Cost {
  readonly name: string
  /** The median of the rounds, in nanoseconds, and the quickest and the slowest of them. */
  readonly nanoseconds: number
  readonly least: number
  readonly most: number
  readonly bytes: number | undefined
}

/** Asks a rule over and over for a round. */
export const round = (subject: Subject, { batch, milliseconds }: Patience): Effect.Effect<Round> =>
  Effect.promise(async () => {
    // An answer that nobody looks at may never be made.
    const once = () => do_not_optimize(subject.once())
    const { p50, heap } = await measure(once, {
      min_cpu_time: milliseconds * 1e6,
      batch_samples: batch,
      heap: () => process.memoryUsage().heapUsed
    })
    const bytes = heap === undefined || !Number.isFinite(heap.avg) ? undefined : heap.avg
    return { nanoseconds: p50, bytes }
  })

/** What the rounds of a subject say together. */
export const costOf = (name: string, rounds: ReadonlyArray<Round>): Cost => {
  const all = rounds.map(({ nanoseconds }) => nanoseconds)
  const bytes = rounds.flatMap((one) => one.bytes ?? [])
  return {
    name,
    nanoseconds: median(all),
    least: Math.min(...all),
    most: Math.max(...all),
    bytes: bytes.length === 0 ? undefined : median(bytes)
  }
}
