/** The command line (contract, section 10), as a user types it: real processes on a data directory of their own. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const data = mkdtempSync(join(tmpdir(), "sojourn-commands-"))
const AREA = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}'

const launch = (args: ReadonlyArray<string>) => ["--conditions=source", main, ...args, "--data", data]

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

const sojourn = (...args: ReadonlyArray<string>): Promise<Ended> =>
  new Promise((resolve) =>
    execFile(process.execPath, launch(args), (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    )
  )

let server: ChildProcess
let baseUrl = ""

/** The last line that the server prints is that it answers requests. */
const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let out = ""
    child.stdout!.on("data", (chunk) => {
      out += chunk
      const url = /^listening on (http:\/\/\S+)$/m.exec(out)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)))
  })

beforeAll(async () => {
  server = spawn(process.execPath, launch(["serve", "--port", "0"]))
  baseUrl = await listening(server)
})

afterAll(() => {
  server.kill("SIGKILL")
  rmSync(data, { recursive: true, force: true })
})

const status = async (token: string, path: string) =>
  (await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } })).status

const operate = (...args: ReadonlyArray<string>) => sojourn(...args, "--server", baseUrl)

describe("sojourn token", () => {
  it("prints one token and nothing else, which the server of the same data directory takes", async () => {
    const made = await Promise.all(
      ["user", "administrator", "operator"].map((kind) => sojourn("token", "--kind", kind, "--id", "somebody"))
    )
    for (const { code, out, err } of made) {
      expect(code).toBe(0)
      expect(err).toBe("")
      expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    }
    const paths = ["/organization", "/administrator/permission/somebody", "/operator/deletionrequest"]
    for (const [i, path] of paths.entries()) expect(await status(made[i]!.out.trim(), path)).toBe(204)
  })

  it("keeps the key readable by its owner alone", () => {
    expect(statSync(join(data, "issuer-key.json")).mode & 0o777).toBe(0o600)
  })

  it.each([
    ["an empty id", ["--kind", "user", "--id", ""]],
    ["a lifetime without a unit", ["--kind", "user", "--id", "x", "--expires", "1"]],
    ["a mail address that is none", ["--kind", "administrator", "--id", "x", "--mail", "x"]]
  ])("refuses %s with exit code 1 and one line", async (_, args) => {
    const { code, out, err } = await sojourn("token", ...args)
    expect(code).toBe(1)
    expect(out).toBe("")
    expect(err).toMatch(/^sojourn: [^\n]+\n$/)
  })
})

describe("the operator's commands", () => {
  it("create and list organizations, and decide deletion requests once", async () => {
    const create = ["organization", "create", "--name", "By command", "--area", AREA, "--owner", "boss"]
    const created = await operate(...create, "--mail", "boss@example.org")
    expect(created).toEqual({ code: 0, out: "1\n", err: "" })
    expect((await operate("organization", "list")).out).toBe("1\tanonymous\tBy command\n")
    const twice = await operate(...create, "--mail", "boss@example.org")
    expect(twice).toEqual({ code: 1, out: "", err: "sojourn: Another organization has this name.\n" })

    const owner = (await sojourn("token", "--kind", "administrator", "--id", "boss")).out.trim()
    const ask = () =>
      fetch(`${baseUrl}/organization/requestdeletion`, {
        method: "POST",
        headers: { authorization: `Bearer ${owner}`, "content-type": "application/json" },
        body: JSON.stringify({ organizationId: 1, requestReason: "we close" })
      })
    expect((await ask()).status).toBe(204)
    expect((await operate("deletion-request", "list")).out).toBe("1\tpending\torganization 1\tboss\twe close\n")
    expect(await operate("deletion-request", "reject", "1")).toEqual({ code: 0, out: "", err: "" })
    expect((await operate("deletion-request", "approve", "1")).err).toMatch(/rejected already/)
    expect((await ask()).status).toBe(204)
    expect((await operate("deletion-request", "approve", "2")).code).toBe(0)
    expect((await operate("organization", "list")).out).toBe("")
    expect((await operate("deletion-request", "list", "--status", "approved")).out).toMatch(/^2\tapproved\t/)
  }, 60_000)

  it("say so in one line when there is no such request, and when there is no server", async () => {
    expect((await operate("deletion-request", "approve", "9999")).err).toBe(
      "sojourn: There is no such deletion request.\n"
    )
    const alone = await sojourn("organization", "list", "--server", "http://127.0.0.1:1")
    expect(alone.code).toBe(1)
    expect(alone.err).toMatch(/^sojourn: [^\n]+\n$/)
  })
})

describe("sojourn demo", () => {
  it("loads once, and prints commands with tokens that work", async () => {
    const first = await operate("demo")
    expect(first.code).toBe(0)
    const listed = await operate("organization", "list")
    expect(listed.out).toMatch(/^\d+\tanonymous\tDemo Museum\n\d+\tauthenticated\tDemo Works\n$/)
    expect((await operate("demo")).code).toBe(0)
    expect((await operate("organization", "list")).out).toBe(listed.out)
    const token = /^USER_TOKEN='([^']+)'$/m.exec(first.out)?.[1]
    expect(await status(token ?? "", "/organization")).toBe(200)
  })
})

describe("sojourn serve", () => {
  it.each([
    ["a storage that it does not have", ["--storage", "floppy"]],
    ["a directory that is no server", ["--directory-allow", "http://x"]]
  ])("refuses %s with exit code 1 and one line", async (_, args) => {
    const { code, err } = await sojourn("serve", "--port", "0", ...args)
    expect(code).toBe(1)
    expect(err).toMatch(/^sojourn: [^\n]+\n$/)
  })

  it("refuses a port that is taken", async () => {
    const { code, err } = await sojourn("serve", "--port", new URL(baseUrl).port)
    expect(code).toBe(1)
    expect(err).toMatch(/^sojourn: cannot listen on 127\.0\.0\.1:\d+: [^\n]+\n$/)
  })

  it("SIGTERM ends it with exit code 0", async () => {
    const child = spawn(process.execPath, launch(["serve", "--port", "0"]))
    await listening(child)
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGTERM")
    expect(await ended).toBe(0)
  })
})
