/** The connections of deliveries: which requests share one, and when another one is made. */
import { parseReceiverEntry, parseWebhookUrl, WebhookReceivers, WebhookSender } from "@sojourn/core"
import { Effect, Exit, Fiber, Layer, Result } from "effect"
import type { ServerResponse } from "node:http"
import { expect, it, vi } from "vitest"
import { layerHttpsSender } from "../src/webhooks/HttpsSender.ts"
import { type Answering, certificates, startReceiver } from "../../server/test/webhooks/Receiver.ts"

const NO_CONTENT: Answering = (response) => response.writeHead(204).end()

/** A receiver, and a delivery to it. */
const scene = Effect.fnUntraced(function* (answering: Answering) {
  const {
    answer: answerAt,
    connections,
    origin,
    received
  } = yield* Effect.acquireRelease(
    Effect.promise(() => startReceiver()),
    ({ stop }) => Effect.promise(stop)
  )
  answerAt("/hook", answering)
  const counts = () => ({ requests: received("/hook").length, ...connections() })
  const receivers = Layer.succeed(WebhookReceivers, { allow: [Result.getOrThrow(parseReceiverEntry(origin))] })
  const sender = layerHttpsSender({ certificates: [certificates.authority.pem] }).pipe(Layer.provide(receivers))
  const url = Result.getOrThrow(parseWebhookUrl(`${origin}/hook`))
  const answer = WebhookSender.use(({ send }) => send({ url, headers: {}, body: "{}" }))
  return { counts, sender, answer, send: Effect.map(answer, ({ status }) => status) }
})

const deliver = <A>(
  answering: Answering,
  body: (server: Effect.Success<ReturnType<typeof scene>>) => Effect.Effect<A, unknown, WebhookSender>
) =>
  Effect.runPromise(
    Effect.scoped(Effect.flatMap(scene(answering), (server) => Effect.provide(body(server), server.sender)))
  )

const eventually = (check: () => void) => Effect.promise(() => vi.waitFor(check, { timeout: 60_000, interval: 10 }))

it("successive deliveries share a connection, which is closed with the server", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { counts, sender, send } = yield* scene(NO_CONTENT)
        const statuses = Effect.all([send, send, send].map((one) => Effect.tap(one, Effect.sleep("20 millis"))))
        expect(yield* Effect.provide(statuses, sender)).toEqual([204, 204, 204])
        expect(counts()).toMatchObject({ requests: 3, opened: 1 })
        yield* eventually(() => expect(counts().open).toBe(0))
      })
    )
  ))

it("concurrent deliveries use separate connections", () => {
  const waiting: Array<ServerResponse> = []
  const answerAll: Answering = (response) => {
    if (waiting.push(response) < 3) return
    for (const one of waiting) one.writeHead(200).end("taken")
  }
  return deliver(answerAll, ({ counts, send }) =>
    Effect.gen(function* () {
      expect(yield* Effect.all([send, send, send], { concurrency: "unbounded" })).toEqual([200, 200, 200])
      expect(counts().opened).toBe(3)
    })
  )
})

it("a delivery is sent again on another connection where the receiver closed the one that was used before", () =>
  deliver(
    (response, nth) => (nth === 2 ? response.socket?.destroy() : response.writeHead(204).end()),
    ({ counts, send }) =>
      Effect.gen(function* () {
        yield* Effect.tap(send, Effect.sleep("20 millis"))
        expect(yield* send).toBe(204)
        expect(counts()).toMatchObject({ requests: 3, opened: 2 })
      })
  ))

it("a receiver that closes a new connection without an answer gets one request", () =>
  deliver(
    (response) => response.socket?.destroy(),
    ({ counts, send }) =>
      Effect.gen(function* () {
        expect((yield* Effect.flip(send)).reason).toBe("the server closed the connection")
        expect(counts()).toMatchObject({ requests: 1, opened: 1 })
      })
  ))

it("a connection whose response has a large body or no end is closed, and not used again", () =>
  deliver(
    (response, nth) =>
      nth === 1 ? response.writeHead(200).end(Buffer.alloc(1_000_000)) : response.writeHead(200).write("..."),
    ({ counts, send }) =>
      Effect.gen(function* () {
        expect(yield* send).toBe(200)
        yield* eventually(() => expect(counts().open).toBe(0))
        expect(yield* send).toBe(200)
        yield* eventually(() => expect(counts().open).toBe(0))
        expect(counts().opened).toBe(2)
      })
  ))

it("an answer has its status and Retry-After, and nothing else of it is kept", () =>
  deliver(
    (response) => response.writeHead(503, { "retry-after": "120", "x-more": "more" }).end("busy"),
    ({ answer }) =>
      Effect.gen(function* () {
        expect(yield* answer).toEqual({ status: 503, retryAfter: "120" })
      })
  ))

it("a delivery that is interrupted closes its connection", () =>
  deliver(
    () => {},
    ({ counts, send }) =>
      Effect.gen(function* () {
        const sending = yield* Effect.forkChild(send)
        yield* eventually(() => expect(counts().requests).toBe(1))
        expect(Exit.hasInterrupts(yield* Effect.andThen(Fiber.interrupt(sending), Fiber.await(sending)))).toBe(true)
        yield* eventually(() => expect(counts().open).toBe(0))
      })
  ))
