/** Overload: hanging connections and piled-up requests. Other clients are served meanwhile. */
import { once } from "node:events"
import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Metric, Option, Queue, type Scope } from "effect"
import type { NodeResponse } from "@sojourn/adapter-http"
import { HttpServer } from "effect/http"
import { layerNodeServer, NodeRequests, type NodeServerOptions } from "../../src/http/NodeServer.ts"
import { ServerDrain } from "../../src/http/ServerDrain.ts"

const LARGE = "x".repeat(8 * 1024 * 1024)

/** A server that answers /wait after `release`, /large with a large body, and other paths at once. */
const serving = Effect.fnUntraced(function* (bounds: Partial<NodeServerOptions>) {
  const received = yield* Queue.unbounded<string>()
  const released = yield* Deferred.make<void>()
  const answer = Effect.fnUntraced(function* (url: string, response: NodeResponse) {
    if (url === "/wait") {
      yield* Queue.offer(received, url)
      yield* Deferred.await(released)
    }
    const text = url === "/large" ? LARGE : url
    response.writeHead(200, { "content-length": String(text.length) })
    response.end(text)
  })
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const app = Layer.effectDiscard(
    Effect.flatMap(NodeRequests, ({ serve }) =>
      serve((request, response) => {
        const begin = () => void run(answer(request.url ?? "", response))
        if (request.method !== "POST") return begin()
        request.on("data", () => {})
        request.on("end", begin)
      })
    )
  )
  const built = yield* Layer.build(
    Layer.provideMerge(app, layerNodeServer({ host: "127.0.0.1", port: 0, drainTimeout: "1 millis", ...bounds }))
  )
  const url = HttpServer.formatAddress(Context.get(built, HttpServer.HttpServer).address)
  return {
    port: Number(new URL(url).port),
    /** Sends a request on a new connection. */
    ask: (path: string, headers: Record<string, string> = {}) =>
      Effect.promise(() => fetch(url + path, { headers: { connection: "close", ...headers } })),
    announceDrain: Context.get(built, ServerDrain).announce,
    received: Queue.take(received),
    release: Deferred.succeed(released, undefined)
  }
})

/** Opens a connection and writes `text`; the scope closes it. */
const connection = (port: number, text: string) =>
  Effect.acquireRelease(
    Effect.callback<net.Socket>((resume) => {
      const socket = net.connect(port, "127.0.0.1", () => {
        socket.write(text)
        resume(Effect.succeed(socket))
      })
      socket.on("error", () => {})
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Reads until `count` answers have arrived; returns their statuses. */
const statuses = (socket: net.Socket, count: number) =>
  Effect.callback<ReadonlyArray<number>>((resume) => {
    let text = ""
    socket.on("data", (part) => {
      text += part.toString("latin1")
      const found = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]))
      if (found.length >= count) resume(Effect.succeed(found))
    })
  })

/** Waits until a connection is closed. */
const closed = (socket: net.Socket) =>
  Effect.callback<void>((resume) => {
    if (socket.destroyed) resume(Effect.void)
    else socket.resume().once("close", () => resume(Effect.void))
  })

/** How often the server refused because of too many of `what`. */
const refusals = (what: string) =>
  Effect.map(
    Metric.snapshot,
    (all) =>
      (
        all.find(({ id, attributes }) => id === "sojourn_overload_refusals_total" && attributes?.["what"] === what)
          ?.state as { readonly count: number } | undefined
      )?.count ?? 0
  )

const HEAD = "Host: x\r\n"
const SLOW_HEAD = `GET /head HTTP/1.1\r\n${HEAD}X-Slow: `
const SLOW_BODY = `POST /body HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\nx`

describe("while many connections hang", () => {
  const KINDS = {
    "200 that send nothing": "",
    "200 whose heads do not end": SLOW_HEAD,
    "200 whose bodies do not end": SLOW_BODY,
    "60 of clients that fetch no answer": `GET /large HTTP/1.1\r\n${HEAD}\r\n`
  }
  for (const [kind, text] of Object.entries(KINDS)) {
    it.live(`${kind}: requests are served, on new connections and on an earlier one`, () =>
      Effect.gen(function* () {
        const { ask, port } = yield* serving({ maxConnections: 300, maxInFlight: 8 })
        const old = yield* connection(port, `GET /first HTTP/1.1\r\n${HEAD}\r\n`)
        assert.deepStrictEqual(yield* statuses(old, 1), [200])
        const hang = Effect.forEach(
          Array.from({ length: Number.parseInt(kind) / 10 }, () => text),
          (sent) => Effect.tap(connection(port, sent), (socket) => Effect.sync(() => socket.pause())),
          { concurrency: 10 }
        )
        for (let nth = 0; nth < 10; nth++) {
          yield* hang
          assert.strictEqual((yield* ask(`/${nth}`)).status, 200)
        }
        old.write(`GET /again HTTP/1.1\r\n${HEAD}\r\n`)
        assert.deepStrictEqual(yield* statuses(old, 1), [200])
      }).pipe(Effect.scoped)
    )
  }
})

