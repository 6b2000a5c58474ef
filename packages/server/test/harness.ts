/** The real server in the process of a test, on the storage of the run. It checks what holds of every answer. */
import { PROBLEM_URIS } from "@sojourn/adapter-http/api"
import { type Oidc, OwnIssuer } from "@sojourn/adapter-jwt"
import { layerRateLimitStore } from "@sojourn/adapter-memory"
import {
  ExitTokens,
  type ExitTokenScheme,
  layerSecretKeysEphemeral,
  PresenceFeed,
  type Stores,
  Timestamp,
  type WebhookReceiverPolicy,
  WebhookReceivers
} from "@sojourn/core"
import { layerNodeServer, layerServer, type NodeServerOptions, type ServerOptions } from "@sojourn/server"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import * as HttpServer from "effect/http/HttpServer"
import * as net from "node:net"
import { afterAll, expect } from "vitest"
import { layerDemoDirectory } from "../src/demo/people.ts"
import { layerAuthenticator } from "../src/identity/issuers.ts"
import { layerRateLimits, type RateLimits } from "../src/limits/RateLimits.ts"
import { layerWebhooks, PasswordCost, type ScryptCost } from "@sojourn/service"
import { type Answer, type Bearer, type Call, type Callers, makeCall, makeCallers, type Sent } from "./callers.ts"
import { makeAgent } from "./httpClient.ts"

import { storageOfThisRun } from "./stores/registry.ts"

/** The bytes received on a raw connection, and whether the server closed it. */
export interface Exchange {
  readonly text: string
  readonly status: number
  readonly statuses: ReadonlyArray<number>
  readonly closed: boolean
}

export type { Answer, Bearer, Sent }

const PROBLEM = "application/problem+json"
const PROBLEM_TYPES = Object.values(PROBLEM_URIS)
const ASKS_FOR_PROBLEM = /(^|,)\s*application\/problem\+json\s*(;(?!\s*q=0\s*(,|$))[^,]*)?(,|$)/i
const STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const auditValue = (value: unknown, name: string): void => {
  expect(value, `${name} is left out, never null`).not.toBeNull()
  // Whom an entry of the audit names has an id of their own kind.
  if (name === "actor" || name === "target") return
  if (typeof value === "object") for (const [key, inner] of Object.entries(value!)) auditValue(inner, key)
  else if (/Timestamp$|Date$|^timestamp$/.test(name)) expect(value, name).toMatch(STAMP)
  else if (/^(id|organizationId|placeId)$/.test(name))
    expect(value, name).toSatisfy((id) => Number.isSafeInteger(id) && id > 0)
}

/** Checks what holds for every answer (spec: http#headers). */
const audit = (answer: Answer, sent: Sent, path: string): Answer => {
  const { status, headers, text } = answer
  expect(status, `no input gives a 5xx: ${text}`).toSatisfy((s: number) => s < 500 || s === 502)
  expect(headers["x-request-id"], "every answer has a request id").toMatch(/^[\x21-\x7e]{1,128}$/)
  expect(headers["access-control-allow-origin"], "CORS is off").toBeUndefined()
  if (status === 204 || status === 205) expect(text, `${status} has no body`).toBe("")
  if (status === 401) expect(headers["www-authenticate"]).toMatch(/^Bearer\b/)
  if (status === 405) expect(headers.allow, "405 says what is allowed").toBeTruthy()
  if (status >= 400) {
    if (ASKS_FOR_PROBLEM.test(String(sent.headers?.["accept"] ?? ""))) {
      expect(headers["content-type"]).toMatch(PROBLEM)
      if (text !== "") expect(PROBLEM_TYPES, "each problem has a type of the table").toContain(answer.json.type)
    } else expect(text, "an error has an empty body").toBe("")
  }
  if (headers["content-type"]?.startsWith("text/csv") === true) {
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8")
    expect(String(sent.headers?.["accept"]), "CSV is asked for").toMatch(/\btext\/csv\b/i)
  } else if (status < 300 && text !== "" && !/^\/(docs|metrics|openapi|asyncapi|\.well-known)/.test(path)) {
    expect(headers["content-type"]).toMatch(/^application\/json\b/)
    auditValue(answer.json, "body")
  }
  return answer
}

/** The real server on a free loopback port and the storage of this run, with functions that call it. */
export interface Sojourn extends Callers {
  readonly port: number
  readonly baseUrl: string
  /** The keys with which it signs bearer tokens and derives exit tokens. */
  readonly keys: { readonly key: OwnIssuer.SigningKey; readonly tokens: ExitTokenScheme }
  /** Sends one request, and checks the answer for what holds of every answer. */
  readonly call: Call
  /**
   * Writes bytes to a new connection; ends when the server closes it, sends nothing more for `quiet` milliseconds, or
   * nothing at all for `silence` of them.
   */
  readonly raw: (bytes: string | Uint8Array, quiet?: number, silence?: number) => Promise<Exchange>
  readonly stop: () => Promise<void>
  /** Forgets the events of all feeds up to now, but for the last of each, as a server does after `--feed-retention`. */
  readonly forgetEvents: () => Promise<void>
  /** Starts another server on the same storage, for the same callers. */
  readonly startBeside: (options?: Options) => Promise<Sojourn>
}

