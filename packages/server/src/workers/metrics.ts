/** Merges the metrics of processes, as Prometheus text, into those of one server. */

/** Gauges of which the largest value is the server's; others are sums. */
const LARGEST = new Set(["nodejs_eventloop_utilization_ratio", "nodejs_eventloop_delay_seconds", "sojourn_build_info"])

/** Gauges of which the smallest value is the server's. */
const SMALLEST = new Set([
  "process_start_time_seconds",
  "sojourn_key_set_last_success_timestamp_seconds",
  "sojourn_cell_ready"
])

/** A metric: its lines of help and type, and its values by name and labels. */
interface Family {
  readonly head: Array<string>
  type: string
  readonly values: Map<string, number>
}

const mergeOf = (name: string, { type }: Family): ((one: number, other: number) => number) => {
  if (type === "gauge" && LARGEST.has(name)) return Math.max
  if (type === "gauge" && SMALLEST.has(name)) return Math.min
  return (one, other) => one + other
}

/** Adds the metrics of a text to those that were read before. */
const read = (families: Map<string, Family>, text: string): void => {
  let name = ""
  const ofText = new Map<string, Family>()
  for (const line of text.split("\n")) {
    const [, kind, named, rest] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (named !== undefined) {
      name = named
      const family: Family = ofText.get(name) ?? { head: [], type: "", values: new Map() }
      ofText.set(name, family)
      if (!family.head.includes(line)) family.head.push(line)
      if (kind === "TYPE") family.type = rest ?? ""
    } else {
      const end = line.lastIndexOf(" ")
      if (end > 0)
        ofText.get(name)?.values.set(line.slice(0, end), Number(line.slice(end + 1).replace("Inf", "Infinity")))
    }
  }
  for (const [name, family] of ofText) {
    const known = families.get(name)
    if (known === undefined) families.set(name, family)
    else {
      const merge = mergeOf(name, family)
      for (const [series, value] of family.values) {
        const before = known.values.get(series)
        known.values.set(series, before === undefined ? value : merge(before, value))
      }
    }
  }
}

const write = (families: ReadonlyMap<string, Family>): string =>
  [...families.values()]
    .flatMap(({ head, values }) => [
      ...head,
      ...[...values].map(([series, value]) => `${series} ${String(value).replace("Infinity", "Inf")}`)
    ])
    .map((line) => `${line}\n`)
    .join("")

/** The metrics of a server from those of its processes. */
export const mergeMetrics = (texts: ReadonlyArray<string>): string => {
  const families = new Map<string, Family>()
  for (const text of texts) read(families, text)
  return write(families)
}

/** Keeps what processes counted that have ended: counters and histograms never go down. */
export const makeCountsOfEnded = () => {
  const families = new Map<string, Family>()
  return {
    /** Adds the last metrics of a process. */
    add: (text: string): void => {
      read(families, text)
      for (const [name, { type }] of families) if (type === "gauge") families.delete(name)
    },
    text: (): string => write(families)
  }
}