describe("while --max-connections connections are open", () => {
  it.live("further connections are closed immediately and counted; open connections and later ones are served", () =>
    Effect.gen(function* () {
      const { ask, port } = yield* serving({ maxConnections: 3 })
      const open: Array<net.Socket> = []
      for (let nth = 0; nth < 3; nth++) {
        open.push(yield* connection(port, `GET /${nth} HTTP/1.1\r\n${HEAD}\r\n`))
        assert.deepStrictEqual(yield* statuses(open[nth]!, 1), [200])
      }
      const before = yield* refusals("connections")
      for (let nth = 0; nth < 5; nth++) yield* closed(yield* connection(port, ""))
      assert.strictEqual((yield* refusals("connections")) - before, 5)
      for (const socket of open) {
        socket.write(`GET /again HTTP/1.1\r\n${HEAD}\r\n`)
        assert.deepStrictEqual(yield* statuses(socket, 1), [200])
      }
      open[0]!.destroy()
      yield* Effect.sleep("50 millis")
      assert.strictEqual((yield* ask("/x")).status, 200)
    }).pipe(Effect.scoped)
  )
})

describe("a surge of connections", () => {
  it.live("1,000 concurrent connections: each is served", () =>
    Effect.gen(function* () {
      const { port } = yield* serving({})
      const all = yield* Effect.forEach(
        Array.from({ length: 1_000 }),
        () =>
          Effect.flatMap(connection(port, `GET /x HTTP/1.1\r\n${HEAD}\r\n`), (socket) =>
            Effect.map(statuses(socket, 1), ([status]) => status)
          ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(all), new Set([200]))
    }).pipe(Effect.scoped)
  )
})

/** Runs `what` while `full` requests are in flight. */
const whileFull = Effect.fnUntraced(function* (
  bounds: Partial<NodeServerOptions>,
  full: number,
  what: (server: Effect.Success<ReturnType<typeof serving>>) => Effect.Effect<void, never, Scope.Scope>
) {
  const server = yield* serving(bounds)
  const waiting: Array<net.Socket> = []
  for (let nth = 0; nth < full; nth++) {
    waiting.push(yield* connection(server.port, `GET /wait HTTP/1.1\r\n${HEAD}\r\n`))
    yield* server.received
  }
  yield* what(server)
  yield* server.release
  for (const socket of waiting) assert.deepStrictEqual(yield* statuses(socket, 1), [200])
  assert.strictEqual((yield* server.ask("/x")).status, 200)
}, Effect.scoped)

describe("while --max-in-flight requests are in flight", () => {
  it.live("further requests are answered 503 in the format of all refusals, and those in flight succeed", () =>
    whileFull({ maxInFlight: 2 }, 2, ({ ask }) =>
      Effect.gen(function* () {
        const refused = yield* ask("/x", { "x-request-id": "my-own" })
        assert.strictEqual(refused.status, 503)
        assert.strictEqual(refused.headers.get("retry-after"), "1")
        assert.strictEqual(refused.headers.get("x-request-id"), "my-own")
        assert.strictEqual(refused.headers.get("cache-control"), "no-store")
        assert.strictEqual(yield* Effect.promise(() => refused.text()), "")
        const explained = yield* ask("/x", { accept: "application/problem+json" })
        assert.match(explained.headers.get("content-type") ?? "", /^application\/problem\+json/)
        const problem = yield* Effect.promise(() => explained.json())
        assert.deepInclude(problem, { status: 503, title: "Service Unavailable" })
      })
    )
  )

  it.live("the 503 has CORS headers for listed origins only", () =>
    whileFull({ maxInFlight: 1, corsOrigins: ["https://a.example", "https://b.example"] }, 1, ({ ask }) =>
      Effect.gen(function* () {
        for (const [origin, allowed] of [
          ["https://b.example", "https://b.example"],
          ["https://c.example", null]
        ] as const) {
          const { status, headers } = yield* ask("/x", { origin })
          assert.strictEqual(status, 503)
          assert.strictEqual(headers.get("access-control-allow-origin"), allowed)
          assert.strictEqual(headers.get("vary"), "Origin")
        }
      })
    )
  )

  it.live("health and metrics are answered", () =>
    whileFull({ maxInFlight: 1 }, 1, ({ ask }) =>
      Effect.gen(function* () {
        for (const path of ["/health/live", "/health/ready", "/metrics"]) {
          assert.strictEqual((yield* ask(path)).status, 200)
        }
      })
    )
  )

  it.live("during a drain the 503 closes its connection", () =>
    whileFull({ maxInFlight: 1 }, 1, ({ announceDrain, port }) =>
      Effect.gen(function* () {
        const socket = yield* connection(port, "")
        yield* announceDrain
        const answered = yield* Effect.forkChild(statuses(socket, 1))
        socket.write(`GET /x HTTP/1.1\r\n${HEAD}\r\n`)
        assert.deepStrictEqual(yield* Fiber.join(answered), [503])
        yield* closed(socket)
      })
    )
  )

  it.live("a connection remains usable after a 503", () =>
    whileFull({ maxInFlight: 1 }, 1, ({ port, release }) =>
      Effect.gen(function* () {
        const socket = yield* connection(port, `POST /x HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nabc`)
        assert.deepStrictEqual(yield* statuses(socket, 1), [503])
        yield* release
        yield* Effect.sleep("50 millis")
        socket.write(`POST /x HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nabc`)
        assert.deepStrictEqual(yield* statuses(socket, 1), [200])
      })
    )
  )
})

describe("gauges of admission control", () => {
  const gauges = Effect.map(Metric.snapshot, (all) =>
    ["sojourn_connections", "sojourn_http_requests_in_flight"].map(
      (name) => (all.find(({ id }) => id === name)?.state as { readonly value: number } | undefined)?.value
    )
  )

  it.live("are reported while a server runs", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* gauges, [undefined, undefined])
      yield* whileFull({}, 5, () => Effect.map(gauges, (read) => assert.deepStrictEqual(read, [5, 5])))
      assert.deepStrictEqual(yield* gauges, [undefined, undefined])
    })
  )
})

