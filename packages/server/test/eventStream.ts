/** A client of `GET /presence/stream` for tests, which reads message by message. */
import * as http from "node:http"
import { expect, onTestFinished } from "vitest"
import { authorizationOf, type Bearer } from "./callers.ts"
import { makeMessageParser, type Message } from "./messages.ts"

export type { Message }

/** A stream that is read as it comes. */
export interface EventStream {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** The next message. */
  readonly next: () => Promise<Message>
  /** The next message, which is of this type. */
  readonly want: (event: string) => Promise<Message>
  /** Messages until one that `isLast`, which is the last of them. */
  readonly until: (isLast: (message: Message) => boolean) => Promise<ReadonlyArray<Message>>
  /** Everything as it came. */
  readonly text: () => string
  /** The id of the last message that was read. */
  readonly lastId: () => string
  readonly close: () => void
  readonly closed: Promise<void>
}

/** Opens streams of a server, and closes those that a test leaves open. */
export const makeEventStreams =
  (port: number) =>
  async (who: Bearer | string | undefined, query: string, headers: http.OutgoingHttpHeaders = {}) => {
    const authorization = await authorizationOf(who)
    return new Promise<EventStream>((resolve, reject) => {
      const request = http.request({
        host: "127.0.0.1",
        port,
        path: `/presence/stream${query}`,
        headers: { ...authorization, ...headers },
        agent: false
      })
      onTestFinished(() => void request.destroy())
      request.on("error", reject)
      request.on("response", (response) => {
        let text = ""
        let lastId = ""
        const arrived: Array<Message> = []
        let waiting: (() => void) | undefined
        const parser = makeMessageParser()
        let isClosed = false
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => {
          text += chunk
          arrived.push(...parser(chunk))
          waiting?.()
        })
        response.on("error", () => {})
        const closed = new Promise<void>((resolve) =>
          response.on("close", () => {
            isClosed = true
            waiting?.()
            resolve()
          })
        )
        const next = async (): Promise<Message> => {
          while (arrived.length === 0) {
            if (isClosed) throw new Error(`the stream ended: ${text.slice(-500)}`)
            await new Promise<void>((resolve) => (waiting = resolve))
          }
          const message = arrived.shift()!
          expect(message.id, "every message has an id").toMatch(/^[\x21-\x7e]+$/)
          lastId = message.id!
          return message
        }
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          next,
          want: async (event) => {
            const message = await next()
            expect(message.event, JSON.stringify(message)).toBe(event)
            return message
          },
          until: async (isLast) => {
            const messages: Array<Message> = []
            do messages.push(await next())
            while (!isLast(messages.at(-1)!))
            return messages
          },
          text: () => text,
          lastId: () => lastId,
          close: () => request.destroy(),
          closed
        })
      })
      request.end()
    })
  }
