/** The parts of `node:http` that the driver uses. The server passes requests and responses that can do some of it at less cost. */

/** Receives a body: all of its chunks, and then that it is complete. */
export interface BodyReceiver {
  readonly receive: (chunk: Uint8Array) => void
  readonly complete: () => void
}

/** What is used of a request of `node:http`. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  /** Whether the request arrived whole; frameworks may not tell. */
  readonly complete?: boolean
  on(event: "data", listener: (this: this, chunk: Uint8Array) => void): unknown
  on(event: "end" | "error" | "close", listener: (this: this) => void): unknown
  off(event: "data" | "end" | "error" | "close", listener: (chunk: Uint8Array) => void): unknown
  readonly resume: () => unknown
  /** Passes the body to a receiver instead of streaming it, where a server's requests can do that: it costs less. */
  readonly handOver?: (receiver: BodyReceiver) => void
}

/** What is used of a response of `node:http`. */
export interface NodeResponse {
  readonly destroyed: boolean
  readonly writableEnded: boolean
  readonly writeHead: (status: number, headers: { readonly [name: string]: string }) => unknown
  readonly writeContinue: () => unknown
  readonly flushHeaders: () => void
  readonly write: (chunk: string | Uint8Array) => boolean
  /** Writes pieces as one chunk, where a server's responses can do that: it costs less. */
  readonly writeChunk?: (pieces: ReadonlyArray<Uint8Array>) => boolean
  readonly end: {
    (body?: string | Uint8Array): unknown
    (body: string, encoding: "latin1" | "utf8"): unknown
  }
  /** Sends an answer in one piece, where a server's responses can do that: it costs less than a head and a body. */
  readonly sendWhole?: (
    status: number,
    headers: { readonly [name: string]: string },
    body: string,
    encoding: "latin1" | "utf8"
  ) => void
  readonly destroy: () => unknown
  on(event: "drain" | "close", listener: (this: this) => void): unknown
  readonly once: (event: "drain" | "close", listener: () => void) => unknown
  readonly off: (event: "drain" | "close", listener: () => void) => unknown
}
