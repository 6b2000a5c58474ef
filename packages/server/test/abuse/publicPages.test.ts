/** Attacks on what is answered without credentials: `/metrics`, `/docs` and `/openapi.json`, requested as often as possible. */
import { Context, Metric } from "effect"
import { connect } from "node:net"
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { sojournForThisFile } from "../harness.ts"
import { makeAgent, send } from "../httpClient.ts"

const sojourn = await sojournForThisFile()

const READERS = 32
const EACH = 10

/** A metric that counts how often it is read: once for each rendering of all metrics. */
let renderings = 0
const probe = Metric.gauge("test_renderings", { description: "How often the metrics were rendered" })
const registration = Metric.registerUnsafe(probe, Context.empty(), {
  get: () => ({ value: ++renderings }),
  update: () => {},
  modify: () => {}
})
afterAll(() => registration.remove())
beforeEach(() => {
  renderings = 0
})

/** Many readers ask for a path again and again. Answers their answers, and how many seconds began meanwhile. */
const flood = async (path: string, headers = {}, readers = READERS) => {
  const agent = makeAgent(readers)
  const begun = performance.now()
  const read = () =>
    Array.from({ length: EACH }).reduce<Promise<ReadonlyArray<Awaited<ReturnType<typeof send>>>>>(
      async (before) => [...(await before), await send(sojourn.baseUrl, { agent, path, headers })],
      Promise.resolve([])
    )
  const answers = (await Promise.all(Array.from({ length: readers }, read))).flat()
  agent.destroy()
  return { answers, seconds: Math.ceil((performance.now() - begun) / 1000) }
}

describe("/metrics, read by many without credentials", () => {
  it("is rendered once a second at most, for all readers", async () => {
    const { answers, seconds } = await flood("/metrics")
    expect(answers.length).toBe(READERS * EACH)
    for (const { status, text } of answers) expect([status, text.includes("\ntest_renderings ")]).toEqual([200, true])
    expect(renderings).toBeGreaterThan(0)
    expect(renderings).toBeLessThanOrEqual(seconds + 1)
  })

  it("is rendered again a second later", async () => {
    const rendered = async () =>
      Number(/^test_renderings (\d+)$/m.exec((await send(sojourn.baseUrl, { path: "/metrics" })).text)![1])
    const first = await rendered()
    await expect.poll(rendered, { timeout: 30_000 }).toBeGreaterThan(first)
  })

  it("is not rendered for HEAD requests, or clients that read no answer", async () => {
    const sockets = Array.from({ length: READERS }, () => {
      const socket = connect(sojourn.port, "127.0.0.1")
      socket.on("error", () => {})
      socket.write("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n".repeat(EACH))
      return socket.pause()
    })
    const begun = performance.now()
    for (let n = 0; n < EACH; n++) {
      const { status, text, headers } = await send(sojourn.baseUrl, { path: "/metrics", method: "HEAD" })
      expect([status, text, Number(headers["content-length"]) > 1000]).toEqual([200, "", true])
    }
    for (const socket of sockets) socket.destroy()
    expect(renderings).toBeLessThanOrEqual(Math.ceil((performance.now() - begun) / 1000) + 1)
  })
})

const PAGES = [
  { path: "/docs", whole: 3_600_000, packed: 1_000_000, readers: 1 },
  { path: "/openapi.json", whole: 350_000, packed: 30_000, readers: READERS }
]

describe.each(PAGES)("$path, read by many without credentials", ({ path, whole, packed: most, readers }) => {
  /** How often something was compressed, or its tag computed. */
  let work = 0
  beforeEach(() => {
    work = 0
    const { subtle } = crypto
    const digest = subtle.digest.bind(subtle)
    vi.spyOn(subtle, "digest").mockImplementation((...args) => {
      work++
      return digest(...args)
    })
    const { CompressionStream } = globalThis
    vi.stubGlobal(
      "CompressionStream",
      class extends CompressionStream {
        constructor(format: CompressionFormat) {
          super(format)
          work++
        }
      }
    )
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it("is made and compressed once, for all readers", async () => {
    const packed = { "accept-encoding": "gzip" }
    const first = await send(sojourn.baseUrl, { path, headers: packed })
    const once = work
    expect(once).toBeGreaterThan(2)
    for (const headers of [packed, {}]) {
      const { answers } = await flood(path, headers, readers)
      expect(new Set(answers.map(({ status, text }) => `${status} ${text.length}`)).size).toBe(1)
    }
    const known = await flood(path, { ...packed, "if-none-match": first.headers.etag }, readers)
    expect(new Set(known.answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(["304 "]))
    const head = await send(sojourn.baseUrl, { path, method: "HEAD", headers: packed })
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", first.headers["content-length"]])
    expect(work).toBe(once)
  })

  it("has a size that is known", async () => {
    const lengthOf = async (headers = {}) =>
      Number((await send(sojourn.baseUrl, { path, headers })).headers["content-length"])
    expect(await lengthOf()).toBeLessThan(whole)
    expect(await lengthOf({ "accept-encoding": "gzip" })).toBeLessThan(most)
  })
})
