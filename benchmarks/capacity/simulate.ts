/**
 * Simulates servers that write the movements of busy connections in batches to PostgreSQL. When a batch is dispatched is decided by the
 * code of the server itself. A simulation is deterministic. Times are in microseconds.
 */
import { CONCURRENCY_WHEN_SLOW } from "../../packages/adapter-postgres/src/batching/batchLists.ts"
import { mayDispatch } from "../../packages/adapter-postgres/src/batching/concurrency.ts"
import type { InFlightBatch } from "../../packages/adapter-postgres/src/batching/InFlightBatch.ts"
import { LatencyWindow } from "../../packages/adapter-postgres/src/batching/LatencyWindow.ts"
import type { Costs } from "./costs.ts"
import { Clock, Machine, Process, type Work } from "./Machine.ts"

export interface Scenario {
  readonly processors: number
  /** How many processes have a lane, the queue whose movements share batches. */
  readonly lanes: number
  /** How many processes for each lane serve the connections and hand movements to it; 0: the lane's process serves them. */
  readonly workers: number
  /** Connections that send the next movement as soon as one is answered. */
  readonly connections: number
  /** Whether the load generator and a balancer run on the same machine, or on others that are never busy. */
  readonly clients: "beside" | "elsewhere"
  readonly costs: Costs
  /** The largest batch; as the server has it when left out. */
  readonly largestBatch?: number
  /** How long it lasts after {@link WARM_UP}, which is not counted. */
  readonly seconds: number
}

export interface Simulated {
  /** Movements a second. */
  readonly rate: number
  /** Processor time of the server's processes and of PostgreSQL for a movement. */
  readonly server: number
  readonly postgres: number
  /** Movements in a batch, on average. */
  readonly batch: number
  /** From a request to its answer, on average, in milliseconds. */
  readonly latency: number
  /** How much of a processor a lane's process uses, a worker, and PostgreSQL for one lane. */
  readonly lane: number
  readonly worker: number
  readonly database: number
}

/** How long a simulation runs before it is measured. */
const WARM_UP = 200_000

/** How large a batch that collects becomes, as a part of the one before. With all of it, every caller would come to share one batch, and wait for it. */
const COLLECTED_PART = 0.8

/** How long a batch collects at most, in milliseconds. */
const MAX_COLLECTING_MS = 10

/**
 * In a shared lane: how many items the next batch collects after one of `completed` items that took `age` milliseconds, and for how long at most,
 * also in milliseconds; undefined where it is dispatched at once. Those whom a batch answers mostly come again, but not at the same moment, as each
 * process hands its items over by itself: batches would be as small as what one of them hands over.
 */
const collectingAfter = (
  completed: number,
  pending: number,
  age: number
): { readonly size: number; readonly within: number } | undefined => {
  const size = COLLECTED_PART * completed
  return completed === 1 || pending >= size ? undefined : { size, within: Math.min(age, MAX_COLLECTING_MS) }
}

/** The limits of the batch queue for movements, as `batchStays.ts` and `BatchQueue.ts` have them. */
const LARGEST_BATCH = 256
const CONCURRENCY = 1
const WORK_MS = 0.03

