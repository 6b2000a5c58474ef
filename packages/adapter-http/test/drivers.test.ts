/** The drivers for Node and for the Fetch standard give the same answers and log entries: generated requests are sent to both. */
import { assert, describe, it } from "@effect/vitest"
import { layerSecretKeys, type StorageId, StorageIdentity } from "@sojourn/core"
import { anyOf, integer, maybe, oneOf, text } from "@sojourn/testing"
import { Arbitrary, Cause, Effect, Layer, Redacted } from "effect"
import * as http from "node:http"
import type { Answered } from "../src/index.ts"
import { AREA, compose, DIRECTORY } from "./composed.ts"

const ORIGIN = "https://page.example"
const PATHS = ["/movement/track/organization", "/movement/track/place"] as const
const PROBLEM = "application/problem+json"

/** Two interfaces that get the same requests: one over a socket, by Node's driver, the other by the driver of the Fetch standard. */
const keys = layerSecretKeys([{ id: 7, secret: Redacted.make(new Uint8Array(32).fill(9)) }]).pipe(
  Layer.provide(Layer.succeed(StorageIdentity, { read: Effect.succeed("both" as StorageId) })),
  Layer.orDie
)
const make = async (corsOrigins: ReadonlyArray<string>) => {
  const entries: Array<Answered> = []
  const server = await compose({ keys, corsOrigins, requestLog: (answered) => entries.push(answered) })
  const draft = { trackingArea: AREA, owner: { administratorId: "owner", mail: "owner@example.test" } }
  const create = (body: object) => server.call("operator:op", "POST", "/operator/organization", { ...draft, ...body })
  const { id } = (await create({ name: "Hall", trackingMode: "anonymous" })).json
  const works = { name: "Works", trackingMode: "authenticated", authenticationServerURL: DIRECTORY }
  assert.strictEqual((await create(works)).json.id, id + 1)
  const place = { organizationId: id, name: "Room", trackingArea: AREA }
  const placeId = (await server.call("administrator:owner", "POST", "/place", place)).json.id
  return { ...server, entries, organizationId: id as number, placeId: placeId as number }
}
const makeBoth = async (corsOrigins: ReadonlyArray<string>) => {
  const node = await make(corsOrigins)
  const web = await make(corsOrigins)
  /** Tokens of entrances, which both gave. What is written as TOKEN-0 is the last of them, and so on. */
  const tokens: Array<string> = []
  return { node, web, tokens, met: new Set<string>() }
}
type Both = Awaited<ReturnType<typeof makeBoth>>
const without = await makeBoth([])
const servingOne = await makeBoth([ORIGIN])
const servingTwo = await makeBoth([ORIGIN, "https://third.example"])
const { organizationId, placeId } = without.node
/** The same interfaces, for what is read there. */
const reading: Both = { ...without, met: new Set() }
const readingFromPage: Both = { ...servingOne, met: new Set() }
const listing: Both = { ...without, met: new Set() }
const listingFromPage: Both = { ...servingOne, met: new Set() }

interface TestRequest {
  readonly method: string
  readonly path: string
  readonly headers: http.OutgoingHttpHeaders
  readonly body: string | Uint8Array
  readonly framing: "length" | "pieces" | "chunks" | "expect" | "nothing"
}

/** What an answer says of this test's time differs by the moment between two requests. */
const TIMESTAMP = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
const nowOr = (timestamp: string) => (Math.abs(Date.now() - Date.parse(timestamp)) < 60 * 60_000 ? "now" : timestamp)

/** What is compared of an answer: headers of the connection are a driver's own. */
const shown = (status: number, headers: Iterable<readonly [string, unknown]>, body: string) => {
  const own = new Set(["date", "connection", "keep-alive", "transfer-encoding"])
  const rest = [...headers].filter(([name]) => !own.has(name)).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([status, rest, body.replace(TIMESTAMP, nowOr)])
}

const askHere = async (
  fetchHere: (request: Request) => Promise<Response>,
  request: TestRequest & { readonly body: Uint8Array }
) => {
  const { method, path, headers, body, framing } = request
  const init: RequestInit = {
    method,
    headers: {
      "x-request-id": "the-same",
      ...(headers as Record<string, string>),
      ...(framing === "chunks" ? { "transfer-encoding": "chunked" } : {}),
      ...(framing !== "chunks" && framing !== "nothing" ? { "content-length": String(body.length) } : {})
    }
  }
  if (method !== "GET" && method !== "HEAD" && framing !== "nothing") init.body = new Uint8Array(body)
  const response = await fetchHere(new Request(`http://localhost${path}`, init))
  return shown(response.status, response.headers, await response.text())
}

