import * as Context from "effect/Context"
import * as Metric from "effect/Metric"

/** Makes a gauge that shows 0 at first. */
const gauge = (name: string, description: string): ((value: number) => void) => {
  const metric = Metric.gauge(name, { description })
  const set = (value: number) => metric.updateUnsafe(value, Context.empty())
  set(0)
  return set
}

/** Makes the metrics of presence streams. */
export const makeStreamMetrics = () => ({
  streams: gauge("sojourn_presence_streams", "Presence streams that are open"),
  behind: gauge(
    "sojourn_presence_streams_behind",
    "Presence streams whose clients are behind: a snapshot makes up for what was left out"
  ),
  lag: gauge(
    "sojourn_presence_lag_seconds",
    "Time from the record of the last presence event to its being read for the streams"
  )
})
