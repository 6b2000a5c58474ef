/** The request log as operators read it: lines of a server's process on standard error, and the rule of the sample. */
import { describe, expect, it } from "vitest"
import { makeRequestLog, SAMPLED } from "../src/RequestLog.ts"
import { sojourn } from "./faults/SojournProcess.ts"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const SECRET = "A".repeat(56)

/** The lines that a server wrote, which was asked for these paths. */
const linesOf = async (flags: ReadonlyArray<string>, paths: ReadonlyArray<string>) => {
  const data = mkdtempSync(join(tmpdir(), "sojourn-request-log-"))
  const server = sojourn("serve", "--storage", "memory", "--port", "0", "--data", data, ...flags)
  const url = await server.listening
  for (const path of paths) {
    const headers = { "x-request-id": `a"b${path.length}`, authorization: `Bearer ${SECRET}` }
    await (await fetch(`${url}${path}`, { headers })).text()
  }
  server.kill("SIGTERM")
  const { code, out, err } = await server.ended
  rmSync(data, { recursive: true })
  expect(code).toBe(0)
  expect(`${out}${err}`).not.toContain(SECRET)
  return err
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

const PATHS = ["/health/live", `/access/place/1/anonymous/${SECRET}`, `/nothing/${SECRET}`]

describe("the request log", () => {
  it("of all has one JSON line of each answer, with the route's template in place of the path", async () => {
    const lines = await linesOf(["--request-log", "all"], PATHS)
    expect(lines).toEqual(
      [
        { route: "/health/live", status: 200, requestId: 'a"b12' },
        { route: "/access/place/:placeId/anonymous/:exitTokens", status: 401, requestId: 'a"b82' },
        { route: "none", status: 404, requestId: 'a"b65' }
      ].map((line) => ({
        ...line,
        method: "GET",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        ms: expect.any(Number)
      }))
    )
  })

  it("has refusals alone of so few requests, and nothing when it is off", async () => {
    expect((await linesOf([], PATHS)).map(({ status }) => status)).toEqual([401, 404])
    expect(await linesOf(["--request-log", "off"], PATHS)).toEqual([])
  })

  it("has one of a hundred of the others in a sample, which says for how many it stands", () => {
    const lines: Array<string> = []
    const log = makeRequestLog("sample", (line) => lines.push(line))
    const answered = { requestId: "r", method: "GET", route: "/organization", milliseconds: 1.23456 }
    for (let i = 0; i < 5 * SAMPLED; i++) {
      log({ ...answered, status: 200 })
      if (i % 10 === 0) log({ ...answered, status: 400 })
    }
    const written = lines.map((line) => JSON.parse(line))
    expect(written.filter(({ status }) => status === 400)).toHaveLength(50)
    expect(written.filter(({ status }) => status === 200)).toHaveLength(5)
    for (const { status, standsFor, ms } of written) {
      expect(standsFor).toBe(status === 200 ? SAMPLED : undefined)
      expect(ms).toBe(1.23)
    }
  })
})
