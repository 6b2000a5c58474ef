/** Limits how often tokens can make this service load keys: a token bucket, with a limit for each key that is named. */
export interface LoadRateLimiter {
  /** Whether a load for this name is granted at `now`, in milliseconds. A granted load consumes one. */
  readonly take: (name: string, now: number) => boolean
}

/** Grants `burst` loads at once and then one per `every` milliseconds; for one name at most one per `every`. */
export const make = (burst: number, every: number): LoadRateLimiter => {
  let left = burst
  let since = 0
  /** When each name was last granted, if less than `every` ago: at most `burst + 1` names. */
  const recent = new Map<string, number>()
  const isRecent = (at: number, now: number) => now >= at && now - at < every

  return {
    take: (name, now) => {
      const before = recent.get(name)
      if (before !== undefined && isRecent(before, now)) return false
      const gained = Math.max(0, Math.floor((now - since) / every))
      left = Math.min(burst, left + gained)
      // A clock that was set back grants nothing, and delays the next gain by one interval at most.
      since = left === burst || now < since ? now : since + gained * every
      if (left === 0) return false
      left--
      for (const [other, at] of recent) if (!isRecent(at, now)) recent.delete(other)
      recent.set(name, now)
      return true
    }
  }
}
