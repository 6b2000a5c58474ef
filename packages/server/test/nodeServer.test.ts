import { assert, describe, it } from "@effect/vitest"
import { DirectRequests } from "@sojourn/adapter-http"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { HttpServer, HttpServerResponse } from "effect/http"
import { layerNodeServer } from "../src/NodeServer.ts"

/** A server that is being closed, while a request is answered that was taken directly, or went the usual way. */
const whileClosing = Effect.fnUntraced(function* (path: string) {
  const asked = yield* Deferred.make<void>()
  const may = yield* Deferred.make<void>()
  const scope = yield* Scope.make()
  const usual = HttpServer.serve(
    Effect.gen(function* () {
      yield* Deferred.succeed(asked, undefined)
      yield* Deferred.await(may)
      return HttpServerResponse.text("usual")
    })
  )
  const direct = Layer.effectDiscard(
    Effect.gen(function* () {
      const offered = yield* DirectRequests
      const run = Effect.runForkWith(yield* Effect.context<never>())
      yield* offered!((request, response) => {
        if (request.url !== "/direct") return false
        run(
          Effect.gen(function* () {
            yield* Deferred.succeed(asked, undefined)
            yield* Deferred.await(may)
            response.writeHead(200, {})
            response.end("direct")
          })
        )
        return true
      })
    })
  )
  const built = yield* Layer.buildWithScope(
    Layer.provideMerge(Layer.merge(usual, direct), layerNodeServer({ host: "127.0.0.1", port: 0 })),
    scope
  )
  const url = HttpServer.formatAddress(Context.get(built, HttpServer.HttpServer).address)
  const answer = yield* Effect.forkChild(
    Effect.promise(async () => (await fetch(`${url}${path}`, { headers: { connection: "close" } })).text()),
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

describe("the end of a server", () => {
  for (const way of ["usual", "direct"]) {
    it.live(`waits for a request that is being answered: ${way}`, () =>
      Effect.map(whileClosing(`/${way}`), (text) => assert.strictEqual(text, way))
    )
  }
})
