/** Redocly's linter, with the rules of `redocly.yaml`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { inSandbox, run } from "../blocks/processes.ts"
import { at } from "../pages/repository.ts"

interface Problem {
  readonly ruleId: string
  readonly message: string
  readonly location: ReadonlyArray<{ readonly pointer?: string }>
}

/** What Redocly finds in a document, a line each; nothing when it is clean. */
export const redocly = (json: string): Promise<ReadonlyArray<string>> =>
  inSandbox(async (folder) => {
    const file = join(folder, "openapi.json")
    writeFileSync(file, json)
    const program = at("site/node_modules/@redocly/cli/bin/cli.js")
    const options = ["--config", at("site/openapi/redocly.yaml"), "--format", "json", "--max-problems", "1000"]
    // It would ask for newer versions of itself, and report its use.
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" }
    const { output } = await run(process.execPath, [program, "lint", file, ...options], { cwd: folder, env })
    const report = /^\{[^]*^\}/m.exec(output)?.[0]
    if (report === undefined) throw new Error(output)
    const { problems } = JSON.parse(report) as { readonly problems: ReadonlyArray<Problem> }
    return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer ?? ""}: ${message}`)
  })
