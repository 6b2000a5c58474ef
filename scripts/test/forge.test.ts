/** Checks that the workflows and issue forms in `.github` follow the rules for security and structure. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { root } from "./planted.ts"

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Record<string, unknown>
}

interface Job {
  readonly "timeout-minutes"?: number
  readonly permissions?: Record<string, string>
  readonly needs?: string | ReadonlyArray<string>
  readonly steps: ReadonlyArray<Step>
}

interface Workflow {
  readonly name: string
  readonly on: Record<string, unknown>
  readonly permissions?: Record<string, string>
  readonly jobs: Record<string, Job>
}

const folder = join(root, ".github/workflows")
const { scripts }: { readonly scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8")
)

/** Actions are pinned to a commit, with the version that it is in a comment; GitHub's own alone. */
const pinned = /^actions\/[\w-]+@[0-9a-f]{40}$/

/** Text that the author of an issue or a pull request chooses: it must not become part of a program. */
const untrusted = /\$\{\{\s*(github\.(event|head_ref|ref_name|actor)|inputs|steps|needs)/

/** Everything that a workflow does and should not. */
const faults = (text: string): ReadonlyArray<string> => {
  const { on, permissions, jobs }: Workflow = parse(text)
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  const named = steps.flatMap(({ run = "" }) => [...run.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)])
  return [
    ...("pull_request_target" in on ? ["it runs strangers' changes with the rights of this repository"] : []),
    ...(JSON.stringify(permissions) === '{"contents":"read"}'
      ? []
      : ["it does not begin with the right to read alone"]),
    ...Object.entries(jobs).flatMap(([name, job]) =>
      job["timeout-minutes"] === undefined ? [`${name} may hang`] : []
    ),
    ...Object.entries(jobs).flatMap(([name, job]) =>
      [job.needs ?? []].flat().flatMap((other) => (other in jobs ? [] : [`${name} needs ${other}, which is not there`]))
    ),
    ...steps.flatMap(({ uses }) => (uses === undefined || pinned.test(uses) ? [] : [`${uses} is not pinned`])),
    ...[...text.matchAll(/uses: (\S+)(.*)/g)].flatMap(([, uses, rest]) =>
      / # v\d+\.\d+\.\d+$/.test(rest ?? "") ? [] : [`${uses} does not say its version`]
    ),
    ...steps.flatMap(({ run = "" }) =>
      untrusted.test(run) ? [`a program is made of ${untrusted.exec(run)?.[0]}`] : []
    ),
    ...named.flatMap(([, name = ""]) => (name in scripts ? [] : [`npm run ${name} is not there`]))
  ]
}

const workflows = readdirSync(folder)

describe("a workflow", () => {
  it.each(workflows)("%s does nothing that it should not", (file) => {
    expect(faults(readFileSync(join(folder, file), "utf8"))).toEqual([])
  })

  it("is refused when it does", () => {
    const planted = `
name: bad
on:
  pull_request_target:
jobs:
  one:
    needs: other
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      - uses: somebody/else@1af3b93b6815bc44a9784bd300feb67ff0d1eeb3 # v1.0.0
      - run: echo \${{ github.event.issue.title }} && npm run nothing
`
    expect(faults(planted)).toEqual([
      "it runs strangers' changes with the rights of this repository",
      "it does not begin with the right to read alone",
      "one may hang",
      "one needs other, which is not there",
      "actions/checkout@v6 is not pinned",
      "somebody/else@1af3b93b6815bc44a9784bd300feb67ff0d1eeb3 is not pinned",
      "actions/checkout@v6 does not say its version",
      "a program is made of ${{ github.event",
      "npm run nothing is not there"
    ])
  })

  it("gives more than reading to no job but those that propose and publish", () => {
    const { jobs }: Workflow = parse(readFileSync(join(folder, "release.yml"), "utf8"))
    const more = Object.entries(jobs).flatMap(([name, { permissions }]) => (permissions === undefined ? [] : [name]))
    expect(more).toEqual(["propose", "publish"])
  })
})

interface Field {
  readonly type: string
  readonly id?: string
  readonly attributes: { readonly label?: string; readonly value?: string }
}

it.each(["bug", "feature", "question"])("the form of a %s asks for something, and each thing once", (name) => {
  const text = readFileSync(join(root, `.github/ISSUE_TEMPLATE/${name}.yml`), "utf8")
  const form: { readonly name: string; readonly description: string; readonly body: ReadonlyArray<Field> } = parse(text)
  expect([form.name, form.description].every((words) => words.length > 5)).toBe(true)
  const fields = form.body.filter(({ type }) => type !== "markdown")
  expect(fields.length).toBeGreaterThan(1)
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
  for (const { type, attributes } of form.body) {
    expect(["checkboxes", "dropdown", "input", "markdown", "textarea"]).toContain(type)
    expect(type === "markdown" ? attributes.value : attributes.label).toMatch(/\w/)
  }
})
