import { OutboundTls } from "@sojourn/adapter-ldap"
import { WebhookReceivers, type WebhookRequest, WebhookSender, WebhookUnreachable } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as http from "node:http"
import type { TLSSocket } from "node:tls"
import { CommandFailed, layerFailed, onOneLine } from "../CommandFailed.ts"

const unreachable = (reason: string) => new WebhookUnreachable({ reason })

/** Sends the request on a connection, and answers the status of the response. Nothing of the response's body is read. */
const post = (socket: TLSSocket, { url, headers, body }: WebhookRequest): Effect.Effect<number, WebhookUnreachable> =>
  Effect.callback((resume) => {
    const host = url.host.includes(":") ? `[${url.host}]` : url.host
    const request = http.request({
      createConnection: () => socket,
      method: "POST",
      path: url.path,
      headers: {
        host: url.port === 443 ? host : `${host}:${url.port}`,
        "user-agent": "sojourn",
        connection: "close",
        ...headers,
        "content-length": Buffer.byteLength(body)
      }
    })
    request.on("response", ({ statusCode = 0 }) => resume(Effect.succeed(statusCode)))
    request.on("upgrade", () => resume(Effect.fail(unreachable("the receiver switched to another protocol"))))
    request.on("error", (error) => resume(Effect.fail(unreachable(OutboundTls.wordsFor(error)))))
    request.end(body)
    return Effect.sync(() => request.destroy())
  })

/** How webhooks are sent. */
export interface SenderOptions {
  /** Certificates of authorities to trust besides those of Node, as PEM. */
  readonly certificates?: ReadonlyArray<string>
}

/**
 * Sends deliveries over HTTPS, each on a connection of its own. The receiver's name is resolved for each delivery, and each of its
 * addresses is checked before connecting.
 */
export const layerHttpsSender = ({ certificates = [] }: SenderOptions = {}): Layer.Layer<
  WebhookSender,
  CommandFailed
> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const connect = yield* OutboundTls.make({ certificates })
      const policy = yield* WebhookReceivers
      return WebhookSender.of({
        send: (request) =>
          connect(request.url, policy).pipe(
            Effect.mapError(({ reason }) => unreachable(reason)),
            Effect.flatMap((socket) => post(socket, request)),
            Effect.scoped
          )
      })
    })
  ).pipe(Layer.catch(({ reason }) => layerFailed(new CommandFailed({ message: `--webhook-ca: ${onOneLine(reason)}` }))))
