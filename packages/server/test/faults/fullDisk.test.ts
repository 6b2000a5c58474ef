/** A full disk. The disk is a separate file system in memory, which only root on Linux can create. */
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { spawnSync } from "node:child_process"
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { runHere } from "../runHere.ts"
import { execute } from "./audit.database.ts"
import { eventually } from "./eventually.ts"
import { keysIn, makeScene, type Scene } from "./scene.ts"
import { program, type SojournProcess, sojourn } from "./SojournProcess.ts"

const MEGABYTE = 1024 * 1024

let disk: string
let isMounted = false
let database: DatabaseAddress
let server: SojournProcess | undefined
let scene: Scene

const UNMOUNTABLE = "only root on Linux can mount a file system in memory"

const mount = (where: string, megabytes = 160) =>
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", where]).status === 0

const remove = (where: string) => {
  spawnSync("umount", ["--lazy", where])
  rmSync(where, { recursive: true, force: true })
}

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
  scene = await makeScene({
    ...(await keysIn(data, database)),
    baseUrl: () => baseUrl,
    database: () => database,
    ...size
  })
})

afterAll(async () => {
  await scene?.close()
  server?.kill("SIGTERM")
  await server?.ended
  remove(disk)
})

/** Fills a disk, repeatedly, since PostgreSQL frees the space of statements that it cannot complete. */
const fill = (where = disk) => {
  const file = openSync(join(where, "ballast"), "a")
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
      skip(!isMounted, UNMOUNTABLE)
      const { ledger } = scene
      await scene.during(async () => {
        const before = ledger.ambiguous()
        const hasEnded = server!.listenFor("ended by itself")
        // As it ends it may free so much that its end does not show why: then its next start, which fails, says it.
        const reasons = mustEnd
          ? ["ended by itself (no space left on the disk", "postgres: no space left on the disk"]
          : ["no space left on the disk of PostgreSQL"]
        const said = reasons.map((reason) => server!.listenFor(reason))
        await eventually("movements are refused", async () => {
          fill()
          if (mustEnd && !hasEnded()) await beginLogFile()
          return ledger.ambiguous() > before + 10 && said.some((isHeard) => isHeard()) && (!mustEnd || hasEnded())
        })
        rmSync(join(disk, "ballast"))
      })
    }
  )
})

/** A folder on a disk of its own that the test fills. */
const smallDisk = (megabytes: number): string | undefined => {
  const where = mkdtempSync(join(tmpdir(), "sojourn-small-disk-"))
  onTestFinished(() => remove(where))
  return mount(where, megabytes) ? where : undefined
}

const expectNoSpace = ({ code, err }: { readonly code: number | null; readonly err: string }) => {
  expect(err).toMatch(/^sojourn: [^\n]*no space left[^\n]*\n$/i)
  expect(err.length).toBeLessThan(400)
  expect(code).toBe(1)
}
const saysNoSpace = async (...args: ReadonlyArray<string>) => expectNoSpace(await program(...args).ended)
const refusedHere = async (...args: ReadonlyArray<string>) => expectNoSpace(await runHere(args))

describe("a disk without space for a new server", () => {
  // With so little the key files, the catalog and the first database do not fit.
  it.for([0, 20, 30])("with %i MB left: one line says so", async (left, { skip }) => {
    const where = smallDisk(Math.max(1, left))
    if (where === undefined) return skip(UNMOUNTABLE)
    if (left === 0) fill(where)
    await saysNoSpace("serve", "--data", join(where, "data"), "--port", "0")
  })

  it("that exists already, for its commands and for a backup: one line says so, and no backup is left", async ({
    skip
  }) => {
    const [where, backups] = [smallDisk(160), smallDisk(1)]
    if (where === undefined || backups === undefined) return skip(UNMOUNTABLE)
    const data = join(where, "data")
    const create = ["organization", "create", "--name", "Museum", "--owner", "ada", "--mail", "ada@example.org"]
    const area = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}'
    expect((await runHere([...create, "--area", area, "--data", data])).code).toBe(0)
    fill(backups)
    await refusedHere("backup", "--data", data, "--to", join(backups, "a.backup"))
    expect(readdirSync(backups)).toEqual(["ballast"])
    fill(where)
    await saysNoSpace("serve", "--data", data, "--port", "0")
    await refusedHere("organization", "list", "--data", data)
    await refusedHere("token", "--kind", "operator", "--id", "me", "--data", join(where, "other"))
  })
})
