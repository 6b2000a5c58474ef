import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Arrivals } from "../arrivals/Arrivals.ts"
import { receive } from "../arrivals/run.ts"

/** Lets movements arrive at a server that answers so, and tells what came of them. */
const arriving = (
  answer: (response: ServerResponse) => void,
  how: Pick<Arrivals, "connections" | "isPatient" | "perSecond" | "seconds">
) =>
  Effect.gen(function* () {
    const server = createServer({ keepAliveTimeout: 1_000 }, (request, response) => {
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
      receive({ host: "127.0.0.1", port, organizationId: 1, tokens: ["one", "other"], ...how })
    )
  }).pipe(Effect.scoped)

const TRACKED = JSON.stringify({ exitToken: "token" })

describe("movements that arrive", () => {
  it.live("use no connection again that the server may be about to close", () =>
    Effect.gen(function* () {
      const answer = (response: ServerResponse) => void response.end(TRACKED)
      const seldom = yield* arriving(answer, { connections: 4, isPatient: false, perSecond: 0.9, seconds: 3.4 })
      assert.strictEqual(seldom.tracked.count, 3)
      assert.strictEqual(seldom.opened, 3)
      assert.deepStrictEqual(seldom.errors, {})
      const often = yield* arriving(answer, { connections: 4, isPatient: false, perSecond: 10, seconds: 0.5 })
      assert.strictEqual(often.tracked.count, 5)
      assert.strictEqual(often.opened, 1)
    })
  )

  it.live("wait for a free connection to the end, or go away when all have come", () =>
    Effect.gen(function* () {
      const answer = (response: ServerResponse) => void setTimeout(() => response.end(TRACKED), 100)
      const how = { connections: 1, perSecond: 100, seconds: 0.2 }
      const patient = yield* arriving(answer, { ...how, isPatient: true })
      assert.strictEqual(patient.tracked.count, 20)
      assert.strictEqual(patient.unsent, 0)
      const impatient = yield* arriving(answer, { ...how, isPatient: false })
      assert.isAbove(impatient.unsent, 0)
      assert.strictEqual(impatient.tracked.count + impatient.unsent, 20)
    })
  )
})
