import * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import type { Subscriber } from "./Subscriber.ts"

const nowhere = Context.empty()

/** Makes the metrics of presence streams: a server without any shows 0. */
export const makeStreamMetrics = () => {
  const streams = Metric.gauge("sojourn_presence_streams", { description: "Presence streams that are open" })
  const behind = Metric.gauge("sojourn_presence_streams_behind", {
    description: "Presence streams whose readers are behind: a snapshot makes up for what was left out"
  })
  const lag = Metric.gauge("sojourn_presence_lag_seconds", {
    description: "Time from the record of the last presence event to its being read for the streams"
  })
  const made = {
    streams: (count: number) => streams.updateUnsafe(count, nowhere),
    behind: (subscribers: Iterable<Subscriber>) => {
      let count = 0
      for (const { isBehind } of subscribers) if (isBehind) count++
      behind.updateUnsafe(count, nowhere)
    },
    lag: (milliseconds: number) => lag.updateUnsafe(Math.max(0, milliseconds) / 1000, nowhere)
  }
  made.streams(0)
  made.behind([])
  made.lag(0)
  return made
}
