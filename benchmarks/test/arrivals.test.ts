/** The open-loop generator against servers that keep, close and delay connections. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Arrivals } from "../arrivals/Arrivals.ts"
import { receive } from "../arrivals/run.ts"

/** Lets movements arrive at a server that answers so, and tells what came of them. */
const arriving = (
  answer: (response: ServerResponse) => void,
  how: Pick<Arrivals, "connections" | "patience" | "perSecond" | "seconds">,
  { lastAnswers, kept = 1_000 }: { readonly lastAnswers?: number; readonly kept?: number } = {}
) =>
  Effect.gen(function* () {
    const server = createServer({ keepAliveTimeout: kept }, (request, response) => {
      let body = ""
      request.on("data", (part) => (body += part))
      request.on("end", () => {
        response.statusCode = body.includes("exitToken") ? 202 : 201
        answer(response)
      })
    })
    const port = yield* Effect.acquireRelease(
      Effect.callback<number>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
      }),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    return yield* Effect.promise(() =>
      receive({ host: "127.0.0.1", port, organizationId: 1, tokens: ["one", "other"], ...how }, lastAnswers)
    )
  }).pipe(Effect.scoped)

const TRACKED = JSON.stringify({ exitToken: "token" })

describe("movements that arrive", () => {
  it.live("use no connection again that the server may be about to close", () =>
    Effect.gen(function* () {
      const answer = (response: ServerResponse) => void response.end(TRACKED)
      const seldom = yield* arriving(answer, { connections: 4, patience: 0, perSecond: 0.5, seconds: 4 })
      assert.strictEqual(seldom.tracked.count, 2)
      assert.strictEqual(seldom.opened, 2)
      assert.deepStrictEqual(seldom.errors, {})
      const how = { connections: 1, patience: 20_000, perSecond: 10, seconds: 0.5 }
      const often = yield* arriving(answer, how, { kept: 60_000 })
      assert.strictEqual(often.tracked.count, 5)
      assert.strictEqual(often.opened, 1)
      // When the server answered is not known, where the answer is read late: only that it was after the question.
      const slowly = (response: ServerResponse) => void setTimeout(() => answer(response), 1_200)
      const late = yield* arriving(slowly, { connections: 4, patience: 0, perSecond: 1 / 1.5, seconds: 3 })
      assert.strictEqual(late.tracked.count, 2)
      assert.strictEqual(late.opened, 2)
      // Nor is one that has waited for a connection sent over such a one.
      const queued = yield* arriving(slowly, how)
      assert.strictEqual(queued.tracked.count, 5)
      assert.strictEqual(queued.opened, 5)
      assert.deepStrictEqual(queued.errors, {})
    })
  )

  it.live("wait for no connection that was said to be over, but get another", () =>
    Effect.gen(function* () {
      const answer = (response: ServerResponse) =>
        void setTimeout(() => response.setHeader("connection", "close").end(TRACKED), 50)
      const closed = yield* arriving(answer, { connections: 1, patience: 20_000, perSecond: 100, seconds: 0.1 })
      assert.strictEqual(closed.tracked.count, 10)
      assert.strictEqual(closed.opened, 10)
      assert.deepStrictEqual(closed.errors, {})
    })
  )

  it.live("wait for a free connection for a while after all have come, and are answered if they were sent", () =>
    Effect.gen(function* () {
      const after = (milliseconds: number) => (response: ServerResponse) =>
        void setTimeout(() => response.end(TRACKED), milliseconds)
      const how = { connections: 1, perSecond: 100, seconds: 0.2 }
      const patient = yield* arriving(after(100), { ...how, patience: 20_000 })
      assert.strictEqual(patient.tracked.count, 20)
      assert.strictEqual(patient.unsent, 0)
      for (const patience of [0, 3_000]) {
        const impatient = yield* arriving(after(1_000), { ...how, patience }, { lastAnswers: 2_500 })
        assert.isAbove(impatient.unsent, 0)
        assert.strictEqual(impatient.tracked.count + impatient.unsent, 20)
        assert.deepStrictEqual(impatient.errors, {})
      }
    })
  )
})
