/** The request log: the lines that a server process writes to standard error, and the rules that select them. */
import { Cause } from "effect"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { temporaryFolder } from "./folders.ts"
import { type Entry, formatter } from "../src/telemetry/LogFormat.ts"
import {
  makePlainJson,
  makeRequestLines,
  plainEntry,
  type RequestLogKind,
  SAMPLED
} from "../src/telemetry/RequestLines.ts"
import { makeCanaries } from "./identity/canaries.ts"
import { unique } from "./fixtures.ts"
import { makeAgent, send } from "./httpClient.ts"
import { program, programIn } from "./faults/SojournProcess.ts"
import { runHere } from "./runHere.ts"
import { canaryValues, malformed, wellFormed } from "./identity/silence.requests.ts"

const folder = temporaryFolder()

const SECRET = "A".repeat(56)
const TRACE = "0af7651916cd43dd8448eb211c80319c"

/** Starts a server, requests these paths, and returns its standard error. */
const written = async (
  flags: ReadonlyArray<string>,
  paths: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
) => {
  const data = join(folder, unique("data"))
  const server = programIn(env, "serve", "--storage", "memory", "--port", "0", "--data", data, ...flags)
  const url = await server.listening
  for (const path of paths) {
    const headers = {
      "x-request-id": `a"b${path.length}`,
      authorization: `Bearer ${SECRET}`,
      traceparent: `00-${TRACE}-b7ad6b7169203331-01`
    }
    await (await fetch(`${url}${path}`, { headers })).text()
  }
  const { code, out, err } = await server.end()
  expect(code).toBe(0)
  expect(`${out}${err}`).not.toContain(SECRET)
  return err
}

/** The lines of a log in JSON. */
const jsonLines = (log: string) =>
  log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** The parsed lines about requests. */
const linesOf = async (...args: Parameters<typeof written>) =>
  jsonLines(await written(...args)).filter(({ message }) => message === "request")

const PATHS = ["/health/live", `/access/place/1/anonymous/${SECRET}`, `/nothing/${SECRET}`]

describe("the log of a server process", () => {
  it("has one JSON line per request, with the route's template in place of the path", async () => {
    expect(await linesOf([], PATHS)).toEqual(
      [
        { route: "/health/live", status: 200, requestId: 'a"b12' },
        {
          route: "/access/place/:placeId/anonymous/:exitTokens",
          status: 401,
          requestId: 'a"b82',
          reason: "The credentials are refused: the credentials are no signed token"
        },
        { route: "none", status: 404, requestId: 'a"b65', reason: "There is nothing at this path." }
      ].map((line) => ({
        ...line,
        level: "info",
        message: "request",
        method: "GET",
        traceId: TRACE,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        ms: expect.any(Number)
      }))
    )
  })

  it("has only the refusals of a few requests with `sample`, in the format that the environment sets", async () => {
    const logged = await written(["--request-log", "sample"], PATHS, { SOJOURN_LOG_FORMAT: "logfmt" })
    expect(
      [...logged.matchAll(/^time=\S+ level=info message=request .* status=(\d+) /gm)].map(([, one]) => one)
    ).toEqual(["401", "404"])
    expect(logged).toContain(`requestId="a\\"b65" traceId=${TRACE} reason="There is nothing at this path."`)
  })

  it("has no line below the level that a flag or the environment sets", async () => {
    expect(await linesOf([], PATHS, { SOJOURN_LOG_LEVEL: "error" })).toEqual([])
  })
})

describe("the reason of a refusal", () => {
  it("is in the line of each answer of 400 to 499, without a token, a person or a text of the client's", async () => {
    const data = join(folder, unique("data"))
    const canaries = makeCanaries()
    const { next } = canaries
    const server = program("serve", "--storage", "memory", "--port", "0", "--log-format", "json", "--data", data)
    const url = await server.listening
    const tokens = await Promise.all(
      ["user", "administrator", "operator"].map(async (kind) => {
        const { out } = await runHere(["token", "--kind", kind, "--id", next(kind), "--data", data])
        return canaries.keep("token", out.trim())
      })
    )
    const values = { ...canaryValues(next), organizationId: 1, placeId: 1 }
    const requests = [...wellFormed(values), ...malformed(values)]
    const agent = makeAgent()
    let refused = 0
    for (const token of [...tokens, undefined, next("bad token")]) {
      // Attempts to sign in are slow on purpose.
      const sent = requests.filter(({ path }) => token === undefined || path !== "/authentication/token")
      const statuses = sent.map(async (request) => {
        const { status } = await send(url, { agent, token, ...request })
        expect(status, `${request.method} ${request.path}`).toBeLessThan(500)
        return status
      })
      refused += (await Promise.all(statuses)).filter((status) => status >= 400).length
    }
    agent.destroy()
    const { out, err } = await server.end()
    expect(canaries.in(`${out}${err}`)).toEqual([])
    const lines = jsonLines(err).filter(({ status }) => Number(status) >= 400)
    expect(lines).toHaveLength(refused)
    expect(lines.filter(({ reason }) => typeof reason !== "string" || reason === "")).toEqual([])
    expect(new Set(lines.map(({ reason }) => reason)).size).toBeGreaterThan(20)
  })
})

