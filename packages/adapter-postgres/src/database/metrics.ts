import * as Context from "effect/Context"
import * as Metric from "effect/Metric"

const services = Context.empty()

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

// A lane has metrics of its own, as it is told of every batch; under attributes they would look for their series each time.
const sizes = (lane: string) =>
  Metric.histogram("sojourn_store_batch_size", {
    description: "How many operations shared one statement and one commit, by lane",
    attributes: { lane },
    boundaries: [1, 2, 4, 8, 16, 32, 64, 128, 256]
  })
const durations = (lane: string) =>
  Metric.histogram("sojourn_store_batch_duration_seconds", {
    description: "How long a batch was on its way to the database and back, by lane",
    attributes: { lane },
    boundaries: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
  })
const waiting = (lane: string) =>
  Metric.gauge("sojourn_store_waiting", {
    description: "How many operations wait for a batch to leave, by lane",
    attributes: { lane }
  })
const flying = (lane: string) =>
  Metric.gauge("sojourn_store_batches_in_flight", {
    description: "How many batches are on their way, by lane; those that take long do not hold up the next",
    attributes: { lane }
  })
const retries = counter(
  "sojourn_store_retries_total",
  "Operations that ran again, as others overtook them or the database rolled them back"
)
const wanted = Metric.gauge("sojourn_database_connections_wanted", {
  description: "Statements and transactions that have a connection or wait for one"
})
const most = Metric.gauge("sojourn_database_connections_max", {
  description: "How many connections the server may have; what is wanted beyond it waits"
})

/** Says how many connections there may be. */
export const setMostConnections = (count: number): void => most.updateUnsafe(count, services)

/** Counts what ran again. */
export const countRetries = (count: number): void => retries.updateUnsafe(count, services)

let inUse = 0

/** Counts who wants a connection: 1 for one more, -1 for one less. */
export const wantConnection = (change: 1 | -1): void => {
  inUse += change
}

/** A gauge that is asked when somebody reads it, and not told whenever it changes. */
const ask = (gauge: Metric.Gauge<number>, value: () => number): Metric.Registration =>
  Metric.registerUnsafe(gauge, services, { get: () => ({ value: value() }), update: () => {}, modify: () => {} })

/** Shows how many connections are wanted. */
export const showConnections = (): void => void ask(wanted, () => inUse)

/** What a lane tells of itself. */
export interface LaneMetrics {
  readonly left: (size: number) => void
  readonly returned: (seconds: number) => void
  /** It tells no more of how it stands. */
  readonly close: () => void
}

/** The measures of a lane by its name; how it stands is asked of it. */
export const laneMetrics = (
  lane: string,
  standing: { readonly waiting: () => number; readonly inFlight: () => number }
): LaneMetrics => {
  const [size, duration] = [sizes(lane), durations(lane)]
  // What never happened is known to be nothing, and not missing.
  for (const metric of [size, duration, retries]) metric.valueUnsafe(services)
  const gauges = [ask(waiting(lane), standing.waiting), ask(flying(lane), standing.inFlight)]
  return {
    left: (count) => size.updateUnsafe(count, services),
    returned: (seconds) => duration.updateUnsafe(seconds, services),
    close: () => gauges.forEach((gauge) => gauge.remove())
  }
}
