/** The `sojourn` command line as people run it: the bundle where the gate built one, else the sources. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { at } from "./pages/repository.ts"

const { SOJOURN_BUNDLE } = process.env

/** The arguments of Node that run it. */
export const program: ReadonlyArray<string> =
  SOJOURN_BUNDLE === undefined ? ["--conditions=source", at("packages/server/src/main.ts")] : [SOJOURN_BUNDLE]

const addressOf = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let out = ""
    for (const stream of [server.stdout!, server.stderr!]) {
      stream.on("data", (chunk) => {
        out += String(chunk)
        const address = /^listening on (\S+)/m.exec(out)?.[1]
        if (address !== undefined) resolve(address)
      })
    }
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}\n${out}`)))
  })

export interface Running extends AsyncDisposable {
  readonly url: string
  /** Its data directory, with the key that signs its tokens. */
  readonly data: string
}

/** A real server on a free port, with the demo's data in memory. */
export const startSojourn = async (flags: ReadonlyArray<string> = []): Promise<Running> => {
  const data = mkdtempSync(join(tmpdir(), "sojourn-docs-"))
  const args = [
    "serve",
    "--demo",
    "--demo-crowd",
    "0",
    "--storage",
    "memory",
    "--port",
    "0",
    "--request-log",
    "off",
    "--data",
    data,
    ...flags
  ]
  const server = spawn(process.execPath, [...program, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  const url = await addressOf(server)
  return {
    url,
    data,
    [Symbol.asyncDispose]: async () => {
      server.kill("SIGTERM")
      await once(server, "exit")
      rmSync(data, { recursive: true, force: true })
    }
  }
}
