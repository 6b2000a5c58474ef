/** The jobs of a load generator, and their outcome. */

/** What is sent. */
export type Work =
  /** Each connection enters and leaves over and over: an exit follows its entrance at once. */
  | { readonly _tag: "Pairs"; readonly organizationId: number; readonly tokens: ReadonlyArray<string> }
  /** Each connection sends these paths in turn with `GET` and the status 200. */
  | { readonly _tag: "Reads"; readonly reads: ReadonlyArray<{ readonly path: string; readonly token: string }> }
  /** Movements arrive at a rate, whatever becomes of those before. Every second one is the exit of a person inside. */
  | {
      readonly _tag: "Arrivals"
      readonly organizationId: number
      readonly tokens: ReadonlyArray<string>
      readonly perSecond: number
    }
  /** Readings of devices arrive at a rate, from each in turn. `in` grows by 2 with each reading of one, and `out` by 1. */
  | {
      readonly _tag: "Readings"
      readonly tokens: ReadonlyArray<string>
      readonly epoch: string
      readonly perSecond: number
    }

/** A job of a load generator. */
export interface Job {
  readonly host: string
  readonly port: number
  /** How many connections there are: exactly, or at most where requests arrive at a rate. */
  readonly connections: number
  /** No work begins after it; what was begun is finished. */
  readonly seconds: number
  readonly work: Work
}

/** The outcome of a job. Times are milliseconds. */
export interface Outcome {
  /** Requests with the right answer. */
  readonly requests: number
  /** Movements that were acknowledged. */
  readonly entrances: number
  readonly exits: number
  /** How many people the acknowledged readings counted inside. */
  readonly counted: number
  /** Movements or readings that were refused for now (503 or 429 with `Retry-After`). */
  readonly refused: number
  /** Those that found no free connection until the end. */
  readonly unsent: number
  /** What went wrong and how often: `status 500`, `closed`, ... */
  readonly errors: Readonly<Record<string, number>>
  /** Latencies: from when a request was sent, or from when the movement or reading arrived. */
  readonly p50: number
  readonly p99: number
  /** From the first request to the last answer. */
  readonly duration: number
}
