/** Node's own HTTP server, the caller and the shape of a movement, and an answer made up: what nothing with a database reaches. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { makeCallers } from "./callers.ts"
import { newSecret, tokenOf } from "./ExitToken.ts"
import { isEntrance, isMovement, timeOf } from "./Movement.ts"
import { announce } from "./process.ts"

const callerOf = makeCallers()
let made = 0

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const refuse = (response: ServerResponse, status: number) => response.writeHead(status, { "content-length": 0 }).end()

const answer = (response: ServerResponse, status: number, body: unknown) => {
  const text = JSON.stringify(body)
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text)
}

const track = (response: ServerResponse, movement: unknown) => {
  if (!isMovement(movement)) return refuse(response, 400)
  const at = timeOf(movement)
  if (at === undefined) return refuse(response, 400)
  const { organizationId, exitToken } = movement
  if (isEntrance(movement)) {
    const token = tokenOf(++made, newSecret())
    return answer(response, 201, { movementType: 1, organizationId, timestamp: at, exitToken: token })
  }
  if (exitToken === undefined) return refuse(response, 400)
  return answer(response, 202, { movementType: -1, organizationId, timestamp: at, exitToken })
}

const serve = (request: IncomingMessage, response: ServerResponse) => {
  if (request.method !== "POST" || request.url !== "/movement/track/organization") return refuse(response, 404)
  const caller = callerOf(request.headers.authorization)
  if (caller === undefined) return refuse(response, 401)
  if (caller.kind !== "user") return refuse(response, 403)
  let text = ""
  request.setEncoding("utf8")
  request.on("data", (chunk: string) => (text += chunk))
  request.on("end", () => track(response, parse(text)))
  return response
}

const server = createServer(serve)
server.listen(0, "127.0.0.1", () => announce(server))
