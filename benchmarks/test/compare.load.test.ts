/** The closed-loop generator: it parses answers, pairs movements, and fails on a wrong answer. */
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeAnswers } from "../load/Answers.ts"
import { makeLoad } from "../load/Load.ts"

const serving = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

const job = (port: number) => ({ host: "127.0.0.1", port, connections: 3, seconds: 0.05 })

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
      const inside = new Set<string>()
      let left = 0
      const port = yield* serving((request, response) => {
        let text = ""
        request.on("data", (chunk) => (text += chunk))
        request.on("end", () => {
          const { movementType, exitToken } = JSON.parse(text)
          const who = request.headers.authorization!
          if (movementType === 1) {
            const token = `${who} ${inside.size} ${left}`
            inside.add(token)
            return response.writeHead(201).end(JSON.stringify({ exitToken: token }))
          }
          left++
          return response.writeHead(inside.delete(exitToken) && exitToken.startsWith(who) ? 202 : 400).end()
        })
      })
      const load = yield* makeLoad
      const work = { _tag: "Pairs", path: "/", organizationId: 1, tokens: ["a", "b", "c", "d"] } as const
      const outcome = yield* load.run({ ...job(port), work })
      assert.isAbove(outcome.pairs, 0)
      assert.deepInclude(outcome, { pairs: left, requests: 2 * left, errors: {} })
      assert.strictEqual(inside.size, 0)
    })
  )

  it.live("fails where anything is answered otherwise than it should be", () =>
    Effect.gen(function* () {
      let nth = 0
      const port = yield* serving((_request, response) => response.writeHead(nth++ === 5 ? 503 : 200).end("x"))
      const load = yield* makeLoad
      const requests = [{ method: "GET", path: "/", token: "a" }] as const
      const failed = yield* Effect.flip(load.run({ ...job(port), work: { _tag: "Requests", requests, status: 200 } }))
      assert.include(failed.message, "1 times status 503")
    })
  )
})