describe("a connection on which nothing is sent after an answer", () => {
  it.live("is kept for --keep-alive, which its answers name, and closed then", () =>
    Effect.gen(function* () {
      for (const [keepAlive, seconds] of [
        [undefined, 65],
        ["1 seconds", 1]
      ] as const) {
        const { port } = yield* serving({ keepAlive })
        const socket = yield* connection(port, `GET /first HTTP/1.1\r\n${HEAD}\r\n`)
        const answer = yield* Effect.promise(() => once(socket, "data"))
        assert.match(String(answer), new RegExp(`^Keep-Alive: timeout=${seconds}\r$`, "m"))
        if (seconds === 1) yield* closed(socket)
      }
    }).pipe(Effect.scoped)
  )
})

describe("requests that are not in flight", () => {
  it.live("do not count towards --max-in-flight: incomplete bodies, and answers that clients do not read", () =>
    Effect.gen(function* () {
      const { ask, port } = yield* serving({ maxInFlight: 1 })
      for (const text of [SLOW_BODY, `GET /large HTTP/1.1\r\n${HEAD}\r\n`]) {
        for (let nth = 0; nth < 20; nth++) (yield* connection(port, text)).pause()
        assert.strictEqual((yield* ask("/x")).status, 200)
      }
    }).pipe(Effect.scoped)
  )
})

describe("a connection with pipelined requests", () => {
  it.live("is answered in order, one request after the other, and 503 from the 33rd unanswered one on", () =>
    Effect.gen(function* () {
      const { received, port, release } = yield* serving({})
      const socket = yield* connection(port, `GET /wait HTTP/1.1\r\n${HEAD}\r\n`.repeat(40))
      yield* received
      // The second one waits, also once all have arrived.
      assert.isTrue(Option.isNone(yield* Effect.timeoutOption(received, "200 millis")))
      const answers = yield* Effect.forkChild(statuses(socket, 40))
      yield* release
      assert.deepStrictEqual(yield* Fiber.join(answers), [...Array(32).fill(200), ...Array(8).fill(503)])
    }).pipe(Effect.scoped)
  )
})
