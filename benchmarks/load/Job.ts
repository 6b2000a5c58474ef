/** The job of the closed-loop generator and its result: each connection asks again once it is answered. */

/** A request as it is sent over and over. */
export interface Request {
  readonly method: "GET" | "POST"
  readonly path: string
  /** The bearer token of the caller. */
  readonly token: string
  readonly body?: string | undefined
}

/** What each connection does, over and over, one request at a time. */
export type Work =
  | {
      readonly _tag: "Pairs"
      readonly path: string
      readonly organizationId: number
      /** Users who enter and leave: the connections share them out. */
      readonly tokens: ReadonlyArray<string>
    }
  | {
      readonly _tag: "Requests"
      readonly requests: ReadonlyArray<Request>
      /** The status that each request is answered. */
      readonly status: number
    }

/** What to send, to whom and for how long. */
export interface Job {
  readonly host: string
  readonly port: number
  readonly connections: number
  /** After this no work is begun; what was begun is finished. */
  readonly seconds: number
  readonly work: Work
}

/** What came of a job. Times are milliseconds. */
export interface Outcome {
  /** Requests that were answered as they should be. */
  readonly requests: number
  /** Pairs whose exit was answered; none where the work is none of pairs. */
  readonly pairs: number
  /** What went wrong and how often: `status 503`, `closed`, ... Nothing may. */
  readonly errors: Readonly<Record<string, number>>
  readonly p50: number
  readonly p99: number
  /** From the first request to the last answer. */
  readonly duration: number
  /** Processor time of the load generator. */
  readonly processor: number
}
