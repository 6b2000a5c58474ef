import * as Effect from "effect/Effect"
import * as http from "node:http"

/** A request over HTTP: `body` is sent as JSON, `form` URL-encoded. */
export interface Sent {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

const contentOf = ({ body, form }: Sent) => {
  if (form !== undefined) {
    return { type: "application/x-www-form-urlencoded", text: new URLSearchParams(form).toString() }
  }
  return body === undefined ? undefined : { type: "application/json", text: JSON.stringify(body) }
}

/** A client of the server at an address, with its own connection pool that closes with the scope. */
export const makeClient = Effect.fnUntraced(function* (host: string, port: number) {
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new http.Agent({ keepAlive: true, maxSockets: 16 })),
    (pool) => Effect.sync(() => pool.destroy())
  )
  return (sent: Sent): Effect.Effect<Answer> =>
    Effect.callback((resume) => {
      const content = contentOf(sent)
      const request = http.request(
        {
          host,
          port,
          agent,
          method: sent.method,
          path: sent.path,
          headers: {
            accept: "application/json",
            ...sent.headers,
            ...(content && { "content-type": content.type, "content-length": Buffer.byteLength(content.text) })
          }
        },
        (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8")
            resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, text }))
          })
          response.on("error", (error) => resume(Effect.die(error)))
        }
      )
      request.on("error", (error) => resume(Effect.die(error)))
      request.end(content?.text)
    })
})
