/** Measures the operations of several subjects in alternating rounds, so that noise affects all alike. */
import { Effect } from "effect"
import { median } from "../shared/median.ts"
import type { Operation } from "./operations.ts"
import { type Usage, usagePerOperation } from "./Usage.ts"

/** How many operations are under way at once. */
const CONCURRENCY = 16

/** What an operation costs, each time. */
export interface Cost extends Usage {
  readonly operation: string
  readonly promise: Operation["promise"]
  /** Milliseconds from question to answer, the median. */
  readonly latency: number
  /** How many rows it answered, on average. */
  readonly rows: number
}

/** What can be measured beside others: the same operations, each with a history of its own. */
export interface Subject {
  readonly operations: ReadonlyArray<Operation>
  readonly usage: Effect.Effect<Usage, unknown>
}

/** One round of one operation. */
const round = Effect.fnUntraced(function* ({ usage }: Subject, operation: Operation) {
  const latencies: Array<number> = []
  let rows = 0
  const timed = Effect.suspend(() => {
    const started = performance.now()
    return Effect.map(operation.once, (answered) => {
      latencies.push(performance.now() - started)
      rows += answered
    })
  })
  const before = yield* usage
  yield* Effect.replicateEffect(timed, operation.times, { concurrency: CONCURRENCY, discard: true })
  const after = yield* usage
  return {
    ...usagePerOperation(before, after, operation.times),
    latency: median(latencies),
    rows: rows / operation.times
  }
})

type Round = Effect.Success<ReturnType<typeof round>>

const costOf = ({ name, promise }: Operation, rounds: ReadonlyArray<Round>): Cost => {
  const of = (what: "client" | "wal" | "latency" | "rows") => median(rounds.map((one) => one[what]))
  const server = rounds.flatMap((one) => one.server ?? [])
  return {
    operation: name,
    promise,
    server: server.length === 0 ? undefined : median(server),
    client: of("client"),
    wal: of("wal"),
    latency: of("latency"),
    rows: of("rows")
  }
}

/**
 * The cost of each operation for each subject: medians of rounds in which everything has its turn, so that whatever else
 * the machine does falls on all alike. A round before them, which is not counted, fills caches and prepares statements.
 */
export const measure = Effect.fnUntraced(function* (subjects: ReadonlyArray<Subject>, rounds: number) {
  const measured = subjects.map(({ operations }) => operations.map((): Array<Round> => []))
  const most = Math.max(0, ...subjects.map(({ operations }) => operations.length))
  for (let nth = -1; nth < rounds; nth++) {
    for (let at = 0; at < most; at++) {
      for (const [index, subject] of subjects.entries()) {
        const one = yield* round(subject, subject.operations[at]!)
        if (nth >= 0) measured[index]![at]!.push(one)
      }
    }
  }
  return subjects.map(({ operations }, index) =>
    operations.map((operation, at) => costOf(operation, measured[index]![at]!))
  )
})
