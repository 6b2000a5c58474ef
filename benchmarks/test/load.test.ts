/** The load generator: it parses answers, pairs movements, keeps a rate, and reports what went wrong. */
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeAnswers } from "../load/Answers.ts"
import { generate } from "../load/generate.ts"
import type { Work } from "../load/Job.ts"
import { requireRight, startLoad } from "../load/Load.ts"

const serving = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer({ keepAliveTimeout: 1_500 }, listener)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

/** Answers movements, and keeps who is inside. */
const tracking = (delay = 0) => {
  const inside = new Set<string>()
  let left = 0
  const listener: RequestListener = (request, response) => {
    let text = ""
    request.on("data", (chunk) => (text += chunk))
    request.on("end", () => {
      const { movementType, exitToken } = JSON.parse(text)
      const user = request.headers.authorization!
      const answer = () => {
        if (movementType === 1) {
          const token = `${user} ${inside.size} ${left}`
          inside.add(token)
          return response.writeHead(201).end(JSON.stringify({ exitToken: token }))
        }
        left++
        return response.writeHead(inside.delete(exitToken) && exitToken.startsWith(user) ? 202 : 400).end()
      }
      if (delay === 0) answer()
      else setTimeout(answer, delay)
    })
  }
  return { inside, left: () => left, listener }
}

const USERS = { organizationId: 1, tokens: ["a", "b", "c", "d"] }

const job = (port: number, work: Work, connections = 3, seconds = 0.05) => ({
  host: "127.0.0.1",
  port,
  connections,
  seconds,
  work
})

describe("the load generator", () => {
  for (const [kind, answer] of [
    ["a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"],
    ["chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"]
  ] as const) {
    it(`reads an answer with ${kind}, wherever it is cut, and the next one after it`, () => {
      for (let cut = 1; cut < answer.length; cut++) {
        const answers = makeAnswers()
        const read = (arrived: Buffer) => {
          const answer = answers(arrived)
          return answer && { status: answer.status, body: answer.body }
        }
        assert.isUndefined(read(Buffer.from(answer.slice(0, cut))), `cut at ${cut}`)
        assert.deepStrictEqual(read(Buffer.from(answer.slice(cut))), { status: 200, body: "hello" })
        assert.deepStrictEqual(read(Buffer.from("HTTP/1.1 204 No Content\r\n\r\n")), { status: 204, body: "" })
      }
    })
  }

  it.live("gives each exit the token of its entrance, and leaves no stay open", () =>
    Effect.gen(function* () {
      const { inside, left, listener } = tracking()
      const port = yield* serving(listener)
      const load = yield* startLoad
      const outcome = yield* load(job(port, { _tag: "Pairs", ...USERS }))
      assert.isAbove(outcome.exits, 0)
      assert.deepInclude(outcome, { exits: left(), entrances: left(), requests: 2 * left(), errors: {} })
      assert.strictEqual(inside.size, 0)
    })
  )

  it.live("fails where anything is answered otherwise than it should be", () =>
    Effect.gen(function* () {
      let nth = 0
      const port = yield* serving((_request, response) => response.writeHead(nth++ === 0 ? 503 : 200).end("x"))
      const load = yield* startLoad
      const outcome = yield* load(job(port, { _tag: "Reads", reads: [{ path: "/", token: "a" }] }))
      assert.include((yield* Effect.flip(requireRight(outcome))).message, "1 times status 503")
    })
  )

  it.live("sends as many movements as the rate says, also over few connections", () =>
    Effect.gen(function* () {
      const { inside, left, listener } = tracking(5)
      const port = yield* serving(listener)
      const work = { _tag: "Arrivals", ...USERS, perSecond: 400 } as const
      const outcome = yield* Effect.promise(() => generate(job(port, work, 2, 0.5)))
      assert.deepInclude(outcome, { requests: 200, exits: left(), refused: 0, unsent: 0, errors: {} })
      assert.strictEqual(outcome.entrances - outcome.exits, inside.size)
      assert.isAbove(left(), 0)
    })
  )

  it.live("does not use a connection again that the server may be about to close", () =>
    Effect.gen(function* () {
      const sockets = new Set<unknown>()
      const { listener } = tracking()
      const port = yield* serving((request, response) => {
        sockets.add(request.socket)
        listener(request, response)
      })
      const work = { _tag: "Arrivals", ...USERS, perSecond: 0.8 } as const
      const outcome = yield* Effect.promise(() => generate(job(port, work, 4, 2.6)))
      assert.deepInclude(outcome, { requests: 2, errors: {} })
      assert.strictEqual(sockets.size, 2)
    })
  )

  it.live("counts refusals, movements without a connection, and answers that do not come", () =>
    Effect.gen(function* () {
      const busy = (response: ServerResponse) => response.writeHead(503, { "retry-after": "1" }).end()
      const work = { _tag: "Arrivals", ...USERS, perSecond: 100 } as const
      const refusing = yield* serving((_request, response) => busy(response))
      const refused = yield* Effect.promise(() => generate(job(refusing, work, 2, 0.1)))
      assert.deepInclude(refused, { requests: 0, refused: 10, errors: {} })
      const silent = yield* serving(() => {})
      const unanswered = yield* Effect.promise(() => generate(job(silent, work, 2, 0.1), 200))
      assert.deepInclude(unanswered, { requests: 0, unsent: 8, errors: { "not answered": 2 } })
    })
  )
})
