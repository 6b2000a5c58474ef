/**
 * How many requests may be made: so many in a window, which the first of them begins. When a window is over, the next request
 * begins another.
 */
export interface Allowance {
  readonly most: number
  /** Milliseconds. */
  readonly window: number
}

/** What was spent of an allowance in the window that is on. */
export interface Spent {
  readonly used: number
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

/** What comes of a request: what is spent then, and in how many milliseconds the next window begins if it is refused, else 0. */
export interface Spending {
  readonly spent: Spent
  readonly wait: number
}

/** Spends one request of an allowance. */
export const spend = ({ most, window }: Allowance, spent: Spent | undefined, now: number): Spending => {
  // A clock that was set back must not make anybody wait for longer than a window.
  if (spent === undefined || spent.endsAt <= now || spent.endsAt > now + window) {
    return { spent: { used: 1, endsAt: now + window }, wait: 0 }
  }
  if (spent.used >= most) return { spent, wait: spent.endsAt - now }
  return { spent: { used: spent.used + 1, endsAt: spent.endsAt }, wait: 0 }
}

/**
 * The part of an allowance that each of several servers grants by itself. A caller of all of them is granted the allowance
 * and at most one request more for each further server: `most + servers - 1`. Every server grants one at least.
 */
export const shareOf = ({ most, window }: Allowance, servers: number): Allowance => ({
  most: Math.ceil(most / servers),
  window
})