const ask = (baseUrl: string, { method, path, headers, body, framing }: TestRequest & { readonly body: Uint8Array }) =>
  new Promise<string>((resolve, reject) => {
    const request = http.request(`${baseUrl}${path}`, {
      method,
      agent: false,
      headers: {
        "x-request-id": "the-same",
        ...headers,
        ...(framing === "chunks" && { "transfer-encoding": "chunked" }),
        ...(framing !== "chunks" && framing !== "nothing" && { "content-length": body.length }),
        ...(framing === "expect" && { expect: "100-continue" })
      }
    })
    request.on("response", (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk) => chunks.push(chunk))
      response.on("end", () => {
        const { statusCode = 0, headers: answered } = response
        resolve(shown(statusCode, Object.entries(answered), Buffer.concat(chunks).toString()))
        request.destroy()
      })
    })
    request.on("error", reject)
    if (framing === "expect") request.on("continue", () => request.end(body))
    else if (framing === "length" || framing === "nothing") request.end(body)
    else {
      request.write(body.subarray(0, 3))
      // The rest comes when the server has read the first piece.
      setTimeout(() => request.end(body.subarray(3)), 4)
    }
  })

const withTokens = (body: string, tokens: ReadonlyArray<string>) =>
  body.replaceAll(/TOKEN-(\d)/g, (_, back) => tokens.at(-1 - Number(back)) ?? "none-yet")

const bodies = Arbitrary.all({
  movementType: anyOf([1, -1, "entrance", "exit", 1, -1, 0, "1", null, undefined]),
  organizationId: anyOf([organizationId, organizationId, organizationId + 1, 77, 0, -1, 1.5, "1", null]),
  placeId: anyOf([placeId, placeId, 77, 2 ** 53, "1", undefined]),
  timestamp: anyOf([undefined, undefined, null, "2026-03-01T08:00:00Z", "2999-01-01T00:00:00Z", "yesterday", 5]),
  orgAuthServerId: anyOf([undefined, undefined, null, "ada", "", 7, "\ud800"]),
  exitToken: oneOf<unknown>(
    anyOf(["TOKEN-0", "TOKEN-0", "TOKEN-1", "TOKEN-2"]),
    anyOf([undefined, null, "", "not-a-token", "A".repeat(56), 5])
  )
})

/** Valid movements, at premises that every user may enter. */
const sound = Arbitrary.all({
  movementType: anyOf<1 | -1 | string>([1, -1, "entrance", "exit"]),
  organizationId: Arbitrary.Constant(organizationId),
  placeId: Arbitrary.Constant(placeId),
  exitToken: anyOf(["TOKEN-0", "TOKEN-1", "TOKEN-2", "TOKEN-3"])
})

const written = (body: Arbitrary.Arbitrary<unknown>) =>
  oneOf<string | Uint8Array>(
    Arbitrary.map(sound, (value) => JSON.stringify(value)),
    Arbitrary.map(body, (value) => JSON.stringify(value)),
    Arbitrary.map(body, (value) => `\ufeff${JSON.stringify(value)}`),
    Arbitrary.map(body, (value) => `${JSON.stringify(value)}}`),
    Arbitrary.map(text(0, 20), (extra) => JSON.stringify({ extra })),
    anyOf([
      "",
      "\ufeff",
      "\ufeff",
      "null",
      "[]",
      "{",
      "5",
      '"x"',
      '{"__proto__":1}',
      `${"[".repeat(2000)}`,
      '{"a":"\ufffd"}'
    ]),
    anyOf([
      Uint8Array.of(0x7b, 0xff, 0x7d),
      Uint8Array.of(0xc3),
      new Uint8Array(1024 * 1024).fill(32),
      new Uint8Array(1024 * 1024 + 1).fill(32)
    ])
  )

