/* oxlint-disable oxc/no-async-endpoint-handlers -- Express 5 takes a rejected promise as an error. */
/** Express and drizzle, one statement for one request. */
import { createServer } from "node:http"
import express, { type ErrorRequestHandler, type NextFunction, type Request, type Response } from "express"
import { type Caller, makeCallers } from "./callers.ts"
import { makeDrizzleStays } from "./drizzle.ts"
import { isEntrance, isMovement, timeOf } from "./Movement.ts"
import { announce } from "./process.ts"

const MOST_TOKENS = 100

const callerOf = makeCallers()
const stays = makeDrizzleStays()

/** Admits callers of one kind, before the body is read. */
const admit =
  (kind: string) =>
  <Parameters>(request: Request<Parameters>, response: Response, next: NextFunction) => {
    const caller = callerOf(request.headers.authorization)
    if (caller === undefined) return void response.status(401).set("www-authenticate", "Bearer").end()
    if (caller.kind !== kind) return void response.status(403).end()
    response.locals.caller = caller
    next()
  }

const idOf = (text: string): number | undefined => {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

const app = express()
app.disable("x-powered-by")
app.disable("etag")

app.post("/movement/track/organization", admit("user"), express.json(), async (request, response) => {
  const movement: unknown = request.body
  if (!isMovement(movement)) return void response.status(400).end()
  const at = timeOf(movement)
  if (at === undefined) return void response.status(400).end()
  const { organizationId, exitToken, timestamp } = movement
  if (isEntrance(movement)) {
    const token = await stays.enter(organizationId, at)
    if (token === undefined) return void response.status(400).end()
    return void response.status(201).json({ movementType: 1, organizationId, timestamp: at, exitToken: token })
  }
  if (exitToken === undefined) return void response.status(400).end()
  const exit = await stays.leave(organizationId, exitToken, timestamp === undefined ? undefined : at)
  if (exit === undefined) return void response.status(400).end()
  return void response.status(202).json({ movementType: -1, organizationId, timestamp: exit, exitToken })
})

app.get("/presence/organization/:organizationId/counter", admit("administrator"), async (request, response) => {
  const organizationId = idOf(request.params.organizationId)
  if (organizationId === undefined) return void response.status(400).end()
  const counted = await stays.count(organizationId, (response.locals.caller as Caller).id)
  if (counted === undefined) return void response.status(404).end()
  if (counted.level === null) return void response.status(403).end()
  return void response.json({ organizationId, counter: counted.counter })
})

app.get("/access/organization/:organizationId/anonymous/:exitTokens", admit("user"), async (request, response) => {
  const organizationId = idOf(request.params.organizationId)
  const tokens = request.params.exitTokens.split(",")
  if (organizationId === undefined || tokens.length > MOST_TOKENS || tokens.includes("")) {
    return void response.status(400).end()
  }
  const accesses = await stays.list(organizationId, tokens)
  return accesses.length === 0 ? void response.status(204).end() : void response.json(accesses)
})

const refuse: ErrorRequestHandler = (error: { readonly status?: number }, _request, response, _next) => {
  response.status(error.status ?? 503).end()
}
app.use(refuse)

const server = createServer(app)
server.listen(0, "127.0.0.1", () => announce(server))
