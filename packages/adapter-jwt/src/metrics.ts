import { Context, Metric } from "effect"

const loads = Metric.counter("sojourn_key_set_loads_total", {
  description: "Attempts to load the keys of an issuer, by issuer and outcome",
  incremental: true
})
const loadedAt = Metric.gauge("sojourn_key_set_last_success_timestamp_seconds", {
  description: "When the keys of an issuer were last loaded, in seconds since 1970; 0 before the first time"
})
const services = Context.empty()

/** The measures of an issuer's key set. Issuers are the operator's to configure. */
export const keySetMetrics = (issuer: string) => {
  const outcomes = {
    loaded: Metric.withAttributes(loads, { issuer, outcome: "loaded" }),
    failed: Metric.withAttributes(loads, { issuer, outcome: "failed" })
  }
  const last = Metric.withAttributes(loadedAt, { issuer })
  for (const metric of [...Object.values(outcomes), last]) metric.valueUnsafe(services)
  return {
    loaded: (now: number): void => {
      outcomes.loaded.updateUnsafe(1, services)
      last.updateUnsafe(now / 1000, services)
    },
    failed: (): void => outcomes.failed.updateUnsafe(1, services)
  }
}
