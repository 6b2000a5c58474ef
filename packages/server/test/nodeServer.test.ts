import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { HttpServer } from "effect/http"
import { layerNodeServer, NodeRequests } from "../src/NodeServer.ts"

/** Starts a server and closes it while it handles a request. */
const whileClosing = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const may = yield* Deferred.make<void>()
  const scope = yield* Scope.make()
  const serving = Layer.effectDiscard(
    Effect.gen(function* () {
      const { serve } = yield* NodeRequests
      const run = Effect.runForkWith(yield* Effect.context<never>())
      yield* serve((_, response) => {
        run(
          Effect.gen(function* () {
            yield* Deferred.succeed(asked, undefined)
            yield* Deferred.await(may)
            response.writeHead(200, {})
            response.end("answered")
          })
        )
      })
    })
  )
  const built = yield* Layer.buildWithScope(
    Layer.provideMerge(serving, layerNodeServer({ host: "127.0.0.1", port: 0 })),
    scope
  )
  const url = HttpServer.formatAddress(Context.get(built, HttpServer.HttpServer).address)
  const answer = yield* Effect.forkChild(
    Effect.promise(async () => (await fetch(url, { headers: { connection: "close" } })).text()),
    { startImmediately: true }
  )
  yield* Deferred.await(asked)
  const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
  yield* Effect.sleep("50 millis")
  assert.isUndefined(closing.pollUnsafe(), "the server waits for the request")
  yield* Deferred.succeed(may, undefined)
  const text = yield* Fiber.join(answer)
  yield* Fiber.join(closing)
  return text
})

describe("closing a server", () => {
  it.live("waits for the request in flight", () =>
    Effect.map(whileClosing, (text) => assert.strictEqual(text, "answered"))
  )
})
