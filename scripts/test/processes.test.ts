/** Tests how scripts run programs: exit codes, signals, killed parents, and which steps are done again. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { root } from "./planted.ts"

const folder = mkdtempSync(join(tmpdir(), "sojourn-processes-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const workspaceModule = (name: string) => pathToFileURL(join(root, "scripts/workspace", name)).href

/** Runs a program as `npm run sojourn` runs the bundle. */
const launcher = program(
  "launcher.mjs",
  `import { runBundle } from "${workspaceModule("processes.mjs")}"
  process.exitCode = await runBundle(process.argv[2], process.argv.slice(3))`
)

const launch = (...args: ReadonlyArray<string>) =>
  spawn(process.execPath, [launcher, ...args], { stdio: ["ignore", "pipe", "inherit"] })

const exitOf = async (child: ChildProcess) => {
  const [code, signal] = await once(child, "exit")
  return code ?? signal
}

const firstLine = async (child: ChildProcess) => String((await once(child.stdout!, "data"))[0]).trim()

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const server = program(
  "server.mjs",
  `process.on("SIGTERM", () => process.exit(7))
  process.on("disconnect", () => process.exit(8))
  setInterval(() => {}, 1000)
  console.log(process.pid)`
)

describe("a program that the scripts run", () => {
  it("gives its exit code", async () => {
    expect(await exitOf(launch(program("three.mjs", "process.exit(Number(process.argv[2]))"), "3"))).toBe(3)
  })

  it("gives 128 + n when signal n ended it", async () => {
    expect(await exitOf(launch(program("killed.mjs", `process.kill(process.pid, "SIGKILL")`)))).toBe(128 + 9)
  })

  it("gets the signals, and decides itself how to end", async () => {
    const child = launch(server)
    await firstLine(child)
    const exit = exitOf(child)
    child.kill("SIGTERM")
    expect(await exit).toBe(7)
  })

  it("learns that the script which runs it was killed", async () => {
    const child = launch(server)
    const pid = Number(await firstLine(child))
    child.kill("SIGKILL")
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  })
})

describe("isUpToDate", () => {
  it("sees a source that was changed, added or removed since its target was made", async () => {
    const { isUpToDate } = (await import(workspaceModule("upToDate.mjs"))) as {
      readonly isUpToDate: (targets: ReadonlyArray<string>, sources: ReadonlyArray<string>) => boolean
    }
    const sources = join(folder, "sources", "below")
    mkdirSync(sources, { recursive: true })
    const target = join(folder, "target")
    const relativeSources = [relative(root, join(folder, "sources"))]
    const isMade = () => isUpToDate([target], relativeSources)
    const make = () => {
      writeFileSync(target, "")
      utimesSync(target, later, later)
    }
    const later = new Date(Date.now() + 10_000)
    const change = (path: string) => utimesSync(path, new Date(later.getTime() + 1), new Date(later.getTime() + 1))
    expect(isMade()).toBe(false)
    make()
    writeFileSync(join(sources, "one.ts"), "")
    expect(isMade()).toBe(true)
    change(join(sources, "one.ts"))
    expect(isMade()).toBe(false)
    rmSync(join(sources, "one.ts"))
    expect(isMade()).toBe(true)
    change(sources)
    expect(isMade()).toBe(false)
  })
})