/** The observation of a request, without its status. */
const answered = {
  requestId: "r",
  traceId: undefined,
  method: "GET",
  route: "/organization",
  milliseconds: 1.23456,
  refusal: undefined,
  failure: undefined
}
const failure = { message: "store failed: count", cause: Cause.die(new Error("a bug")) }

const entriesOf = (kind: RequestLogKind, isEnabled = () => true) => {
  const entries: Array<Entry> = []
  return { entries, log: makeRequestLines(kind, isEnabled, (entry) => entries.push(entry)) }
}

describe("the log line of a request", () => {
  it("is written for one of 100 successes with `sample`, with the number it stands for, and for each refusal", () => {
    const { entries, log } = entriesOf("sample")
    for (let i = 0; i < 5 * SAMPLED; i++) {
      log({ ...answered, status: 200 })
      if (i % 10 === 0) log({ ...answered, status: 400 })
    }
    const of = (status: number) => entries.filter(({ fields }) => fields["status"] === status)
    expect(of(400)).toHaveLength(50)
    expect(of(200)).toHaveLength(5)
    for (const { fields } of entries) {
      expect(fields["standsFor"]).toBe(fields["status"] === 200 ? SAMPLED : undefined)
      expect(fields["ms"]).toBe(1.23)
    }
  })

  it.each(["all", "sample", "off"] as const)("has level error and the cause for a status of 500: %s", (kind) => {
    const { entries, log } = entriesOf(kind)
    log({ ...answered, status: 500, failure })
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({ level: "error", fields: { error: failure.message, status: 500 } })
    expect(entries[0]!.cause).toContain("Error: a bug")
  })

  it("is written for no success and no refusal with `off`, and not below the level of the log", () => {
    const [off, grave] = [entriesOf("off"), entriesOf("all", () => false)]
    for (const { log } of [off, grave]) for (const status of [200, 400]) log({ ...answered, status })
    expect([...off.entries, ...grave.entries]).toEqual([])
  })

  it("has level warn and no cause for a status of 503", () => {
    const { entries, log } = entriesOf("all")
    log({ ...answered, status: 503 })
    expect(entries[0]).toMatchObject({ level: "warn" })
    expect(entries[0]!.cause).toBeUndefined()
  })

  it("is the same JSON from the fast path as from the generic formatter, also with a cached prefix", () => {
    const toPlain = makePlainJson()
    const toLine = formatter("json", false)
    const ids = ["r", "", 'a"b', "back\\slash", "é\u2028", "\ud800", "0af7651916cd43dd8448eb211c80319c", "~!#[]"]
    for (const requestId of [...ids, ...ids]) {
      for (const [status, level] of [
        [201, "info"],
        [400, "info"],
        [503, "warn"]
      ] as const) {
        for (const [method, route] of [
          ["POST", "/place/:placeId"],
          ["M-SEARCH", "/place/:placeId"],
          ["POST", 'no"ne']
        ] as const) {
          const plain = { time: "2026-01-02T03:04:05.006Z", level, method, route, status, ms: 0.07, requestId }
          expect(toPlain(plain)).toBe(toLine(plainEntry(plain)))
        }
      }
    }
  })

  it.each([
    ["json", true, /^\{.*"cause":"Error: a\\nb"\}$/],
    ["auto", false, /^\{.*"cause":"Error: a\\nb"\}$/],
    ["logfmt", true, /^time=2026-01-02T03:04:05.006Z level=error message=request a="x y" n=1 cause="Error: a\\nb"$/],
    ["pretty", false, /^03:04:05.006 .*ERROR.* request a="x y" n=1\nError: a\nb$/],
    ["auto", true, /^03:04:05.006 .*ERROR.* request a="x y" n=1\nError: a\nb$/]
  ] as const)("has the format %s (terminal: %s)", (format, isTerminal, expected) => {
    const entry = { time: "2026-01-02T03:04:05.006Z", level: "error", message: "request", cause: "Error: a\nb" }
    expect(formatter(format, isTerminal)({ ...entry, fields: { a: "x y", n: 1, u: undefined } })).toMatch(expected)
  })
})
