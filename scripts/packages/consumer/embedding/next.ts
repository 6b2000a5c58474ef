/** Serves the route handlers of `route.ts` as Next.js does, with the other routes of the page beside them. */
import { createServer } from "node:http"
import { Readable } from "node:stream"
import type { ReadableStream } from "node:stream/web"
import * as route from "./route.ts"
import { comeIn, inside, sojourn, tokenOf } from "./service.ts"

type Handler = (request: Request) => Promise<Response>

const handlers = route as unknown as Readonly<Record<string, Handler | undefined>>

const own = async (path: string, visitor: string): Promise<Response | undefined> => {
  if (path === "/come-in") return Response.json(await comeIn(visitor))
  if (path === "/inside") return Response.json(await inside())
  return path === "/token" ? new Response(await tokenOf(visitor)) : undefined
}

const server = createServer(async (incoming, outgoing) => {
  const { method = "GET", url = "/", headers } = incoming
  const body = method === "GET" || method === "HEAD" ? null : Readable.toWeb(incoming)
  const init = { method, headers: headers as Record<string, string>, body, duplex: "half" }
  const request = new Request(`http://127.0.0.1${url}`, init as unknown as RequestInit)
  const answer = (await own(url, String(headers["x-visitor"]))) ?? (await handlers[method]!(request))
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body === null) outgoing.end()
  else Readable.fromWeb(answer.body as ReadableStream).pipe(outgoing)
})
server.listen(Number(process.env.PORT))
process.once("SIGTERM", () => {
  server.close()
  void sojourn.close()
})
