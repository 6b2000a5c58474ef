/** What is used of a request of `node:http`. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly httpVersionMajor: number
  readonly on: (event: "data" | "end", listener: (this: this, chunk: Uint8Array) => void) => unknown
}

/** What is used of a response of `node:http`. */
export interface NodeResponse {
  readonly destroyed: boolean
  readonly writableEnded: boolean
  readonly writeHead: (status: number, headers: { readonly [name: string]: string }) => unknown
  readonly end: (body?: string | Uint8Array) => unknown
  readonly on: (event: "close", listener: () => void) => unknown
}
