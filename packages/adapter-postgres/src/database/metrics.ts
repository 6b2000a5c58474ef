/** The metrics of the database connections and of the batch queues. */
import * as Context from "effect/Context"
import * as Metric from "effect/Metric"

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

/** Sets the gauge of the largest number of connections. */
export const setMostConnections = (count: number): void => most.updateUnsafe(count, services)

/** Counts operations that run again. */
export const countRetries = (count: number): void => retries.updateUnsafe(count, services)

let inUse = 0

/** Changes the number of statements and transactions that have or want a connection, by 1 or -1. */
export const wantConnection = (change: 1 | -1): void => {
  inUse += change
}

/** A gauge whose value is computed when it is read. */
const ask = (gauge: Metric.Gauge<number>, value: () => number): Metric.Registration =>
  Metric.registerUnsafe(gauge, services, { get: () => ({ value: value() }), update: () => {}, modify: () => {} })

/** Registers the gauge of the connections that are wanted. */
export const showConnections = (): void => void ask(wanted, () => inUse)

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
  sizeOf: { readonly waiting: () => number; readonly inFlight: () => number }
): BatchQueueMetrics => {
  const [size, duration] = [sizes(lane), durations(lane)]
  // A metric that was never updated is zero, and not missing.
  for (const metric of [size, duration, retries]) metric.valueUnsafe(services)
  const gauges = [ask(waiting(lane), sizeOf.waiting), ask(batchesInFlight(lane), sizeOf.inFlight)]
  return {
    dispatched: (count) => size.updateUnsafe(count, services),
    completed: (seconds) => duration.updateUnsafe(seconds, services),
    close: () => gauges.forEach((gauge) => gauge.remove())
  }
}
