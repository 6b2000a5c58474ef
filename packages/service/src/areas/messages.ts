/** The messages between the server and the thread that checks areas. */

/** A check of core's port `AreaComparer`, with its input. */
export interface CheckMessage {
  readonly name: "whyMalformed" | "firstConflict"
  readonly input: unknown
}

/** A check has started, or has its result after some milliseconds of computing. */
export type CheckReply = "started" | { readonly millis: number; readonly result: unknown }
