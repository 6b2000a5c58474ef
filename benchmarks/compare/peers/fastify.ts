/** The movement endpoints written by hand with Fastify, as a peer for the comparison of throughput. */
import fastify, { type FastifyReply } from "fastify"
import { type Caller, makeCallers } from "./callers.ts"
import { isEntrance, type Movement, timeOf } from "./Movement.ts"
import { announce } from "./process.ts"
import type { Stays } from "./Stays.ts"

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | null
  }
}

const ID = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const
const TEXT = { type: "string" } as const

const SENT = {
  type: "object",
  required: ["movementType", "organizationId"],
  properties: {
    movementType: { enum: [1, -1, "entrance", "exit"] },
    organizationId: ID,
    timestamp: { type: "string", format: "date-time" },
    exitToken: TEXT,
    orgAuthServerId: TEXT
  }
}

const TRACKED = {
  type: "object",
  properties: { movementType: { type: "integer" }, organizationId: ID, timestamp: TEXT, exitToken: TEXT }
}

const COUNTER = { type: "object", properties: { organizationId: ID, counter: { type: "integer" } } }

const ACCESSES = {
  type: "array",
  items: {
    type: "object",
    properties: { id: ID, organizationId: ID, entranceTimestamp: TEXT, exitTimestamp: TEXT, exitToken: TEXT }
  }
}

const MOST_TOKENS = 100

/** As long as a list of tokens in a path may be, in characters. */
const LONGEST_LIST = 10_000

const refuse = (reply: FastifyReply, status: number) => reply.code(status).send()

/** Serves the interface on some stays with Fastify. */
export const serveFastify = async (stays: Stays): Promise<void> => {
  const callerOf = makeCallers()
  const app = fastify({ routerOptions: { maxParamLength: LONGEST_LIST } })
  app.decorateRequest("caller", null)
  app.addHook("onRequest", (request, reply, done) => {
    const caller = callerOf(request.headers.authorization)
    if (caller === undefined) {
      reply.code(401).header("www-authenticate", "Bearer").send()
      return
    }
    request.caller = caller
    done()
  })
  app.setErrorHandler((error: { readonly statusCode?: number }, _request, reply) =>
    refuse(reply, error.statusCode ?? 503)
  )

  app.post<{ Body: Movement }>(
    "/movement/track/organization",
    { schema: { body: SENT, response: { 201: TRACKED, 202: TRACKED } } },
    async (request, reply) => {
      if (request.caller?.kind !== "user") return refuse(reply, 403)
      const { organizationId, exitToken, timestamp } = request.body
      const at = timeOf(request.body)
      if (at === undefined) return refuse(reply, 400)
      if (isEntrance(request.body)) {
        const token = await stays.enter(organizationId, at)
        if (token === undefined) return refuse(reply, 400)
        return reply.code(201).send({ movementType: 1, organizationId, timestamp: at, exitToken: token })
      }
      if (exitToken === undefined) return refuse(reply, 400)
      const exit = await stays.leave(organizationId, exitToken, timestamp === undefined ? undefined : at)
      if (exit === undefined) return refuse(reply, 400)
      return reply.code(202).send({ movementType: -1, organizationId, timestamp: exit, exitToken })
    }
  )

  app.get<{ Params: { readonly organizationId: number } }>(
    "/presence/organization/:organizationId/counter",
    { schema: { params: { type: "object", properties: { organizationId: ID } }, response: { 200: COUNTER } } },
    async (request, reply) => {
      if (request.caller?.kind !== "administrator") return refuse(reply, 403)
      const { organizationId } = request.params
      const counted = await stays.count(organizationId, request.caller.id)
      if (counted === undefined) return refuse(reply, 404)
      if (counted.level === null) return refuse(reply, 403)
      return { organizationId, counter: counted.counter }
    }
  )

  app.get<{ Params: { readonly organizationId: number; readonly exitTokens: string } }>(
    "/access/organization/:organizationId/anonymous/:exitTokens",
    {
      schema: {
        params: { type: "object", properties: { organizationId: ID, exitTokens: TEXT } },
        response: { 200: ACCESSES }
      }
    },
    async (request, reply) => {
      if (request.caller?.kind !== "user") return refuse(reply, 403)
      const tokens = request.params.exitTokens.split(",")
      if (tokens.length > MOST_TOKENS || tokens.includes("")) return refuse(reply, 400)
      const accesses = await stays.list(request.params.organizationId, tokens)
      return accesses.length === 0 ? refuse(reply, 204) : accesses
    }
  )

  await app.listen({ host: "127.0.0.1", port: 0 })
  announce(app.server)
}
