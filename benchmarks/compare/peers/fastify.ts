/** The movement endpoints written by hand with Fastify, as a peer for the comparison of throughput. */
import fastify, { type FastifyReply } from "fastify"
import { announce } from "../announce.ts"
import { type Caller, makeCallers } from "./callers.ts"
import type { Stays } from "./pg.ts"

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

/** A movement, whose shape Fastify checks by `SENT`. */
interface Movement {
  readonly movementType: 1 | -1 | "entrance" | "exit"
  readonly organizationId: number
  readonly timestamp?: string
  readonly exitToken?: string
}

/** How far ahead of the service's clock a movement may be, in milliseconds. */
const MAX_AHEAD_MS = 5 * 60_000

/** The time of a movement in UTC, now where it has none; undefined where it is too far ahead. */
const timeOf = ({ timestamp }: Movement): string | undefined => {
  if (timestamp === undefined) return new Date().toISOString()
  const time = Date.parse(timestamp)
  return time > Date.now() + MAX_AHEAD_MS ? undefined : new Date(time).toISOString()
}

const MAX_TOKENS = 100

/** The longest list of tokens in a path, in characters. */
const MAX_LIST_LENGTH = 10_000

const refuse = (reply: FastifyReply, status: number) => reply.code(status).send()

/** Serves the interface on some stays with Fastify. */
export const serve = async (stays: Stays, publicKey: string): Promise<void> => {
  const callerOf = makeCallers(publicKey)
  const app = fastify({ routerOptions: { maxParamLength: MAX_LIST_LENGTH } })
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
      if (request.body.movementType === 1 || request.body.movementType === "entrance") {
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
      if (tokens.length > MAX_TOKENS || tokens.includes("")) return refuse(reply, 400)
      const accesses = await stays.list(request.params.organizationId, tokens)
      return accesses.length === 0 ? refuse(reply, 204) : accesses
    }
  )

  await app.listen({ host: "127.0.0.1", port: 0 })
  announce(app.server)
}
