/** The service on other runtimes than Node: Bun and Deno run the example of plain JavaScript, with a PostgreSQL. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { findProgram } from "../packages/adapter-ldap/test/programs.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The versions that are tried where the machine has none. They are packages of npm, of 100 MB each: `npm run nightly` alone fetches them. */
const fetched = { bun: "bun@1.4.5", deno: "deno@2.9.6" }
const mayFetch = process.env.SOJOURN_TESTS === "nightly"

const runtimes = [
  { name: "bun", named: process.env.SOJOURN_BUN, args: ["--conditions=source"] },
  {
    name: "deno",
    named: process.env.SOJOURN_DENO,
    args: ["run", "--allow-all", "--conditions=source", "--no-lock", "--node-modules-dir=manual"]
  }
] as const

describe("a program of plain JavaScript", () => {
  for (const { name, named, args } of runtimes) {
    const program = findProgram(name, named)
    const command = program !== undefined ? [program] : mayFetch ? ["npx", "--yes", fetched[name]] : undefined
    if (command === undefined) {
      it.skip(`runs on ${name}: there is none here; SOJOURN_${name.toUpperCase()} names one, and npm run nightly fetches one`, () => {})
      continue
    }
    it(`runs on ${name}`, async () => {
      const [file, ...before] = command as [string, ...ReadonlyArray<string>]
      const { stdout } = await promisify(execFile)(file, [...before, ...args, "examples/plain-javascript/main.mjs"], {
        cwd: root,
        timeout: 300_000
      })
      expect(stdout).toMatch(/^inside: \{"organizationId":1,"counter":1\}\nrefused: 403 /)
    }, 300_000)
  }
})
