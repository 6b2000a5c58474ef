/**
 * A rate limit: at most `most` requests in a window. The first request begins the window; the first after its end begins the next.
 */
export interface RateLimit {
  readonly most: number
  /** Milliseconds. */
  readonly window: number
}

/** How many requests were granted in the current window. */
export interface RateLimitUsage {
  readonly used: number
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

/** The outcome of one request: the new usage, and the milliseconds until the next window if it is refused, else 0. */
export interface RateLimitDecision {
  readonly usage: RateLimitUsage
  readonly wait: number
}

/** Consumes one request of a limit. `usage` is undefined for a caller's first request; `now` is in milliseconds. */
export const consume = (
  { most, window }: RateLimit,
  usage: RateLimitUsage | undefined,
  now: number
): RateLimitDecision => {
  // After a clock was set back, no wait may be longer than a window.
  if (usage === undefined || usage.endsAt <= now || usage.endsAt > now + window) {
    return { usage: { used: 1, endsAt: now + window }, wait: 0 }
  }
  if (usage.used >= most) return { usage, wait: usage.endsAt - now }
  return { usage: { used: usage.used + 1, endsAt: usage.endsAt }, wait: 0 }
}

/**
 * The part of a limit that each of several servers grants on its own: at least one request. Together they grant a caller at
 * most `most + servers - 1` requests in a window.
 */
export const shareOf = ({ most, window }: RateLimit, servers: number): RateLimit => ({
  most: Math.ceil(most / servers),
  window
})