export interface Options {
  /** The stores; those of this run by default. */
  readonly stores?: Layer.Layer<Stores>
  /** The bounds of presence streams. */
  readonly streams?: ServerOptions["streams"]
  /** The bounds of the server. */
  readonly bounds?: Partial<NodeServerOptions>
  readonly corsOrigins?: ReadonlyArray<string>
  /** The rate limits; none by default. */
  readonly limits?: RateLimits
  /** What hashing a password costs; next to nothing by default. */
  readonly passwordCost?: ScryptCost
  /** Whether the administrators' page is answered at `/`; not, by default. */
  readonly page?: ServerOptions["page"]
  /** Issuers beside the own one. */
  readonly issuers?: ReadonlyArray<Oidc.Options>
  /** Delivers webhooks to these receivers; not at all, when left out. */
  readonly webhooks?: { readonly policy: WebhookReceiverPolicy; readonly certificates: ReadonlyArray<string> }
}

export const startSojourn = async (options: Options = {}): Promise<Sojourn> => {
  const key = await Effect.runPromise(Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode))
  const scope = await Effect.runPromise(Scope.make())
  const storage = Layer.mergeAll(options.stores ?? storageOfThisRun, layerSecretKeysEphemeral)
  const kept = Layer.succeedContext(await Effect.runPromise(Layer.buildWithScope(storage, scope)))
  return startOn(kept, key, scope, options)
}

/** Starts a server on a storage, which is closed with the scope. */
const startOn = async (
  storage: Layer.Layer<Layer.Success<typeof storageOfThisRun | typeof layerSecretKeysEphemeral>>,
  key: OwnIssuer.SigningKey,
  scope: Scope.Closeable,
  {
    corsOrigins = [],
    limits,
    passwordCost = { N: 2, r: 8, p: 1 },
    page = false,
    issuers,
    streams,
    bounds,
    webhooks
  }: Options
): Promise<Sojourn> => {
  const server = layerServer({
    key,
    directory: layerDemoDirectory,
    policy: { allow: [] },
    corsOrigins,
    page,
    authenticator: issuers === undefined ? undefined : layerAuthenticator({ own: key, others: issuers }),
    streams
  }).pipe(
    Layer.provide(Layer.succeed(PasswordCost, passwordCost)),
    Layer.merge(webhooks === undefined ? Layer.empty : layerWebhooks(webhooks)),
    Layer.provide(webhooks === undefined ? Layer.empty : Layer.succeed(WebhookReceivers, webhooks.policy)),
    Layer.provide(
      limits === undefined ? Layer.empty : layerRateLimits(limits).pipe(Layer.provide(layerRateLimitStore))
    ),
    Layer.provide(storage),
    Layer.provideMerge(layerNodeServer({ host: "127.0.0.1", port: 0, ...bounds }))
  )
  const context = await Effect.runPromise(Layer.buildWithScope(server, scope))
  const baseUrl = HttpServer.formatAddress(Context.get(context, HttpServer.HttpServer).address)
  const port = Number(new URL(baseUrl).port)
  const agent = makeAgent(64)

  const call = makeCall(baseUrl, agent)

  const raw = (bytes: string | Uint8Array, quiet = 1500, silence = 30_000): Promise<Exchange> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(port, "127.0.0.1")
      const parts: Array<Buffer> = []
      let closed = false
      socket.setTimeout(silence, () => socket.destroy())
      socket.on("data", (part) => {
        parts.push(part)
        socket.setTimeout(quiet)
      })
      socket.on("end", () => (closed = true))
      socket.on("error", (error) => (parts.length === 0 ? reject(error) : (closed = true)))
      socket.on("close", () => {
        const text = Buffer.concat(parts).toString("latin1")
        const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]))
        resolve({ text, statuses, status: statuses[0] ?? 0, closed })
      })
      socket.write(bytes)
    })

  return {
    port,
    baseUrl,
    keys: { key, tokens: await Effect.runPromise(Effect.provide(Effect.flatten(ExitTokens), storage)) },
    ...makeCallers(key),
    call: async (who, method, path, sent = {}) => audit(await call(who, method, path, sent), sent, path),
    raw,
    stop: async () => {
      agent.destroy()
      await Effect.runPromise(Scope.close(scope, Exit.void))
    },
    forgetEvents: async () => {
      const forget = PresenceFeed.use((feed) => feed.forget(Timestamp(Date.now() + 1), 1_000_000))
      await Effect.runPromise(Effect.provide(forget, storage))
    },
    startBeside: async (options = {}) => startOn(storage, key, await Effect.runPromise(Scope.make()), options)
  }
}

/** Starts one server for a whole test file. */
export const sojournForThisFile = async (options?: Options): Promise<Sojourn> => {
  const sojourn = await startSojourn(options)
  afterAll(sojourn.stop)
  return sojourn
}
