/** Counts the requests that are refused because of overload, and logs them together. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"

/** The interval of the log lines about refused requests. */
const LOG_INTERVAL = "5 seconds"

const refusals = (what: string) =>
  Metric.counter("sojourn_overload_refusals_total", {
    description: "Requests that were refused because there was too much to do, by what there was too much of",
    attributes: { what },
    incremental: true
  })

const counts = new Map<string, { readonly metric: Metric.Counter<number>; count: number }>()

const of = (what: string) => {
  let known = counts.get(what)
  if (known === undefined) {
    known = { metric: refusals(what), count: 0 }
    known.metric.valueUnsafe(Context.empty())
    counts.set(what, known)
  }
  return known
}

/**
 * Counts a request that is refused because of overload. It is not logged by itself, which would add to the load:
 * {@link layerOverloadLog} logs the counts at an interval. `what` names the resource that is exhausted. It is a fixed text and never
 * a client's, as each value is a series of its own.
 */
export const countOverload = (what: string): void => {
  const known = of(what)
  known.count++
  known.metric.updateUnsafe(1, Context.empty())
}

/** Logs how many requests were refused because of overload, in one line for each interval. */
export const layerOverloadLog: Layer.Layer<never> = Layer.effectDiscard(
  Effect.gen(function* () {
    // A server that refused none shows 0.
    of("requests")
    const logged = new Map([...counts].map(([what, { count }]) => [what, count]))
    yield* Effect.sleep(LOG_INTERVAL).pipe(
      Effect.andThen(
        Effect.suspend(() => {
          const risen: Record<string, number> = {}
          for (const [what, { count }] of counts) {
            const refused = count - (logged.get(what) ?? 0)
            if (refused > 0) risen[what] = refused
            logged.set(what, count)
          }
          return Object.keys(risen).length === 0
            ? Effect.void
            : Effect.logWarning("too much to do: requests were refused").pipe(Effect.annotateLogs(risen))
        })
      ),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
