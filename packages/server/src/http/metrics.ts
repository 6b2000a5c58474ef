/** The gauges of admission control: connections and requests in flight. */
import { Context, Effect, Metric } from "effect"

const services = Context.empty()

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const GAUGES = {
  connections: gauge("sojourn_connections", "Connections that are open"),
  inFlight: gauge(
    "sojourn_http_requests_in_flight",
    "Requests that were received completely, and are not answered yet"
  ),
  externalWaits: gauge(
    "sojourn_http_requests_at_directories",
    "Requests that wait for an organization's authentication server; they are not in sojourn_http_requests_in_flight"
  )
}

/** The readings of admission control's gauges. */
export type AdmissionGauges = { readonly [Gauge in keyof typeof GAUGES]: number }

/** Registers the gauges of admission control while the scope is open. They are read on each scrape. */
export const registerGauges = (read: () => AdmissionGauges) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      Object.entries(GAUGES).map(([name, metric]) =>
        Metric.registerUnsafe(metric, services, {
          get: () => ({ value: read()[name as keyof AdmissionGauges] }),
          update: () => {},
          modify: () => {}
        })
      )
    ),
    (registered) => Effect.sync(() => registered.forEach((metric) => metric.remove()))
  )
