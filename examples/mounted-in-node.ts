/** Sojourn's interface mounted in a Node server that is there already: below `/presence`, beside the server's own paths. */
import { layerDispatcher, makeNodeListener } from "@sojourn/adapter-http"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import * as Memory from "@sojourn/adapter-memory"
import * as Sojourn from "@sojourn/core"
import { Effect, Layer, Redacted } from "effect"
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

const MOUNT = "/presence"

/** The interface as a listener of `node:http`, until the scope ends. */
const sojourn = Effect.fnUntraced(function* (key: OwnIssuer.SigningKey) {
  const dispatcher = yield* Layer.build(Layer.provide(layerDispatcher(), [Memory.layer, OwnIssuer.layer(key)]))
  return yield* Effect.provideContext(makeNodeListener, dispatcher)
})

/** What the server did before: it stays as it is. */
const before: RequestListener = (request, response) => response.end(`the old server at ${request.url}\n`)

const program = Effect.gen(function* () {
  const key = yield* Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode)
  const presence = yield* sojourn(key)

  const server = createServer((request, response) => {
    if (!request.url?.startsWith(`${MOUNT}/`)) return before(request, response)
    request.url = request.url.slice(MOUNT.length)
    return presence(request, response)
  })
  yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
  yield* Effect.addFinalizer(() => Effect.promise(() => once(server.close(), "close")))

  const tim = yield* OwnIssuer.mint(key, Sojourn.User(Sojourn.UserId.make("tim")), { expiresIn: 60 })
  const authorization = `Bearer ${Redacted.value(tim)}`
  const get = (path: string) =>
    Effect.promise(async () => {
      const { port } = server.address() as AddressInfo
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } })
      console.log(`GET ${path}: ${response.status} ${(await response.text()).slice(0, 50).trim()}`)
      return response.status
    })
  assert.equal(yield* get("/shop"), 200)
  assert.equal(yield* get("/presence/health/ready"), 200)
  assert.equal(yield* get("/presence/organization"), 204) // there are none yet
  assert.equal(yield* get("/presence/shop"), 404)
})

await Effect.runPromise(Effect.scoped(program))
