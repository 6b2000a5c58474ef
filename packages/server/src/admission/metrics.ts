import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const services = Context.empty()

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const MEASURES = {
  connections: gauge("sojourn_connections", "Connections that are open"),
  waiting: gauge(
    "sojourn_connections_waiting",
    "Connections that are not read from until it is their turn, as there is enough to do"
  ),
  working: gauge("sojourn_http_requests_in_flight", "Requests that are worked on: wholly there, and not answered yet"),
  elsewhere: gauge(
    "sojourn_http_requests_at_directories",
    "Requests that wait for an organization's authentication server; they are not in sojourn_http_requests_in_flight"
  )
}

/** How much a server has let in. */
export type Standing = { readonly [Measure in keyof typeof MEASURES]: number }

/** Shows how much a server has let in, for the time of the scope: it is asked when somebody reads it. */
export const showStanding = (standing: () => Standing) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      Object.entries(MEASURES).map(([measure, metric]) =>
        Metric.registerUnsafe(metric, services, {
          get: () => ({ value: standing()[measure as keyof Standing] }),
          update: () => {},
          modify: () => {}
        })
      )
    ),
    (registered) => Effect.sync(() => registered.forEach((metric) => metric.remove()))
  )