/** What there is nothing wrong with, in five cases of six: a request with everything wrong is refused for the first of it. */
const usually = <A>(good: A, odd: Arbitrary.Arbitrary<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.flatMap(integer(0, 5), (one) => (one === 5 ? odd : Arbitrary.Constant(good)))

const header = (values: readonly [string, ...ReadonlyArray<string>]) => maybe(anyOf(values))

const movementRequests = Arbitrary.map(
  Arbitrary.all({
    method: usually("POST", anyOf(["GET", "PUT", "OPTIONS", "HEAD"])),
    path: anyOf(PATHS),
    authorization: usually<string | undefined>(
      "Bearer user:u",
      header([
        "bearer  user:v",
        "Bearer administrator:a",
        "Bearer operator:o",
        "Bearer unavailable:x",
        "Bearer broken:x",
        "Bearer nobody",
        "Basic dTp1",
        "Bearer "
      ])
    ),
    type: usually<string | undefined>(
      "application/json",
      oneOf<string | undefined>(
        header(["Application/JSON", "application/json; charset=utf-8", 'application/json;charset="UTF8"', "text/json"]),
        header([
          "application/json;charset=latin1",
          "application/x-www-form-urlencoded",
          "json",
          "application/json, a/b"
        ])
      )
    ),
    encoding: usually<string | undefined>(undefined, anyOf(["identity", "gzip"])),
    accept: header([PROBLEM, PROBLEM, "*/*", "application/json, Application/Problem+JSON"]),
    origin: header([ORIGIN, "https://other.example"]),
    key: header(["k1", "k2", "k3"]),
    trace: header([`00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`, "00-ab-cd-01"]),
    body: written(bodies),
    framing: anyOf(["length", "length", "pieces", "chunks", "expect"] as const)
  }),
  ({ method, path, authorization, type, encoding, accept, origin, key, trace, body, framing }): TestRequest => ({
    method,
    path,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(type !== undefined && { "content-type": type }),
      ...(encoding !== undefined && { "content-encoding": encoding }),
      ...(accept !== undefined && { accept }),
      ...(origin !== undefined && { origin }),
      ...(key !== undefined && { "idempotency-key": key }),
      ...(trace !== undefined && { traceparent: trace })
    },
    body,
    framing: method === "POST" || method === "PUT" ? framing : "length"
  })
)

/** Requests for counters, also at paths that are nearly right. */
const counted = Arbitrary.map(
  Arbitrary.all({
    method: usually("GET", anyOf(["HEAD", "POST", "OPTIONS"])),
    premises: anyOf(["organization", "place"]),
    id: usually<string | number>(
      organizationId,
      anyOf<string | number>([
        organizationId + 1,
        placeId,
        77,
        0,
        `00${organizationId}`,
        2 ** 53,
        "9".repeat(16),
        "9".repeat(17),
        "9".repeat(80),
        "-1",
        "1.5",
        "one",
        "",
        "%31",
        "%",
        ":organizationId"
      ])
    ),
    end: usually("/counter", anyOf(["/counter/", "/counter?x=1", "/Counter", "/counter;x", "", "/counter/counter"])),
    authorization: usually<string | undefined>(
      "Bearer administrator:owner",
      header([
        "bearer  administrator:stranger",
        "Bearer user:u",
        "Bearer operator:o",
        "Bearer unavailable:x",
        "Bearer broken:x",
        "Bearer nobody",
        "Bearer "
      ])
    ),
    accept: header([PROBLEM, "*/*"]),
    origin: header([ORIGIN, "https://other.example"]),
    body: usually("", anyOf(["{}", "x"])),
    framing: usually<TestRequest["framing"]>("nothing", anyOf(["length", "chunks"]))
  }),
  ({ method, premises, id, end, authorization, accept, origin, body, framing }): TestRequest => ({
    method,
    path: `/presence/${premises}/${id}${end}`,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(accept !== undefined && { accept }),
      ...(origin !== undefined && { origin })
    },
    body: framing === "nothing" ? "" : body,
    framing
  })
)

/** Requests for accesses by keys, some of which earlier answers contain. */
const accesses = Arbitrary.map(
  Arbitrary.all({
    premises: anyOf(["organization", "place"]),
    id: usually<string | number>(organizationId, anyOf<string | number>([placeId, organizationId + 1, 77, 0, "x"])),
    kind: usually("anonymous", anyOf(["authenticated", "Anonymous", ""])),
    list: Arbitrary.array(
      usually("TOKEN-0", anyOf(["TOKEN-1", "TOKEN-2", "TOKEN-3", "TOKEN-4", "not-a-token", "", "%2C", "%00", "%"])),
      { maxLength: 6 }
    ),
    end: usually("", anyOf(["/", "?x=1", ",", ";x", "%20", "#x", `${",x".repeat(100)}`])),
    authorization: usually<string | undefined>(
      "Bearer user:u",
      header(["Bearer administrator:owner", "Bearer operator:o", "Bearer unavailable:x", "Bearer broken:x", "Bearer x"])
    ),
    accept: header([PROBLEM, "*/*"]),
    origin: header([ORIGIN, "https://other.example"])
  }),
  ({ premises, id, kind, list, end, authorization, accept, origin }): TestRequest => ({
    method: "GET",
    path: `/access/${premises}/${id}/${kind}/${list.join(",")}${end}`,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(accept !== undefined && { accept }),
      ...(origin !== undefined && { origin })
    },
    body: "",
    framing: "nothing"
  })
)

