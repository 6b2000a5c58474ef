/** The Fastify plugin on a real Fastify, with the listener of an interface that a test stands in for. */
import Fastify from "fastify"
import type { IncomingMessage, ServerResponse } from "node:http"
import { expect, it } from "vitest"
import { fastifySojourn } from "../src/fastify.ts"

/** Answers what it was asked: the path and the body, and a stream that lasts until it is closed. */
const startEcho = () => {
  const streams = new Set<ServerResponse>()
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/stream") {
      streams.add(response.writeHead(200, { connection: "close" }))
      response.write("begun, ")
      return
    }
    let body = ""
    request.on("data", (part) => (body += part))
    request.on("end", () => response.end(JSON.stringify({ url: request.url, body })))
  }
  const close = async () => {
    for (const stream of streams) stream.end("the end")
  }
  return { listener, close }
}

it.each(["", "/presence"])(
  "serves the interface below the prefix %j, with its bodies, until Fastify closes",
  async (prefix) => {
    const app = Fastify()
    app.post("/own", (request, reply) => reply.send({ own: request.body }))
    app.register(fastifySojourn(startEcho()), { prefix })
    const origin = await app.listen({ port: 0 })
    const post = (path: string) =>
      fetch(origin + path, { method: "POST", body: '{"a": 1}', headers: { "content-type": "application/json" } })
    expect(await (await post(`${prefix}/organization/7?a=%2C`)).json()).toEqual({
      url: "/organization/7?a=%2C",
      body: '{"a": 1}'
    })
    expect(await (await post("/own")).json()).toEqual({ own: { a: 1 } })
    const stream = await fetch(`${origin}${prefix}/stream`)
    await app.close()
    expect(await stream.text()).toBe("begun, the end")
  }
)
