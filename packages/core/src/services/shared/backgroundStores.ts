/** On which stores background work runs, and how work on several organizations is divided. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import { CellNumber } from "../../domain/shared/CellIds.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import type { Stores } from "../../ports/Stores.ts"

/**
 * The stores of each cell, for background work and presence streams: they run on each cell by itself, so that a cell that does not answer
 * holds up its own alone. None by default: the work runs on the stores that it is provided with.
 */
export const BackgroundStores = Context.Reference<ReadonlyMap<CellNumber, Context.Context<Stores>>>(
  "@sojourn/core/BackgroundStores",
  { defaultValue: () => new Map() }
)

/**
 * The cell that holds an organization; by default cell 0 holds all. Work on several organizations at once is divided by it, so that a cell
 * that does not answer holds up its own organizations alone.
 */
export const CellOf = Context.Reference<(organizationId: OrganizationId) => CellNumber>("@sojourn/core/CellOf", {
  defaultValue: () => () => CellNumber.make(0)
})

/**
 * Runs background work on the stores of each cell of {@link BackgroundStores}. Its metrics have the attribute `cell` then, and its log the
 * annotation.
 */
export const onEachCell = <E, R>(work: Layer.Layer<never, E, R>): Layer.Layer<never, E, R> =>
  Layer.unwrap(
    Effect.map(BackgroundStores, (cells) => {
      if (cells.size === 0) return work
      const all = Array.from(cells, ([number, stores]) => {
        const cell = { cell: String(number) }
        return Layer.fresh(work).pipe(
          Layer.provide([
            Layer.succeedContext(stores),
            Layer.succeed(Metric.CurrentMetricAttributes, cell),
            Layer.succeed(References.CurrentLogAnnotations, cell)
          ])
        ) as Layer.Layer<never, E, R>
      })
      const [first = Layer.empty, ...others] = all
      return Layer.mergeAll(first, ...others)
    })
  )
