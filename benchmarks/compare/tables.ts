/** The tables of a comparison. */
import { digits, markdown, median, megabytes } from "../shared/statistics.ts"
import { REFERENCE } from "./candidates.ts"
import { type Compared, type Heat, SCENARIOS, type Turn } from "./compare.ts"

const workOf = ({ server, database }: Turn) => server + database

/**
 * The results of a heat. Ratios are medians of those to the reference in the same round, as noise affects both candidates of a round
 * alike. `work` is how many times as much processor time the reference and its database take for a request.
 */
export const standings = ({ turns: all }: Pick<Heat, "turns">) => {
  const reference = (all.find(({ candidate }) => candidate === REFERENCE) ?? all[0]!).turns
  return all.map(({ candidate, turns }) => {
    const ratios = turns.map(({ rate }, round) => rate / reference[round]!.rate)
    const works = turns.map((turn, round) => workOf(reference[round]!) / workOf(turn))
    const of = (what: keyof Turn) => median(turns.map((turn) => turn[what]))
    return {
      candidate,
      ratio: { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
      work: median(works),
      rate: of("rate"),
      server: of("server"),
      database: of("database"),
      p50: of("p50"),
      p99: of("p99"),
      wal: of("wal"),
      batch: of("batch")
    }
  })
}

const heatTable = (heat: Heat) =>
  markdown([
    [
      "candidate",
      `times ${REFERENCE}`,
      "least",
      "most",
      "by processor",
      heat.scenario === "pairs" ? "pairs/s" : "requests/s",
      "server us",
      "PostgreSQL us",
      "p50 ms",
      "p99 ms",
      "WAL bytes",
      "in a batch"
    ],
    ...standings(heat).map(({ candidate, ratio, work, rate, server, database, p50, p99, wal, batch }) => [
      candidate,
      digits(ratio.median, 2),
      digits(ratio.least, 2),
      digits(ratio.most, 2),
      digits(work, 2),
      digits(rate),
      digits(server, 1),
      digits(database, 1),
      digits(p50, 2),
      digits(p99, 2),
      digits(wal),
      Number.isNaN(batch) ? "" : digits(batch, 1)
    ])
  ])

/** Everything that was measured, as Markdown. */
export const report = ({ conditions, heats, memories }: Compared): string =>
  [
    ...heats.map((heat) => `${SCENARIOS[heat.scenario]}; connections: ${heat.connections}\n\n${heatTable(heat)}`),
    markdown([
      ["candidate", "idle MB", "after the load MB"],
      ...memories.map(({ name, idle, loaded }) => [name, megabytes(idle), megabytes(loaded)])
    ]),
    conditions
  ].join("\n\n")