/** Numbers from 0.5 to 1.5, the same for each simulation: Mulberry32. */
const makeVariation = () => {
  let seed = 1
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return 0.5 + ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A disk: commits that wait while one flush runs share the next one. */
const makeDisk = (clock: Clock, duration: () => number) => {
  let waiting: Array<() => void> = []
  let isBusy = false
  const start = () => {
    const covered = waiting
    waiting = []
    isBusy = covered.length > 0
    if (!isBusy) return
    clock.after(duration(), () => {
      start()
      for (const done of covered) done()
    })
  }
  return (done: () => void) => {
    waiting.push(done)
    if (!isBusy) start()
  }
}

/** A movement that waits for its batch. `answer` is the work that follows its commit. */
interface Item {
  readonly answer: () => void
}

/** Runs a scenario. */
export const simulate = (scenario: Scenario): Simulated => {
  const { processors, lanes, workers, connections, clients, costs, seconds } = scenario
  const { largestBatch = LARGEST_BATCH } = scenario
  const limits = { concurrency: CONCURRENCY, concurrencyWhenSlow: CONCURRENCY_WHEN_SLOW, largestBatch }
  const clock = new Clock()
  const machine = new Machine(clock, processors, costs)
  const vary = makeVariation()
  const flush = makeDisk(clock, () => costs.flush * vary())
  const backends: Array<Process> = []
  const laneProcesses: Array<Process> = []
  const workerProcesses: Array<Process> = []
  const counts = { movements: 0, batches: 0, batched: 0 }

  /** Starts the process of a lane. `perMovement` is its work for each movement of a batch, half before and half after it. */
  const startLane = (perMovement: number, answerCost: () => number) => {
    let pending: Array<Item> = []
    const free: Array<Process> = []
    const inFlight = new Set<InFlightBatch>()
    const latency = new LatencyWindow()
    /** Set while the next batch collects in the lane of workers. */
    let collecting: { readonly size: number } | undefined

    const startBackend = () => {
      const backend = new Process(machine)
      backends.push(backend)
      return backend
    }

    const dispatchReady = (): ReadonlyArray<Work> => {
      const work: Array<Work> = []
      if (collecting !== undefined && pending.length < collecting.size) return work
      collecting = undefined
      while (pending.length > 0 && mayDispatch(limits, inFlight, latency.isSlow, pending.length)) {
        const items = pending.slice(0, largestBatch)
        pending = pending.slice(largestBatch)
        // The rule reads how many members it has, and its state.
        const batch = { members: items, state: "on time" } as unknown as InFlightBatch
        inFlight.add(batch)
        counts.batches++
        counts.batched += items.length
        const dispatchedAt = clock.now
        const half = (costs.batch + perMovement * items.length) / 2
        const complete = () => {
          inFlight.delete(batch)
          if (workers > 0) collectAfter(items.length, (clock.now - dispatchedAt) / 1_000)
          const answers = items.map(({ answer }) => ({ cost: answerCost(), run: answer }))
          lane.next([...dispatchReady(), ...answers])
          latency.record((clock.now - dispatchedAt) / 1_000, items.length * WORK_MS)
        }
        const run = () => {
          const backend = free.pop() ?? startBackend()
          const commit = () => backend.post(0, () => (free.push(backend), lane.post(half, complete)))
          backend.post(costs.postgresBatch * vary() + costs.postgresMovement * items.length, () => flush(commit))
        }
        work.push({ cost: half, run })
      }
      return work
    }

    const collectAfter = (completed: number, age: number) => {
      const own = collecting === undefined ? collectingAfter(completed, pending.length, age) : undefined
      if (own === undefined) return
      collecting = own
      // Node's timers have milliseconds.
      clock.after(Math.max(1, Math.floor(own.within)) * 1_000, () => {
        if (collecting !== own) return
        collecting = undefined
        lane.post(0, () => {})
      })
    }

    const lane = new Process(machine, dispatchReady)
    laneProcesses.push(lane)
    return { lane, add: (...items: ReadonlyArray<Item>) => void pending.push(...items) }
  }

  /** How movements reach their lane: each function takes one from a connection, and calls back when it is answered. */
  const entries: Array<(answered: () => void) => void> = []
  for (let nth = 0; nth < lanes; nth++) {
    if (workers === 0) {
      const half = () => (costs.request * vary()) / 2
      const { lane, add } = startLane(0, half)
      entries.push((answered) => lane.post(half(), () => add({ answer: answered })))
      continue
    }
    const quarter = costs.handOver / 4
    const { lane, add } = startLane(costs.row, () => quarter)
    for (let other = 0; other < workers; other++) {
      const half = () => ((costs.request - costs.row) * vary()) / 2 + quarter
      let collected: Array<Item> = []
      // One message for the movements of a turn.
      const handOver = (): ReadonlyArray<Work> => {
        const items = collected
        collected = []
        if (items.length > 0) lane.post(quarter * items.length, () => add(...items))
        return []
      }
      const worker = new Process(machine, handOver)
      workerProcesses.push(worker)
      entries.push((answered) =>
        worker.post(half(), () => collected.push({ answer: () => worker.post(half(), answered) }))
      )
    }
  }

  const client = new Process(machine)
  const balancer = new Process(machine)
  for (let nth = 0; nth < connections; nth++) {
    const enter = entries[nth % entries.length]!
    const forward = (to: () => void) => (clients === "beside" ? balancer.post(costs.balancer / 2, to) : to())
    const answered = () => {
      counts.movements++
      if (clients === "beside") client.post(costs.client * vary(), send)
      else clock.after(costs.wire * vary(), send)
    }
    const send = () => forward(() => enter(() => forward(answered)))
    clock.after(costs.wire * vary(), send)
  }

  const sum = (processes: ReadonlyArray<Process>) => processes.reduce((all, { used }) => all + used, 0)
  const read = () => ({ ...counts, lane: sum(laneProcesses), worker: sum(workerProcesses), postgres: sum(backends) })
  clock.runUntil(WARM_UP)
  const before = read()
  clock.runUntil(WARM_UP + seconds * 1e6)
  const after = read()
  const grown = (what: keyof typeof after) => after[what] - before[what]
  const movements = grown("movements")
  const share = (what: "lane" | "worker" | "postgres", processes: number) =>
    processes === 0 ? 0 : grown(what) / processes / seconds / 1e6
  return {
    rate: movements / seconds,
    server: (grown("lane") + grown("worker")) / movements,
    postgres: grown("postgres") / movements,
    batch: grown("batched") / grown("batches"),
    latency: (connections * seconds * 1_000) / movements,
    lane: share("lane", lanes),
    worker: share("worker", workerProcesses.length),
    database: share("postgres", lanes)
  }
}
