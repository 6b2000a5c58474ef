/** The constants of the simulation and of the plan, each with its source. Times are in microseconds of one processor. */

/** What the processes of a simulation cost. */
export interface Costs {
  /** PostgreSQL: a batch, and a movement in it. */
  readonly postgresBatch: number
  readonly postgresMovement: number
  /** How long a commit waits for the disk, without a processor. Commits that wait at the same moment share one flush. */
  readonly flush: number
  /** A movement in the process that serves its connection, from its head to its answer. */
  readonly request: number
  /** Of that, what a lane does for it: its row in the arrays of a statement, and its answer out of the result. */
  readonly row: number
  /** A batch in the process of its lane: making the statement, sending it, receiving the result. */
  readonly batch: number
  /** What a movement costs more where one process serves its connection and another one has the lane, in both together. */
  readonly handOver: number
  /** A request in the load generator and in the balancer, where they run on the same machine. */
  readonly client: number
  readonly balancer: number
  /** A process on a processor that ran another one before: the switch, and its cold caches. */
  readonly switching: number
  /** How long a process keeps its processor while others wait for one. */
  readonly slice: number
  /** From the last byte of an answer to the next request, where clients are on other machines. */
  readonly wire: number
}

export const COSTS: Costs = {
  // Fitted on the cells of `MEASURED` that say so.
  request: 39,
  batch: 540,
  client: 35,
  switching: 125,
  // Measured with one organization, a backend by itself, on the commit of `MEASURED`.
  postgresBatch: 115,
  postgresMovement: 7.3,
  // A commit took 300 to 600 us (benchmarks/results/compare.md). The simulation has the faster half.
  flush: 350,
  // 7 of the server's 35 us (docs/performance.md, "Where the time of a movement goes").
  row: 8,
  // Measured (benchmarks/results/scale.md). Whether the measured table had a balancer is not recorded; it fits better with one.
  balancer: 23,
  // Linux gives 0.7 to 1.4 ms on two processors.
  slice: 1_000,
  // Assumed.
  handOver: 10,
  wire: 200
}

/**
 * `postgresMovement` as it was measured four days later beside other work: anonymous movements in batches of 256 took 10 to 17 us with
 * one organization, and 14 to 23 with 200 (benchmarks/results/capacity.md).
 */
export const BUSY_MOVEMENT = 20

/** What was measured beside movements; sources: benchmarks/results/capacity.md and live.md, docs/operations.md. Bytes, and us. */
export const FACTS = {
  walOfMovement: 436,
  openStay: 205,
  closedStay: 154,
  event: 162,
  publishing: { postgres: 180, node: 45, wal: 549 },
  delivery: 14,
  /** Not measured: the widths of the columns of a row of history and of its key. */
  minuteOfHistory: 177,
  /** An entrance and its answer, without TLS and TCP. */
  request: 553,
  answer: 419,
  /** Not measured: an event and its id as a message of a stream, and what HTTP, TLS and TCP add. */
  message: 320
}
