/** The dashboard and the alerts in the documentation query only metrics that a running server reports. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { want, whole } from "../fixtures.ts"
import { forThisFile } from "../forThisFile.ts"
import { eventually } from "../faults/eventually.ts"
import { startTown } from "../identity/Town.ts"
import { startReceiver } from "./Receiver.ts"
import { missing, shown } from "./promql.ts"

const docs = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8")

interface Panel {
  readonly title: string
  readonly type: string
  readonly targets?: ReadonlyArray<{ readonly expr: string; readonly legendFormat: string }>
}

const { panels, templating } = JSON.parse(docs("grafana/sojourn.json")) as {
  readonly panels: ReadonlyArray<Panel>
  readonly templating: { readonly list: ReadonlyArray<{ readonly definition?: string }> }
}
const charts = panels.filter(({ type }) => type !== "row")
const expressions = charts.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const))
const rules = docs("prometheus/alerts.yml")
const alerts = [...rules.matchAll(/^ +- alert: (\S+)\n +expr: (.+)$/gm)].map(
  ([, name, expr]) => [name!, expr!] as const
)

let there: ReadonlyMap<string, ReadonlySet<string>>

const receiver = forThisFile(await startReceiver())
const flags = ["--metrics-organizations", "5", "--otlp-endpoint", receiver.endpoint]
const town = forThisFile(await startTown({ storage: "embedded", flags }))
const where = whole(await town.organization())
const user = town.user()
const token = want(await town.enter(user, where), 201).json.exitToken
want(await town.enter(user, where), 201)
want(await town.leave(user, where, token), 202)
expect(await town.inside(where)).toBe(1)
// The server samples its state every few seconds.
await eventually("the server has sampled its state", async () => {
  there = shown(want(await town.get(undefined, "/metrics"), 200).text)
  return there.has("sojourn_organization_open_stays")
})

describe("the documented dashboard and alerts", () => {
  it("have a query in every panel, and more than five alerts", () => {
    expect(charts.length).toBeGreaterThan(20)
    for (const { title, targets = [] } of charts) expect(targets, title).not.toHaveLength(0)
    expect(alerts).toHaveLength([...rules.matchAll(/alert: /g)].length)
    expect(alerts.length).toBeGreaterThan(5)
  })

  it.each(expressions)("query existing metrics in panels: %s: %s", (_, expr) => {
    expect(missing(expr, there)).toEqual([])
  })

  it.each(alerts)("query existing metrics in alerts: %s: %s", (_, expr) => {
    expect(missing(expr, there)).toEqual([])
  })

  it("use only labels in legends that the queries keep", () => {
    for (const { title, targets = [] } of charts) {
      for (const { expr, legendFormat } of targets) {
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
          const kept = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(", ")
          if (kept !== undefined) expect(kept, title).toContain(label)
        }
      }
    }
  })

  it("select servers by an existing metric", () => {
    const definitions = templating.list.flatMap(({ definition }) => definition ?? [])
    expect(definitions).toEqual(["label_values(sojourn_ready, instance)"])
  })

  it.each([
    ["sum(rate(sojourn_http_request_total[5m]))", ["sojourn_http_request_total"]],
    ["sum by (rout) (rate(sojourn_http_requests_total[5m]))", ["sojourn_http_requests_total{rout}"]],
    ['sojourn_http_requests_total{state="500"}', ["sojourn_http_requests_total{state}"]],
    ["time() - sojourn_ready + nothing", ["nothing"]]
  ])("are checked for misspelt names (control): %s", (expr, expected) => {
    expect(missing(expr, there)).toEqual(expected)
  })

  it("are checked for syntax errors (control)", () => {
    expect(() => missing("sum(rate(sojourn_ready[5m])", there)).toThrow("no PromQL")
  })

  it("cover a server whose metrics all have valid names", () => {
    for (const name of there.keys()) expect(name).toMatch(/^(sojourn|process|nodejs)_[a-z0-9_]+$/)
  })
})
