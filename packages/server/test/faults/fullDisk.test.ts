/** A full disk. The disk is a separate file system in memory, which only root on Linux can create. */
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { spawnSync } from "node:child_process"
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { execute } from "./audit.database.ts"
import { eventually } from "./eventually.ts"
import { keysIn, makeScene, type Scene } from "./scene.ts"
import { type SojournProcess, sojourn } from "./SojournProcess.ts"

const MEGABYTE = 1024 * 1024

let disk: string
let isMounted = false
let database: DatabaseAddress
let server: SojournProcess | undefined
let scene: Scene

const mount = (where: string) =>
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("mount", ["-t", "tmpfs", "-o", "size=160m", "tmpfs", where]).status === 0

beforeAll(async () => {
  disk = mkdtempSync(join(tmpdir(), "sojourn-disk-"))
  isMounted = mount(disk)
  if (!isMounted) return
  const data = join(disk, "data")
  // PostgreSQL runs as another user than root, who needs access to the directory.
  mkdirSync(data, { mode: 0o711 })
  server = sojourn("serve", "--storage", "embedded", "--data", data, "--port", "0")
  const baseUrl = await server.listening
  const path = join(data, "postgres", "data", ".s.PGSQL.5432")
  database = { path, port: 5432, username: "postgres", database: "sojourn" }
  const size = { crowd: 24, companies: 1, keyed: 1 }
  scene = await makeScene({ ...(await keysIn(data)), baseUrl: () => baseUrl, database: () => database, ...size })
})

afterAll(async () => {
  await scene?.close()
  server?.kill("SIGTERM")
  await server?.ended
  if (isMounted) spawnSync("umount", ["--lazy", disk])
  rmSync(disk, { recursive: true, force: true })
})

/** Fills the disk, repeatedly, since PostgreSQL frees the space of statements that it cannot complete. */
const fill = () => {
  const file = openSync(join(disk, "ballast"), "a")
  for (let piece = MEGABYTE; piece >= 1; piece >>= 1) {
    try {
      while (true) writeSync(file, Buffer.alloc(piece))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
    }
  }
  closeSync(file)
}

/** Switches PostgreSQL to a new WAL segment, as happens after 16 MB; on a full disk it stops. */
const beginLogFile = () => execute(database, ["select pg_switch_wal()"]).catch(() => {})

const CASES: ReadonlyArray<readonly [what: string, mustEnd: boolean]> = [
  ["tables", false],
  ["log, so that it ends and starts again", true]
]

describe("a disk without space for PostgreSQL's", () => {
  it.for(CASES)(
    "%s: movements are refused with 503, none is lost, and the service recovers when space is freed",
    async ([, mustEnd], { skip }) => {
      skip(!isMounted, "only root on Linux can mount a file system in memory")
      const { ledger } = scene
      await scene.during(async () => {
        const before = ledger.ambiguous()
        const hasEnded = server!.listenFor("ended by itself")
        await eventually("movements are refused", async () => {
          fill()
          if (mustEnd && !hasEnded()) await beginLogFile()
          return ledger.ambiguous() > before + 10 && (!mustEnd || hasEnded())
        })
        rmSync(join(disk, "ballast"))
      })
    }
  )
})
