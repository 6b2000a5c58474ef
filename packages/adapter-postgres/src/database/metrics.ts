/** The metrics of the database connections and of the batch queues. */
import { Context, Metric } from "effect"

type Attributes = Context.Service.Shape<typeof Metric.CurrentMetricAttributes>

const services = Context.empty()

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

// Each queue has metrics of its own, as every batch updates them: with attributes an update would look up its series each time.
const sizes = (lane: string) =>
  Metric.histogram("sojourn_store_batch_size", {
    description: "How many operations shared one statement and one commit, by lane",
    attributes: { lane },
    boundaries: [1, 2, 4, 8, 16, 32, 64, 128, 256]
  })
const durations = (lane: string) =>
  Metric.histogram("sojourn_store_batch_duration_seconds", {
    description: "The time from dispatching a batch to its answer, by lane",
    attributes: { lane },
    boundaries: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
  })
const waiting = (lane: string) =>
  Metric.gauge("sojourn_store_waiting", {
    description: "How many operations wait for a batch, by lane",
    attributes: { lane }
  })
const batchesInFlight = (lane: string) =>
  Metric.gauge("sojourn_store_batches_in_flight", {
    description: "How many batches are in flight, by lane; late ones do not keep the next waiting",
    attributes: { lane }
  })
const retries = counter(
  "sojourn_store_retries_total",
  "Operations that ran again after a write conflict or a rollback by the database"
)
const wanted = Metric.gauge("sojourn_database_connections_wanted", {
  description: "Statements and transactions that have a connection or wait for one"
})
const most = Metric.gauge("sojourn_database_connections_max", {
  description: "How many connections the server may have; what is wanted beyond it waits"
})

/** Counts operations that run again. */
export const countRetries = (count: number): void => retries.updateUnsafe(count, services)

/** The sources of each series of gauges, and its registration. */
const sources = new Map<string, { readonly values: Set<() => number>; readonly registration: Metric.Registration }>()

/**
 * Adds a source to a gauge, whose value is computed when it is read: the sum of its sources with the same attributes. The stores of several cells, or of
 * several services, are in one process. Returns what takes the source away.
 */
const ask = (gauge: Metric.Gauge<number>, value: () => number, attributes: Attributes = {}): (() => void) => {
  const key = JSON.stringify([gauge.id, gauge.attributes, attributes])
  const values = sources.get(key)?.values ?? new Set()
  if (!sources.has(key)) {
    const registration = Metric.registerUnsafe(Metric.withAttributes(gauge, attributes), services, {
      get: () => ({ value: [...values].reduce((sum, one) => sum + one(), 0) }),
      update: () => {},
      modify: () => {}
    })
    sources.set(key, { values, registration })
  }
  values.add(value)
  return () => {
    values.delete(value)
    if (values.size > 0) return
    sources.get(key)?.registration.remove()
    sources.delete(key)
  }
}

/** The connections of a client. */
export interface ConnectionUse {
  /** How many statements and transactions have or want one. */
  wanted: number
}

/** The connections of clients that applications made. */
export const foreignUse: ConnectionUse = { wanted: 0 }

/** Has the gauges show the connections of a client, which are those of a cell where there are cells. Returns what ends that. */
export const showConnections = (use: ConnectionUse, connections: number, attributes: Attributes) => {
  const shown = [ask(wanted, () => use.wanted, attributes), ask(most, () => connections, attributes)]
  return () => shown.forEach((end) => end())
}

export interface BatchQueueMetrics {
  /** A batch of this size was dispatched. */
  readonly dispatched: (size: number) => void
  /** A batch was completed after so many seconds. */
  readonly completed: (seconds: number) => void
  readonly close: () => void
}

/** The metrics of a batch queue, with its name as the value of the label `lane`; the gauges ask `sizeOf`. */
export const batchQueueMetrics = (
  lane: string,
  sizeOf: { readonly waiting: () => number; readonly inFlight: () => number },
  attributes: Attributes
): BatchQueueMetrics => {
  const [size, duration] = [sizes(lane), durations(lane)]
  // A metric that was never updated is zero, and not missing.
  for (const metric of [size, duration, retries]) metric.valueUnsafe(services)
  const gauges = [
    ask(waiting(lane), sizeOf.waiting, attributes),
    ask(batchesInFlight(lane), sizeOf.inFlight, attributes)
  ]
  return {
    dispatched: (count) => size.updateUnsafe(count, services),
    completed: (seconds) => duration.updateUnsafe(seconds, services),
    close: () => gauges.forEach((end) => end())
  }
}
