/** Who is given a body: all of its chunks, and then that there are no more. */
export interface BodyTaker {
  readonly add: (chunk: Uint8Array) => void
  readonly begin: () => void
}

/** What is used of a request of `node:http`. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly httpVersionMajor: number
  readonly on: (event: "data" | "end", listener: (this: this, chunk: Uint8Array) => void) => unknown
  /** Gives the body to somebody instead of streaming it, where a server's requests can do that: it costs less. */
  readonly handOver?: (taker: BodyTaker) => void
}

/** What is used of a response of `node:http`. */
export interface NodeResponse {
  readonly destroyed: boolean
  readonly writableEnded: boolean
  readonly writeHead: (status: number, headers: { readonly [name: string]: string }) => unknown
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
  readonly on: (event: "close", listener: () => void) => unknown
}
