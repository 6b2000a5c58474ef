/** Core's `WebhookSender` over HTTPS: it connects to checked addresses only, and reads little of a response. */
import {
  WebhookReceivers,
  type WebhookRequest,
  type WebhookResponse,
  WebhookSender,
  WebhookUnreachable,
  type WebhookUrl
} from "@sojourn/core"
import { makeConnectTls, wordsFor } from "@sojourn/outbound"
import { Cause, Data, Effect, Exit, Fiber, Layer, Scope } from "effect"
import * as http from "node:http"
import type { TLSSocket } from "node:tls"
import { StartupError, layerFailed, onOneLine } from "../shared/StartupError.ts"
import { type ConnectingOptions, ReceiverConnections } from "./ReceiverConnections.ts"

/** How much of a response's body is read, in bytes, and for how long, in milliseconds, to use its connection again. */
const MAX_BODY_BYTES = 16 * 1024
const READ_TIMEOUT_MS = 1_000

const unreachable = (reason: string) => new WebhookUnreachable({ reason })

/** The receiver closed a connection that was used before without an answer, most likely before it got the request. */
class ConnectionLost extends Data.TaggedError("ConnectionLost")<{}> {}

/** The codes of errors of a connection that the other side closed. */
const CLOSED: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE"])

/** Makes a connection, which is open until it is destroyed. */
type Connect = (url: WebhookUrl) => Effect.Effect<TLSSocket, WebhookUnreachable>

/** Reads the rest of a response, and closes its connection where there is too much of it. */
const readRest = (response: http.IncomingMessage) => {
  let length = 0
  const close = () => response.destroy()
  const late = setTimeout(close, READ_TIMEOUT_MS)
  response.on("data", (part: Buffer) => {
    length += part.length
    if (length > MAX_BODY_BYTES) close()
  })
  response.on("error", () => {})
  response.on("close", () => clearTimeout(late))
}

/** Sends the request on a free connection or a new one, and answers what is kept of the response. */
const post = (
  connections: ReceiverConnections,
  connect: Connect,
  { url, headers, body }: WebhookRequest
): Effect.Effect<WebhookResponse, WebhookUnreachable | ConnectionLost> =>
  Effect.callback((resume) => {
    const host = url.host.includes(":") ? `[${url.host}]` : url.host
    let connecting: Fiber.Fiber<TLSSocket, WebhookUnreachable> | undefined
    const options: ConnectingOptions = {
      agent: connections,
      host: url.host,
      port: url.port,
      connect: (done) => {
        connecting = Effect.runFork(connect(url))
        connecting.addObserver((exit) =>
          Exit.isSuccess(exit) ? done(null, exit.value) : done(Cause.squash(exit.cause) as Error)
        )
      },
      method: "POST",
      path: url.path,
      headers: {
        host: url.port === 443 ? host : `${host}:${url.port}`,
        "user-agent": "sojourn",
        ...headers,
        "content-length": Buffer.byteLength(body)
      }
    }
    const request = http.request(options)
    request.on("response", (response) => {
      readRest(response)
      resume(Effect.succeed({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] }))
    })
    request.on("upgrade", (_response, socket) => {
      socket.destroy()
      resume(Effect.fail(unreachable("the receiver switched to another protocol")))
    })
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (error instanceof WebhookUnreachable) return resume(Effect.fail(error))
      if (!request.reusedSocket || !CLOSED.has(error.code)) return resume(Effect.fail(unreachable(wordsFor(error))))
      connections.closeFree(url)
      resume(Effect.fail(new ConnectionLost()))
    })
    request.end(body)
    return Effect.suspend(() => {
      request.destroy()
      return connecting === undefined ? Effect.void : Fiber.interrupt(connecting)
    })
  })

/** How webhooks are sent. */
export interface SenderOptions {
  /** Certificates of authorities to trust besides those of Node, as PEM. */
  readonly certificates?: ReadonlyArray<string>
}

/**
 * Sends deliveries over HTTPS. For each connection the receiver's name is resolved, and each of its addresses is checked before
 * connecting. A connection is used again for a minute, while its requests follow each other within 4 seconds.
 */
export const layerHttpsSender = ({ certificates = [] }: SenderOptions = {}): Layer.Layer<WebhookSender, StartupError> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const connectTls = yield* makeConnectTls({ certificates })
      const policy = yield* WebhookReceivers
      const connections = yield* Effect.acquireRelease(
        Effect.sync(() => new ReceiverConnections()),
        (all) => Effect.sync(() => all.destroy())
      )
      const connect: Connect = (url) =>
        Effect.flatMap(Scope.make(), (scope) =>
          connectTls(url, policy).pipe(
            Scope.provide(scope),
            Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
          )
        ).pipe(Effect.mapError(({ reason }) => unreachable(reason)))
      const send = (request: WebhookRequest): Effect.Effect<WebhookResponse, WebhookUnreachable> =>
        Effect.catchTag(post(connections, connect, request), "ConnectionLost", () => send(request))
      return WebhookSender.of({ send })
    })
  ).pipe(
    Layer.catch(({ reason }) =>
      layerFailed(new StartupError({ message: `the certificates of receivers cannot be used: ${onOneLine(reason)}` }))
    )
  )
