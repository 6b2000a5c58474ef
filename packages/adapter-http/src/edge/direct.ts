import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Scheduler } from "effect/Scheduler"
import type { Scope } from "effect/Scope"
import type { Refusal } from "../api/refusals.ts"
import { errorOf, failureOf, logFailure } from "../failure.ts"
import type { RequestHead } from "../handlers/envelope.ts"
import { type Plain, refused, type Shortcut } from "../handlers/shortcut.ts"
import { type Finished, finished, finishedPlain } from "./answer.ts"
import { corsHeaders } from "./cors.ts"
import { fieldLineFault } from "./fieldLines.ts"
import type { NodeRequest, NodeResponse } from "./node.ts"
import { Taken } from "./Taken.ts"
import { together } from "./together.ts"
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
const isPlain = ({ headers, httpVersionMajor }: NodeRequest, { takesBody }: Shortcut): boolean => {
  const announced = headers["content-length"]
  const length = Number(announced)
  return (
    httpVersionMajor === 1 &&
    (takesBody ? length > 0 && length <= LARGEST_PLAIN : announced === undefined) &&
    headers["transfer-encoding"] === undefined &&
    headers["expect"] === undefined
  )
}

/** Finds the shortcut of a URL, to the letter. */
const makeFind = (shortcuts: ReadonlyArray<Shortcut>): ((url: string) => Shortcut | undefined) => {
  const exact = new Map(shortcuts.flatMap((one) => (one.pattern === undefined ? [[one.path, one] as const] : [])))
  const varying = shortcuts.filter(({ pattern }) => pattern !== undefined)
  return (url) => exact.get(url) ?? varying.find(({ pattern }) => pattern!.test(url))
}

const send = (
  response: NodeResponse,
  { status, headers, body }: Finished,
  others: Readonly<Record<string, string>> | undefined
): void => {
  if (response.destroyed || response.writableEnded) return
  const bytes = body._tag === "Uint8Array" ? body : undefined
  const text = bytes?.text
  // Nearly all is ASCII, which needs no encoding.
  const encoding = text?.length === bytes?.contentLength ? "latin1" : "utf8"
  // What is said to other origins names them, and is looked at by Node.
  if (text !== undefined && others === undefined && response.sendWhole !== undefined) {
    return response.sendWhole(status, headers, text, encoding)
  }
  response.writeHead(status, others === undefined ? headers : { ...headers, ...others })
  if (text !== undefined) response.end(text, encoding)
  else response.end(bytes?.body)
}

/**
 * What leaves: the answer, a refusal, or else that the server ends or that it is our failure, which is noted. So is an answer that
 * cannot be written down.
 */
const written = (
  shortcut: Shortcut,
  watched: Watched,
  exit: Exit.Exit<unknown, Refusal>
): Plain | HttpServerResponse.HttpServerResponse => {
  if (Exit.isSuccess(exit)) {
    try {
      return shortcut.plain(exit.value)
    } catch (defect) {
      return written(shortcut, watched, Exit.die(defect))
    }
  }
  const refusal = errorOf(exit.cause)
  if (Result.isSuccess(refusal)) return refused(refusal.success)
  watched.failure ??= failureOf(refusal.failure)
  return HttpServerResponse.empty({ status: Cause.hasInterruptsOnly(refusal.failure) ? 503 : 500 })
}

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
      const find = makeFind(yield* shortcuts)
      const context = yield* Effect.context<never>()
      const dispatcher = (yield* Scheduler).makeDispatcher()
      const cors = corsHeaders(corsOrigins)

      const answer = (taken: Taken) => {
        const { head, shortcut } = taken
        const watched = watch.begin(head, shortcut.path, taken.begun)
        taken.watched = watched
        // It ends with its response at the latest, and the server ends those.
        const fiber = Effect.runForkWith(watch.contextFor(watched, context))(shortcut.answer(head, taken.readBody()))
        fiber.addObserver((exit) => {
          taken.answer = written(shortcut, watched, exit)
          leave(taken)
        })
        if (fiber.pollUnsafe() === undefined) taken.waitFor(fiber)
      }

      const answered = (taken: Taken) => {
        const { head, response } = taken
        const watched = taken.watched!
        const answer = taken.answer!
        const { requestId } = watched
        // Whoever went away is told nothing.
        if (response.destroyed) return watch.answered(watched, LEFT)
        send(
          response,
          "json" in answer ? finishedPlain(requestId, answer) : finished(head, requestId, answer),
          cors?.(head.headers)
        )
        // The client has it then, and does not wait for the log. Whatever it asks next comes later than this turn.
        watch.answered(watched, answer.status)
      }

      const run = Effect.runForkWith(context)
      const broke = (defect: unknown) => void run(logFailure({ message: "request failed", cause: Cause.die(defect) }))
      // Requests that came in one turn of the event loop, and the answers that are known in one, as a batch's are.
      const come = together((flush) => dispatcher.scheduleTask(flush, 0), answer, broke)
      const leave = together(queueMicrotask, answered, broke)

      yield* offered((request, response) => {
        const { url = "", method = "" } = request
        const shortcut = find(url)
        if (shortcut === undefined || shortcut.method !== method || !isPlain(request, shortcut)) return false
        const head = {
          method,
          url,
          originalUrl: url,
          headers: request.headers,
          source: request
        } as unknown as RequestHead
        if (fieldLineFault(head) !== undefined) return false
        new Taken(shortcut, head, response, come).waitForBody(request)
        return true
      })
    })
  )
