/** What the requests of a job came to. */
import { quantile } from "../shared/statistics.ts"
import type { Answer } from "./Answers.ts"
import type { Timed } from "./Connection.ts"
import type { Outcome } from "./Job.ts"
import { type Counts, isRefusal } from "./work.ts"

/** Counts answers and errors. Refusals for now are errors unless `mayRefuse`. */
export const makeTally = (mayRefuse: boolean) => {
  const counts: Counts = { entrances: 0, exits: 0, counted: 0 }
  const errors: Record<string, number> = {}
  const latencies: Array<number> = []
  let refused = 0
  const fail = (what: string) => void (errors[what] = (errors[what] ?? 0) + 1)

  /** Counts an answer, and returns the request that has to follow it. */
  const take = ({ exchange, from }: Timed, answer: Answer): Timed | undefined => {
    if (answer.status === exchange.status) {
      const now = performance.now()
      latencies.push(now - from)
      const following = exchange.answered?.(answer.body)
      return following && { exchange: following, from: now }
    }
    if (mayRefuse && isRefusal(answer)) {
      refused++
      exchange.refused?.()
    } else fail(`status ${answer.status}`)
    return undefined
  }

  const result = (): Omit<Outcome, "unsent" | "duration"> => {
    const sorted = Float64Array.from(latencies).sort()
    return {
      requests: sorted.length,
      ...counts,
      refused,
      errors,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99)
    }
  }
  return { counts, fail, take, result }
}
