/** The connections of deliveries: which requests share one, and when another one is made. */
import { parseReceiverEntry, parseWebhookUrl, WebhookReceivers, WebhookSender } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { ServerResponse } from "node:http"
import * as https from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { expect, it, vi } from "vitest"
import { layerHttpsSender } from "../src/webhooks/HttpsSender.ts"
import { certificates } from "../../server/test/webhooks/Receiver.ts"

type Answering = (response: ServerResponse, nth: number) => void

/** A receiver that answers by a function, and counts requests and the connections that are open and that there were. */
const startReceiver = (answering: Answering) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const counted = { requests: 0, connections: 0, open: new Set<Socket>() }
      const { keyPem: key, pem: cert } = certificates.server
      const server = https.createServer({ key, cert }, (request, response) => {
        request.resume().on("end", () => answering(response, ++counted.requests))
        response.on("error", () => {})
      })
      server.on("connection", (socket: Socket) => {
        counted.connections++
        counted.open.add(socket)
        socket.on("error", () => {}).on("close", () => counted.open.delete(socket))
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { server, counted, origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
    ({ server, counted }) =>
      Effect.promise(() => {
        for (const socket of counted.open) socket.destroy()
        return new Promise((resolve) => server.close(resolve))
      })
  )

const NO_CONTENT: Answering = (response) => response.writeHead(204).end()

/** A receiver, and a delivery to it. */
const scene = Effect.fnUntraced(function* (answering: Answering) {
  const { counted, origin } = yield* startReceiver(answering)
  const receivers = Layer.succeed(WebhookReceivers, { allow: [Result.getOrThrow(parseReceiverEntry(origin))] })
  const sender = layerHttpsSender({ certificates: [certificates.authority.pem] }).pipe(Layer.provide(receivers))
  const url = Result.getOrThrow(parseWebhookUrl(`${origin}/hook`))
  const answer = WebhookSender.use(({ send }) => send({ url, headers: {}, body: "{}" }))
  return { counted, sender, answer, send: Effect.map(answer, ({ status }) => status) }
})

const deliver = <A>(
  answering: Answering,
  body: (given: Effect.Success<ReturnType<typeof scene>>) => Effect.Effect<A, unknown, WebhookSender>
) =>
  Effect.runPromise(
    Effect.scoped(Effect.flatMap(scene(answering), (given) => Effect.provide(body(given), given.sender)))
  )

const eventually = (check: () => void) => Effect.promise(() => vi.waitFor(check, { timeout: 60_000, interval: 10 }))

it("deliveries that follow each other share a connection, which is closed with the server", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { counted, sender, send } = yield* scene(NO_CONTENT)
        const statuses = Effect.all([send, send, send].map((one) => Effect.tap(one, Effect.sleep("20 millis"))))
        expect(yield* Effect.provide(statuses, sender)).toEqual([204, 204, 204])
        expect(counted).toMatchObject({ requests: 3, connections: 1 })
        yield* eventually(() => expect(counted.open.size).toBe(0))
      })
    )
  ))

it("deliveries at one moment do not wait for each other's connection", () => {
  const waiting: Array<ServerResponse> = []
  const answerAll: Answering = (response) => {
    if (waiting.push(response) < 3) return
    for (const one of waiting) one.writeHead(200).end("taken")
  }
  return deliver(answerAll, ({ counted, send }) =>
    Effect.gen(function* () {
      expect(yield* Effect.all([send, send, send], { concurrency: "unbounded" })).toEqual([200, 200, 200])
      expect(counted.connections).toBe(3)
    })
  )
})

it("a delivery is sent again on another connection where the receiver closed the one that was used before", () =>
  deliver(
    (response, nth) => (nth === 2 ? response.socket?.destroy() : response.writeHead(204).end()),
    ({ counted, send }) =>
      Effect.gen(function* () {
        yield* Effect.tap(send, Effect.sleep("20 millis"))
        expect(yield* send).toBe(204)
        expect(counted).toMatchObject({ requests: 3, connections: 2 })
      })
  ))

it("a receiver that closes a new connection without an answer is asked once", () =>
  deliver(
    (response) => response.socket?.destroy(),
    ({ counted, send }) =>
      Effect.gen(function* () {
        expect((yield* Effect.flip(send)).reason).toBe("the server closed the connection")
        expect(counted).toMatchObject({ requests: 1, connections: 1 })
      })
  ))

it("a connection whose response has a large body or no end is closed, and not used again", () =>
  deliver(
    (response, nth) =>
      nth === 1 ? response.writeHead(200).end(Buffer.alloc(1_000_000)) : response.writeHead(200).write("..."),
    ({ counted, send }) =>
      Effect.gen(function* () {
        expect(yield* send).toBe(200)
        yield* eventually(() => expect(counted.open.size).toBe(0))
        expect(yield* send).toBe(200)
        yield* eventually(() => expect(counted.open.size).toBe(0))
        expect(counted.connections).toBe(2)
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
    ({ counted, send }) =>
      Effect.gen(function* () {
        const sending = yield* Effect.forkChild(send)
        yield* eventually(() => expect(counted.requests).toBe(1))
        expect(Exit.hasInterrupts(yield* Effect.andThen(Fiber.interrupt(sending), Fiber.await(sending)))).toBe(true)
        yield* eventually(() => expect(counted.open.size).toBe(0))
      })
  ))
