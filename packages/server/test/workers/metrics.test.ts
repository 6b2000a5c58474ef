import { expect, it } from "vitest"
import { counted, mergeMetrics } from "../../src/workers/metrics.ts"

const textOf = (requests: number, busy: number, since: number) =>
  [
    "# HELP requests_total Requests",
    "# TYPE requests_total counter",
    `requests_total{status="200"} ${requests}`,
    "# HELP seconds How long",
    "# TYPE seconds histogram",
    `seconds_bucket{le="0.1"} ${requests}`,
    `seconds_bucket{le="+Inf"} ${requests + 1}`,
    `seconds_sum ${requests / 2}`,
    `seconds_count ${requests + 1}`,
    "# HELP connections Connections",
    "# TYPE connections gauge",
    "connections 2",
    "# HELP nodejs_eventloop_utilization_ratio How busy",
    "# TYPE nodejs_eventloop_utilization_ratio gauge",
    `nodejs_eventloop_utilization_ratio ${busy}`,
    "# HELP process_start_time_seconds Since when",
    "# TYPE process_start_time_seconds gauge",
    `process_start_time_seconds ${since}`,
    ""
  ].join("\n")

it("counters, histograms and gauges of processes are added, of some gauges the largest or the smallest is taken", () => {
  const merged = mergeMetrics([
    textOf(3, 0.5, 20),
    textOf(4, 0.25, 10),
    "",
    '# HELP only_here Infinity\n# TYPE only_here counter\nonly_here{a="b c"} 1\n'
  ])
  expect(merged.split("\n")).toEqual([
    "# HELP requests_total Requests",
    "# TYPE requests_total counter",
    'requests_total{status="200"} 7',
    "# HELP seconds How long",
    "# TYPE seconds histogram",
    'seconds_bucket{le="0.1"} 7',
    'seconds_bucket{le="+Inf"} 9',
    "seconds_sum 3.5",
    "seconds_count 9",
    "# HELP connections Connections",
    "# TYPE connections gauge",
    "connections 4",
    "# HELP nodejs_eventloop_utilization_ratio How busy",
    "# TYPE nodejs_eventloop_utilization_ratio gauge",
    "nodejs_eventloop_utilization_ratio 0.5",
    "# HELP process_start_time_seconds Since when",
    "# TYPE process_start_time_seconds gauge",
    "process_start_time_seconds 10",
    "# HELP only_here Infinity",
    "# TYPE only_here counter",
    'only_here{a="b c"} 1',
    ""
  ])
})

it("what processes counted remains when they end, and their gauges do not", () => {
  const text = mergeMetrics([counted(textOf(3, 0.5, 20)), counted(textOf(4, 0.5, 20))])
  expect(text).toContain('requests_total{status="200"} 7\n')
  expect(text).toContain("seconds_count 9\n")
  expect(text).not.toContain("connections")
  expect(mergeMetrics([text, textOf(1, 0, 0)])).toContain('requests_total{status="200"} 8\n')
})
