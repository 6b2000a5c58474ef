/** Importing the package registers no metric, checked in a process of its own. */
import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"

/** A process of its own: other test files have imported the package into this one. */
const evaluate = (script: string) =>
  execFileSync(process.execPath, ["--conditions=source", "--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
    encoding: "utf8"
  })

it("importing the package registers no metric", () => {
  const metricsAfter = (importing: string) =>
    evaluate(`
      ${importing}
      import { Effect, Metric } from "effect"
      console.log(JSON.stringify(Effect.runSync(Metric.snapshot).map(({ id }) => id)))
    `)
  const planted = `import { Metric as Planted, Effect as Run } from "effect"; Run.runSync(Planted.value(Planted.counter("planted")))`
  expect(metricsAfter(planted)).toContain("planted")
  expect(JSON.parse(metricsAfter(`import "@sojourn/adapter-http"`))).toEqual([])
})
