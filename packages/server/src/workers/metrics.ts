/** Adds the metrics of processes, as Prometheus text. */

/** Gauges of which the largest value is the server's, and those of which the smallest; others are sums. */
const LARGEST = /^(nodejs_eventloop_|sojourn_build_info|sojourn_presence_lag_)/
const SMALLEST = /^(process_start_time_|sojourn_key_set_last_success_|sojourn_cell_ready)/

/** Each metric, from its lines of help and type on. */
const families = (text: string) => text.split(/^(?=# HELP )/m)

/** What remains of the metrics of a process that has ended: counters and histograms never go down. */
export const counted = (text: string): string =>
  families(text)
    .filter((family) => !/^# TYPE \S+ gauge$/m.test(family))
    .join("")

/** The metrics of a server from those of its processes. */
export const mergeMetrics = (texts: ReadonlyArray<string>): string => {
  const merged = new Map<string, Map<string, number>>()
  for (const family of texts.flatMap(families)) {
    const [, head = "", lines = ""] = /^((?:#.*\n)*)([^]*)$/.exec(family) ?? []
    const values = merged.get(head) ?? new Map<string, number>()
    merged.set(head, values)
    for (const [, series = "", text = ""] of lines.matchAll(/^(.+) (\S+)$/gm)) {
      const value = Number(text.replace("Inf", "Infinity"))
      const merge = LARGEST.test(series) ? Math.max : SMALLEST.test(series) ? Math.min : (a: number, b: number) => a + b
      values.set(series, values.has(series) ? merge(values.get(series)!, value) : value)
    }
  }
  const line = ([series, value]: [string, number]) => `${series} ${String(value).replace("Infinity", "Inf")}\n`
  return [...merged].map(([head, values]) => head + [...values].map(line).join("")).join("")
}
