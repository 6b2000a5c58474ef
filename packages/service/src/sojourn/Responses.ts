/** The responses of a listener that are not written to their end, so that a service can end after them. */
import { rejectOverload } from "@sojourn/adapter-http"
import type { IncomingMessage, ServerResponse } from "node:http"

/** A listener of `node:http`, also as a middleware: further arguments are ignored. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Passes requests to a listener until it is closed, and knows which responses are open. */
export class Responses {
  private readonly open = new Set<ServerResponse>()
  private state: "open" | "closing" | "closed" = "open"
  private ended: () => void = () => {}
  private readonly listen: Listener

  constructor(listen: Listener) {
    this.listen = listen
  }

  readonly listener: Listener = (request, response) => {
    if (this.state !== "open") response.shouldKeepAlive = false
    if (this.state === "closed") return rejectOverload(request, response)
    this.open.add(response)
    response.once("finish", () => this.state !== "open" && request.socket.end())
    response.once("close", () => {
      this.open.delete(response)
      if (this.open.size === 0) this.ended()
    })
    this.listen(request, response)
  }

  /** Waits until all responses are written, for some milliseconds at most. Connections are closed after their response. */
  async close(limit: number): Promise<void> {
    this.state = "closing"
    for (const response of this.open) response.shouldKeepAlive = false
    if (this.open.size > 0) {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        this.ended = resolve
        timer = setTimeout(resolve, limit)
      })
      clearTimeout(timer)
    }
    this.state = "closed"
  }
}
