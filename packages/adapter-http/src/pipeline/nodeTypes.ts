/** The documented members of `node:http` that the driver uses. Frameworks pass requests and responses that have them too. */

/** What is used of a request of `node:http`. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  /** Whether the request was received completely; frameworks may leave it out. */
  readonly complete?: boolean
  /** Whether something has read of the body, or all of it. */
  readonly readableDidRead?: boolean
  readonly readableEnded?: boolean
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown
  on(event: "end" | "error" | "close", listener: () => void): unknown
  off(event: "data" | "end" | "error" | "close", listener: (chunk: Uint8Array) => void): unknown
  readonly resume: () => unknown
}

/** What is used of a response of `node:http`. */
export interface NodeResponse {
  readonly destroyed: boolean
  readonly writableEnded: boolean
  readonly writeHead: (status: number, headers: { readonly [name: string]: string }) => unknown
  readonly writeContinue: () => unknown
  readonly flushHeaders: () => void
  readonly write: (chunk: string | Uint8Array) => boolean
  readonly end: (body?: string | Uint8Array) => unknown
  readonly destroy: () => unknown
  readonly on: (event: "drain" | "close", listener: () => void) => unknown
  readonly once: (event: "drain" | "close", listener: () => void) => unknown
  readonly off: (event: "drain" | "close", listener: () => void) => unknown
}
