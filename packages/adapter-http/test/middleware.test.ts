/** The Node listener as a middleware: of the host's other arguments, and of a body that the host has read before. */
import { layerDispatcher, makeNodeListener } from "@sojourn/adapter-http"
import * as Memory from "@sojourn/adapter-memory"
import { Authenticator, NotAuthenticated } from "@sojourn/core"
import { Effect, Layer, ManagedRuntime } from "effect"
import { createServer, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, it } from "vitest"

const refusing = Layer.succeed(Authenticator, {
  authenticate: () => Effect.fail(new NotAuthenticated({ reason: "nobody" }))
})
const runtime = ManagedRuntime.make(Layer.provide(layerDispatcher(), [Memory.layer, refusing]))
const listener = await runtime.runPromise(makeNodeListener)
const next = () => assert.fail("the interface answers every path below it")
const server = createServer(async (request, response) => {
  if (request.headers["x-host"] === "reads bodies") for await (const _ of request);
  if (request.headers["x-host"] === "reads a part") {
    await new Promise<void>((resolve) => request.once("data", () => resolve(void request.pause())))
  }
  listener(request, response, next)
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
afterAll(async () => {
  server.close()
  await runtime.dispose()
})

it("is a middleware: the next one is not taken for what Node says of `Expect`", async () => {
  const informed: Array<number> = []
  const status = await new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const headers = { "content-type": "application/x-www-form-urlencoded", "transfer-encoding": "chunked" }
    const sent = send({ port, method: "POST", path: "/authentication/token", headers, agent: false })
    sent.on("information", ({ statusCode }) => informed.push(statusCode))
    sent.on("response", (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on("error", reject)
    sent.end("grant_type=password&username=ada&password=secret")
  })
  assert.strictEqual(status, 404)
  assert.deepStrictEqual(informed, [])
})

it("is a middleware behind one that reads bodies: such a request is refused, and says what to do", async () => {
  const { port } = server.address() as AddressInfo
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/problem+json" }
  const ask = (host: string, body: string | ReadableStream) =>
    fetch(`http://127.0.0.1:${port}/authentication/token`, {
      method: "POST",
      headers: { ...headers, "x-host": host },
      body,
      ...(typeof body === "string" ? {} : { duplex: "half" })
    } as RequestInit)
  for (const host of ["reads bodies", "reads a part"]) {
    for (const body of ["grant_type=password", "a".repeat(100_000), new Blob(["a".repeat(1000)]).stream()]) {
      const answer = await ask(host, body)
      assert.strictEqual(answer.status, 400)
      assert.match((await answer.json()).detail, /before it parses/)
    }
  }
  const without = await fetch(`http://127.0.0.1:${port}/health/live`, { headers: { "x-host": "reads bodies" } })
  assert.strictEqual(without.status, 200)
})
