/** Redocly's linter, with the rules of `redocly.yaml`. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { at } from "../pages/repository.ts"

interface Problem {
  readonly ruleId: string
  readonly message: string
  readonly location: ReadonlyArray<{ readonly pointer?: string }>
}

const lint = (file: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const program = at("site/node_modules/@redocly/cli/bin/cli.js")
    const args = [program, "lint", file, "--config", at("site/openapi/redocly.yaml"), "--format", "json"]
    // It would ask for newer versions of itself, and tell that it was used.
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" }
    execFile(process.execPath, [...args, "--max-problems", "1000"], { env, maxBuffer: 2 ** 26 }, (error, out, err) =>
      out.includes('"problems"') ? resolve(out) : reject(error ?? new Error(err))
    )
  })

/** What Redocly finds in a document, a line each; nothing when it is clean. */
export const redocly = async (json: string): Promise<ReadonlyArray<string>> => {
  const folder = mkdtempSync(join(tmpdir(), "sojourn-openapi-"))
  try {
    const file = join(folder, "openapi.json")
    writeFileSync(file, json)
    const { problems } = JSON.parse(await lint(file)) as { readonly problems: ReadonlyArray<Problem> }
    return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer ?? ""}: ${message}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
