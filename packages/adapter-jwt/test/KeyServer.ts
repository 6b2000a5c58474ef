import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import type { Json } from "./Issuer.ts"

/** A real server on this machine that publishes keys, and counts who asks for what. */
export interface KeyServer {
  readonly address: string
  readonly url: string
  readonly requests: Array<string>
  readonly headers: Array<NodeJS.Dict<string | Array<string>>>
  publish: ReadonlyArray<Json>
  answer: (response: ServerResponse, keys: string) => void
  /** What every other path than `/jwks` answers. */
  other: (response: ServerResponse, keys: string) => void
}

export const good = (response: ServerResponse, keys: string) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(keys)
export const down = (response: ServerResponse) => void response.destroy()
export const silent = () => {}

export const keyServer = (publish: ReadonlyArray<Json> = []) =>
  Effect.acquireRelease(
    Effect.callback<{ keys: KeyServer; close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        keys.requests.push(request.url ?? "")
        keys.headers.push(request.headers)
        const published = JSON.stringify({ keys: keys.publish })
        if (request.url === "/jwks") keys.answer(response, published)
        else keys.other(response, published)
      })
      let keys: KeyServer
      server.listen(0, "127.0.0.1", () => {
        const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        keys = { address, url: `${address}/jwks`, requests: [], headers: [], publish, answer: good, other: good }
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ keys, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ keys }) => keys))

/** Waits in real time, whatever the test's clock says, for what a server or a background fiber does. */
export const until = (condition: () => boolean) =>
  Effect.promise(async () => {
    for (let i = 0; i < 4_000 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 5))
    if (!condition()) throw new Error("it did not happen in time")
  })
