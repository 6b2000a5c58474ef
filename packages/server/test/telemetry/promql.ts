/** Parses PromQL with Prometheus' grammar, and lists the metrics and labels of an expression. */
import { parser } from "@prometheus-io/lezer-promql"

/** A queried metric with its queried labels: a selector of PromQL. */
export interface Selector {
  readonly metric: string
  readonly labels: ReadonlySet<string>
}

type Node = ReturnType<typeof parser.parse>["topNode"]

const descendants = (node: Node, name: string): ReadonlyArray<Node> => {
  const found: Array<Node> = []
  node.cursor().iterate((at) => {
    if (at.name === name) found.push(at.node)
  })
  return found
}

/**
 * The metrics and labels of an expression. Labels of a grouping count for every metric in the grouped expression. Grafana's
 * variables are replaced first. Throws when the expression cannot be parsed.
 */
export const selectorsOf = (expression: string): ReadonlyArray<Selector> => {
  const text = expression.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*")
  const { topNode } = parser.parse(text)
  const textOf = ({ from, to }: Node) => text.slice(from, to)
  if (text === "" || descendants(topNode, "⚠").length > 0) throw new Error(`no PromQL: ${expression}`)
  const groupings = descendants(topNode, "AggregateExpr").map((node) => ({
    from: node.from,
    to: node.to,
    labels: descendants(node, "GroupingLabels")
      .filter(({ parent }) => parent?.parent?.from === node.from)
      .flatMap((list) => descendants(list, "LabelName").map(textOf))
  }))
  return descendants(topNode, "VectorSelector").map((selector) => ({
    metric: descendants(selector, "Identifier").map(textOf)[0] ?? "",
    labels: new Set([
      ...descendants(selector, "LabelName").map(textOf),
      ...groupings.filter(({ from, to }) => from <= selector.from && selector.to <= to).flatMap(({ labels }) => labels)
    ])
  }))
}

/** The metrics in a server's /metrics, each with its labels. */
export const shown = (metrics: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  for (const line of metrics.split("\n")) {
    const [, name, labels = ""] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (name === undefined) continue
    const known = found.get(name) ?? new Set()
    for (const [, label] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label!)
    found.set(name, known)
  }
  return found
}

/** Labels and metrics that Prometheus adds to a scrape. */
const ADDED = { labels: ["instance", "job"], metrics: ["up"] }

/** The metrics and labels of an expression that do not exist. */
export const missing = (expression: string, there: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<string> =>
  selectorsOf(expression).flatMap(({ metric, labels }) => {
    if (ADDED.metrics.includes(metric)) return []
    const known = there.get(metric)
    if (known === undefined) return [metric]
    return [...labels]
      .filter((label) => !known.has(label) && !ADDED.labels.includes(label))
      .map((l) => `${metric}{${l}}`)
  })
