/** Counts the requests that are refused because of overload, and logs them together. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"

/** How often the log says that requests are refused, at most. */
const PAUSE = "5 seconds"

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
 * Counts a request that is refused because there is too much to do. Nothing is logged for it alone, as that would be more to
 * do: {@link layerOverloadLog} tells of all of them, once in a while. `what` names what there is too much of, in words that
 * this code knows and no client chooses: each is a series of its own.
 */
export const countOverload = (what: string): void => {
  const known = of(what)
  known.count++
  known.metric.updateUnsafe(1, Context.empty())
}

/** Says in the log how many requests were refused because there was too much to do, in one line for some seconds. */
export const layerOverloadLog: Layer.Layer<never> = Layer.effectDiscard(
  Effect.gen(function* () {
    // What never happened is known to be nothing, and not missing.
    of("requests")
    const told = new Map([...counts].map(([what, { count }]) => [what, count]))
    yield* Effect.sleep(PAUSE).pipe(
      Effect.andThen(
        Effect.suspend(() => {
          const risen: Record<string, number> = {}
          for (const [what, { count }] of counts) {
            const refused = count - (told.get(what) ?? 0)
            if (refused > 0) risen[what] = refused
            told.set(what, count)
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
