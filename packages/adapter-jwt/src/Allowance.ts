/** Allows something `burst` times at once, and then once per `every` milliseconds; and for one name once per `every`. */
export interface Allowance {
  /** Is it allowed for this name at this time, in milliseconds? An answer of "yes" uses one up. */
  readonly take: (name: string, now: number) => boolean
}

/** An allowance that nothing has been taken from. */
export const make = (burst: number, every: number): Allowance => {
  let left = burst
  let since = 0
  /** Who was allowed less than `every` ago: no more names than the burst and one. */
  const recent = new Map<string, number>()
  const isRecent = (at: number, now: number) => now >= at && now - at < every

  return {
    take: (name, now) => {
      const before = recent.get(name)
      if (before !== undefined && isRecent(before, now)) return false
      const gained = Math.max(0, Math.floor((now - since) / every))
      left = Math.min(burst, left + gained)
      // A clock that was set back gives nothing, and takes no more than the time until the next gain.
      since = left === burst || now < since ? now : since + gained * every
      if (left === 0) return false
      left--
      for (const [other, at] of recent) if (!isRecent(at, now)) recent.delete(other)
      recent.set(name, now)
      return true
    }
  }
}
