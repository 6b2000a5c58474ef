/** The job of the open-loop generator and its result: arrivals at a rate, independent of the answers. */

/** Movements that arrive at a rate, whatever becomes of those before. */
export interface Arrivals {
  readonly host: string
  readonly port: number
  /** Movements a second; every entrance is followed by its exit some time later, as far as it was let in. */
  readonly perSecond: number
  readonly seconds: number
  readonly organizationId: number
  /** Users who come and go. */
  readonly tokens: ReadonlyArray<string>
  /** How many connections there are at most; who finds none free waits until there is one. */
  readonly connections: number
  /** How long those who found no free connection wait for one after all have come, in milliseconds; then they go away. */
  readonly patience: number
}

/** How long answers took, in milliseconds, from when the movement was sent or its connection was asked for. */
export interface Times {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/** What came of it. */
export interface Received {
  /** Movements that were due. */
  readonly due: number
  /** Those that were tracked (201 or 202). */
  readonly tracked: Times
  /** Those that were refused for now (503 or 429), each with `Retry-After`. */
  readonly refused: Times
  /** What else happened, and how often: another status, a connection that broke. */
  readonly errors: Readonly<Record<string, number>>
  /** Entrances that were tracked, and exits. */
  readonly entrances: number
  readonly exits: number
  /** Movements that were sent late, as no connection was free. */
  readonly waited: number
  /** Movements that were never sent, as no connection was free until the end. */
  readonly unsent: number
  /** How many connections were opened. */
  readonly opened: number
  /** From the first movement that was due to the last answer, in milliseconds. */
  readonly duration: number
  /** Processor time of the generator, in milliseconds. */
  readonly processor: number
}
