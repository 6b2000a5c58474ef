import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Scope } from "effect/Scope"
import type { Refusal } from "../api/refusals.ts"
import { failureOf } from "../failure.ts"
import type { RequestHead } from "../handlers/envelope.ts"
import { type Plain, refused, type Shortcut } from "../handlers/shortcut.ts"
import { type Finished, finished, finishedPlain } from "./answer.ts"
import { corsHeaders } from "./cors.ts"
import { namesItsHost } from "./host.ts"
import type { NodeRequest, NodeResponse } from "./node.ts"
import { Taken } from "./Taken.ts"
import { makeWatch, type Watched } from "./Watch.ts"

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

/** The answer as it leaves. One that cannot be written down is a bug, as everywhere. */
const writeDown = <Answer>(
  { plain }: Shortcut<Answer>,
  exit: Exit.Exit<Answer, Refusal>
): Exit.Exit<Plain, Refusal> => {
  if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
  try {
    return Exit.succeed(plain(exit.value))
  } catch (defect) {
    return Exit.die(defect)
  }
}

/** What leaves instead of an answer: a refusal, or else the server ends, or it is our failure. */
const instead = (cause: Cause.Cause<Refusal>): HttpServerResponse.HttpServerResponse => {
  const found = Cause.findError(cause)
  if (Result.isSuccess(found)) return refused(found.success)
  return HttpServerResponse.empty({ status: Cause.hasInterruptsOnly(cause) ? 503 : 500 })
}

/** What is written down instead of a status when the client did not wait for one, here as on the usual way. */
const LEFT = 499

/** Takes requests that have a shortcut from Node itself, where the server offers them; pages of these origins may call. */
export const layerDirect = <Answer, E, R>(
  shortcuts: Effect.Effect<ReadonlyArray<Shortcut<Answer>>, E, R>,
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

      const answer = (taken: Taken<Answer>, body: Uint8Array) => {
        const { head, shortcut } = taken
        const watched = watch.begin(head, shortcut.path, taken.begun)
        // It ends with its response at the latest, and the server ends those.
        const fiber = Effect.runForkWith(watch.contextFor(watched, context))(shortcut.answer(head, body))
        fiber.addObserver((exit) => answered(taken, watched, exit))
        if (fiber.pollUnsafe() === undefined) taken.waitFor(fiber)
      }

      const answered = (taken: Taken<Answer>, watched: Watched, exit: Exit.Exit<Answer, Refusal>): void => {
        const { head, response } = taken
        const written = writeDown(taken.shortcut, exit)
        if (Exit.isFailure(written) && !Cause.hasFails(written.cause)) watched.failure ??= failureOf(written.cause)
        // Whoever went away is told nothing.
        if (response.destroyed) return watch.answered(watched, LEFT)
        const { requestId } = watched
        if (Exit.isSuccess(written)) {
          watch.answered(watched, written.value.status)
          send(response, finishedPlain(requestId, written.value), cors?.(head.headers))
        } else {
          const other = instead(written.cause)
          watch.answered(watched, other.status)
          send(response, finished(head, requestId, other), cors?.(head.headers))
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
        new Taken(shortcut, head, response, answer).waitForBody(request)
        return true
      })
    })
  )
