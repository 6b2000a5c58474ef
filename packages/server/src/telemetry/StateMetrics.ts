/** Metrics of what is stored, sampled so that no scrape causes a query. */
import { onEachCell, OpenStayStatistics } from "@sojourn/core"
import { Clock, Effect, Layer, Metric } from "effect"

/** The pause between two samples in milliseconds, unless sampling takes long. */
const PAUSE = 5_000

/** Counting open stays takes 1 % of the time, or more where one count takes longer than a hundredth of {@link LONGEST_PAUSE_MS}. */
const SHARE = 100

/**
 * The longest pause between two counts of open stays in milliseconds, whatever the last one took: a database that was away or
 * busy for a moment must not make the numbers old for long.
 */
const LONGEST_PAUSE_MS = 30_000

/** Samples again and again. A sample that fails leaves the numbers as they are. */
const repeatedly = (sample: Effect.Effect<void, unknown>, pauseAfter: (tookMillis: number) => number) =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    yield* Effect.ignore(sample)
    yield* Effect.sleep(pauseAfter((yield* Clock.currentTimeMillis) - begun))
  }).pipe(Effect.forever, Effect.forkScoped)

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const ready = gauge("sojourn_ready", "1 while the server takes requests and its storage answers, else 0")
const open = gauge("sojourn_open_stays", "Open stays of all organizations, as of some seconds ago")
const crowded = gauge("sojourn_organizations_with_open_stays", "Organizations with open stays")
const byOrganization = gauge(
  "sojourn_organization_open_stays",
  "Open stays of the organizations with most of them, by the id of the organization"
)

const counted = gauge(
  "sojourn_counted_people",
  "People whom devices count inside, of all organizations and their places"
)
const devices = gauge("sojourn_devices", "Devices of all organizations, by state: new, ok, silent or behind")

export interface StateMetricsOptions {
  readonly isReady: Effect.Effect<boolean>
  /** How many organizations get a metric of their own: those with most open stays. */
  readonly organizations: number
}

/** Samples open stays and devices. */
const layerStatistics = (most: number) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const statistics = yield* OpenStayStatistics
      const services = yield* Effect.context<never>()
      const registered = new Map<bigint, Metric.Registration>()

      /** Registers the metrics of the largest organizations, and removes those of all others. */
      const showLargest = (largest: ReadonlyArray<{ readonly organizationId: bigint; readonly open: number }>) => {
        for (const registration of registered.values()) registration.remove()
        registered.clear()
        for (const { organizationId, open: value } of largest) {
          const metric = Metric.withAttributes(byOrganization, { organization: String(organizationId) })
          const hooks = { get: () => ({ value }), update: () => {}, modify: () => {} }
          registered.set(organizationId, Metric.registerUnsafe(metric, services, hooks))
        }
      }
      const sample = Effect.map(statistics.read(most), (counts) => {
        open.updateUnsafe(counts.open, services)
        crowded.updateUnsafe(counts.organizations, services)
        counted.updateUnsafe(counts.counted, services)
        for (const [state, number] of Object.entries(counts.devices)) {
          Metric.withAttributes(devices, { state }).updateUnsafe(number, services)
        }
        showLargest(counts.largest)
      })
      yield* repeatedly(sample, (took) => Math.min(Math.max(PAUSE, took * SHARE), LONGEST_PAUSE_MS))
    })
  )

/**
 * Metrics that need a query: readiness, and open stays of each cell. They are sampled at intervals of their own, independent of how often
 * the metrics are scraped.
 */
export const layerStateMetrics = ({
  isReady,
  organizations
}: StateMetricsOptions): Layer.Layer<never, never, OpenStayStatistics> =>
  Layer.merge(
    Layer.effectDiscard(
      repeatedly(
        Effect.flatMap(isReady, (is) => Metric.update(ready, is ? 1 : 0)),
        () => PAUSE
      )
    ),
    onEachCell(layerStatistics(organizations))
  )
