import type { Caller } from "@sojourn/core"

/** The caller whom a verified token proves, and how long it goes on to prove them. */
export interface Proof {
  readonly caller: Caller
  /**
   * Would the token, verified now (in milliseconds), prove the caller again, without a load of keys? A token's text and the
   * configuration do not change, so the answer is about what does: the time, and the keys.
   */
  readonly holds: (now: number) => boolean
}
