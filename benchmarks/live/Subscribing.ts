/** The job of the process of subscribers and its result. */

/** Subscribers of `GET /presence/stream`, all of the same organization. */
export interface Subscribing {
  readonly host: string
  readonly port: number
  readonly organizationId: number
  /** The token of an administrator of the organization. */
  readonly token: string
  readonly subscribers: number
  /** How many connections ask for a stream before them, and read nothing after the head of the answer. */
  readonly silent: number
  /** How many streams are asked for in vain, as the server has as many as it may. */
  readonly refused: number
  /** How long all may take to connect, in seconds. */
  readonly connecting: number
  /** How long they listen once all are connected, in seconds. */
  readonly seconds: number
  /** How long the first subscriber stops reading after its snapshot, in seconds; 0: it always reads. */
  readonly pause: number
}

/** What the subscribers received. */
export interface Heard {
  /** Subscribers that received their first snapshot. */
  readonly connected: number
  /** Connections that read nothing and were never closed. */
  readonly silent: number
  /** Streams that were refused with 503 and Retry-After. */
  readonly refused: number
  /** Events, of all subscribers together. */
  readonly events: number
  /** Snapshots by reason: `start`, `behind`, `reset`. */
  readonly snapshots: Readonly<Record<string, number>>
  /** Events whose version did not follow the one before. */
  readonly gaps: number
  /** Presence events after which `inside` was not the sum of what was told since the snapshot. */
  readonly wrongSums: number
  /** From the moment when an event was recorded to its arrival, in milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** The distinct last versions and totals that subscribers ended with: one, if all received the same. */
  readonly last: ReadonlyArray<string>
  /** What went wrong and how often: another status, a connection that ended. */
  readonly errors: Readonly<Record<string, number>>
  /** Processor time of the subscribers, in milliseconds. */
  readonly processor: number
}
