import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { failureOf } from "../failure.ts"
import type { RequestHead } from "../handlers/envelope.ts"
import type { Shortcut } from "../handlers/shortcut.ts"
import { type Finished, finished, finishedPlain } from "./answer.ts"
import { corsHeaders } from "./cors.ts"
import { namesItsHost } from "./host.ts"
import { makeWatch } from "./Watch.ts"

/** What is used of a request of `node:http`. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly httpVersionMajor: number
  readonly socket: object
  readonly on: (event: "data" | "end", listener: (chunk: Uint8Array) => void) => unknown
}

/** What is used of a response of `node:http`. */
export interface NodeResponse {
  readonly destroyed: boolean
  readonly writableEnded: boolean
  readonly writeHead: (status: number, headers: { readonly [name: string]: string }) => unknown
  readonly end: (body?: string | Uint8Array) => unknown
  readonly on: (event: "close", listener: () => void) => unknown
}

/** Answers a request of Node's, or leaves it to others. */
export type Take = (request: NodeRequest, response: NodeResponse) => boolean

/**
 * Where a server on `node:http` offers its requests before they go through the machinery that serves all kinds of them. There
 * is none unless whoever composes the server provides one, and then everything goes its usual way.
 */
export const DirectRequests: Context.Reference<((take: Take) => Effect.Effect<void, never, Scope>) | undefined> =
  Context.Reference("@sojourn/adapter-http/DirectRequests", {
    defaultValue: (): ((take: Take) => Effect.Effect<void, never, Scope>) | undefined => undefined
  })

/** How large a body may be, in bytes, to be waited for before it is asked who sends it. */
const LARGEST_PLAIN = 16 * 1024

/** Does the request come as nearly all do: as a whole, and not too long? Others go their usual way. */
const isPlain = ({ headers, httpVersionMajor }: NodeRequest): boolean => {
  const length = Number(headers["content-length"])
  return (
    httpVersionMajor === 1 &&
    length > 0 &&
    length <= LARGEST_PLAIN &&
    headers["transfer-encoding"] === undefined &&
    headers["expect"] === undefined
  )
}

const joined = (chunks: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const chunk of chunks) {
    bytes.set(chunk, end)
    end += chunk.length
  }
  return bytes
}

const send = (
  response: NodeResponse,
  { status, headers, body }: Finished,
  others: Readonly<Record<string, string>> | undefined
): void => {
  if (response.destroyed || response.writableEnded) return
  response.writeHead(status, others === undefined ? headers : { ...headers, ...others })
  if (body._tag === "Uint8Array") response.end(body.text ?? body.body)
  else response.end()
}

/** What is answered instead of what could not be: the server ends, or it is our failure. */
const failed = (cause: Cause.Cause<never>) => (Cause.hasInterruptsOnly(cause) ? 503 : 500)

/** What is written down instead of a status when the client did not wait for one, here as on the usual way. */
const LEFT = 499

/** Takes requests that have a shortcut from Node itself, where the server offers them; pages of these origins may call. */
export const layerDirect = <E, R>(
  shortcuts: Effect.Effect<ReadonlyArray<Shortcut>, E, R>,
  corsOrigins: ReadonlyArray<string>
) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const offered = yield* DirectRequests
      if (offered === undefined) return
      const watch = yield* makeWatch
      const byPath = new Map((yield* shortcuts).map((shortcut) => [shortcut.path, shortcut]))
      const context = yield* Effect.context<never>()
      const cors = corsHeaders(corsOrigins)

      const answer = (
        shortcut: Shortcut,
        head: RequestHead,
        body: Uint8Array,
        connection: object,
        response: NodeResponse,
        begun: number
      ) => {
        const watched = watch.begin(head, shortcut.path, begun)
        // It ends with its response at the latest, and the server ends those.
        const fiber = Effect.runForkWith(watch.contextFor(watched, context))(shortcut.answer(head, body, connection))
        fiber.addObserver((exit) => {
          if (exit._tag === "Failure") watched.failure ??= failureOf(exit.cause)
          // Whoever went away is told nothing.
          if (response.destroyed) return watch.answered(watched, LEFT)
          const answered =
            exit._tag === "Success" ? exit.value : HttpServerResponse.empty({ status: failed(exit.cause) })
          const { requestId } = watched
          watch.answered(watched, answered.status)
          send(
            response,
            "json" in answered ? finishedPlain(requestId, answered) : finished(head, requestId, answered),
            cors?.(head.headers)
          )
        })
        if (fiber.pollUnsafe() === undefined) {
          response.on("close", () => {
            if (!response.writableEnded) fiber.interruptUnsafe()
          })
        }
      }

      yield* offered((request, response) => {
        const { url = "", method = "" } = request
        const shortcut = byPath.get(url)
        if (shortcut === undefined || shortcut.method !== method || !isPlain(request)) return false
        const head = {
          method,
          url,
          originalUrl: url,
          headers: request.headers,
          source: request
        } as unknown as RequestHead
        if (!namesItsHost(head)) return false
        const begun = performance.now()
        const { socket } = request
        const chunks: Array<Uint8Array> = []
        request.on("data", (chunk) => chunks.push(chunk))
        request.on("end", () => answer(shortcut, head, joined(chunks), socket, response, begun))
        return true
      })
    })
  )