/** The log's entry for the last request, without its duration; a failure by its text. */
const lastEntry = ({ entries }: Both["node"]) => {
  const { milliseconds: _, failure, ...rest } = entries.at(-1)!
  const cause = Cause.isCause(failure?.cause) ? Cause.squash(failure.cause) : failure?.cause
  return { ...rest, failure: failure?.message, cause: String(cause) }
}

const compare = async ({ node, web, tokens, met }: Both, sent: TestRequest) => {
  const { body, path } = sent
  const one = {
    ...sent,
    path: withTokens(path, tokens),
    body: typeof body === "string" ? Buffer.from(withTokens(body, tokens)) : body
  }
  const [answer, expected] = await Promise.all([ask(node.baseUrl, one), askHere(web.fetchHere, one)])
  assert.strictEqual(answer, expected)
  assert.deepStrictEqual(lastEntry(node), lastEntry(web))
  met.add(answer.slice(1, 4))
  const token = /\[201.*\\"exitToken\\":\\"([^\\]+)/.exec(answer)?.[1]
  if (token !== undefined) tokens.push(token)
}

/** From a fixed seed, or from SOJOURN_SEED; SOJOURN_RUNS_FACTOR times as often. */
const trials = (runs: number) => ({
  arbitrary: {
    runs: Math.round(runs * Number(process.env.SOJOURN_RUNS_FACTOR ?? 1)),
    seed: Number(process.env.SOJOURN_SEED ?? 20260301)
  }
})

describe("the two drivers", () => {
  it.effect.prop(
    "answer movements alike, byte by byte, whatever is sent, and log the same",
    { one: movementRequests },
    ({ one }) => Effect.promise(() => compare(without, one)),
    trials(500)
  )

  it.effect.prop(
    "answer pages of one origin, or of several, alike",
    { one: movementRequests },
    ({ one }) => Effect.promise(() => compare(servingOne, one).then(() => compare(servingTwo, one))),
    trials(100)
  )

  it.effect.prop(
    "answer counters alike, byte by byte, whatever path it is, and log the same",
    { one: counted },
    ({ one }) => Effect.promise(() => compare(reading, one).then(() => compare(readingFromPage, one))),
    trials(150)
  )

  it("had every status that a counter can have", () =>
    assert.includeMembers([...reading.met].sort(), ["200", "400", "401", "403", "404", "405", "500", "503"]))

  it.effect.prop(
    "answer accesses by tokens alike, byte by byte, whatever the list, and log the same",
    { one: accesses },
    ({ one }) => Effect.promise(() => compare(listing, one).then(() => compare(listingFromPage, one))),
    trials(150)
  )

  it("had every status that a list can have", () =>
    assert.includeMembers([...listing.met].sort(), ["200", "204", "400", "401", "403", "404", "500", "503"]))

  it("check the credentials of every request, though a connection mostly carries those of one caller", async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set<unknown>()
    const body = JSON.stringify({ movementType: 1, organizationId })
    const statusOf = (authorization: string | undefined) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = {
          "content-type": "application/json",
          "content-length": body.length,
          ...(authorization !== undefined && { authorization })
        }
        const request = http.request(`${without.node.baseUrl}${PATHS[0]}`, { method: "POST", agent, headers })
        request.on("socket", (socket) => sockets.add(socket))
        request.on("response", (response) => response.resume().on("end", () => resolve(response.statusCode)))
        request.on("error", reject)
        request.end(body)
      })
    const callers = ["Bearer user:u", "Bearer nobody", "Bearer user:u", undefined, "Bearer operator:o", "Bearer user:v"]
    const statuses: Array<number | undefined> = []
    for (const caller of [...callers, ...callers]) statuses.push(await statusOf(caller), await statusOf(caller))
    agent.destroy()
    const expected = [201, 401, 201, 401, 403, 201].flatMap((status) => [status, status])
    assert.deepStrictEqual(statuses, [...expected, ...expected])
    assert.strictEqual(sockets.size, 1)
  })

  it("had every status that a movement can have", () =>
    assert.includeMembers([...without.met].sort(), [
      "201",
      "202",
      "400",
      "401",
      "403",
      "405",
      "413",
      "415",
      "500",
      "503"
    ]))
})
