import { OpenStayStatistics } from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"

/** How often the state is looked at, in milliseconds, unless looking takes long. */
const EVERY = 5_000

/** Looking takes a hundredth of the time at most. */
const SHARE = 100

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const ready = gauge("sojourn_ready", "1 while the server takes requests and its storage answers, else 0")
const open = gauge("sojourn_open_stays", "Open stays of all organizations, as of some seconds ago")
const crowded = gauge("sojourn_organizations_with_open_stays", "Organizations in which somebody is inside")
const byOrganization = gauge(
  "sojourn_organization_open_stays",
  "Open stays of the organizations with most of them, by the id of the organization"
)

export interface StateMetricsOptions {
  readonly isReady: Effect.Effect<boolean>
  /** Of how many organizations the open stays are told by their ids: of those with most. */
  readonly organizations: number
}

/**
 * What takes a question to know: readiness, and who is inside. It is asked on the server's own account, however often somebody
 * asks for the metrics.
 */
export const layerStateMetrics = ({
  isReady,
  organizations
}: StateMetricsOptions): Layer.Layer<never, never, OpenStayStatistics> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const statistics = yield* OpenStayStatistics
      const services = Context.empty()
      const told = new Map<bigint, Metric.Registration>()

      /** An organization that is no longer among the largest is told no longer. */
      const tell = (largest: ReadonlyArray<{ readonly organizationId: bigint; readonly open: number }>) => {
        for (const registration of told.values()) registration.remove()
        told.clear()
        for (const { organizationId, open: value } of largest) {
          const metric = Metric.withAttributes(byOrganization, { organization: String(organizationId) })
          const hooks = { get: () => ({ value }), update: () => {}, modify: () => {} }
          told.set(organizationId, Metric.registerUnsafe(metric, services, hooks))
        }
      }
      const look = Effect.gen(function* () {
        ready.updateUnsafe((yield* isReady) ? 1 : 0, services)
        const counts = yield* statistics.read(organizations)
        open.updateUnsafe(counts.open, services)
        crowded.updateUnsafe(counts.organizations, services)
        tell(counts.largest)
      })
      yield* Effect.suspend(() => {
        const begun = performance.now()
        // While the storage is away the numbers stay as they were, and readiness says so.
        return Effect.andThen(
          Effect.ignore(look),
          Effect.suspend(() => Effect.sleep(Math.max(EVERY, (performance.now() - begun) * SHARE)))
        )
      }).pipe(Effect.forever, Effect.forkScoped)
    })
  )
