/** A bounded cache that keeps the most recently used keys. */
export interface TwoGenerationCache<A> {
  /** The value of a key, if it is cached. Counts as a use. */
  readonly get: (key: string) => A | undefined
  readonly set: (key: string, value: A) => void
  /** Removes every entry whose value does not hold. */
  readonly retain: (holds: (value: A) => boolean) => void
}

/** The most keys of a cache, and the most characters that its keys have together. */
export interface Bounds {
  readonly keys: number
  readonly characters: number
}

/**
 * Makes a cache of two generations with half the bounds each. Every operation but `retain` takes constant time.
 *
 * A key moves to the younger generation when it is set or found. When that is full it becomes the older one, and the previous
 * older one is dropped. So the most recently used keys of half the bounds are always cached. A key of more than half the
 * characters is not cached.
 */
export const make = <A>(bounds: Bounds): TwoGenerationCache<A> => {
  const keys = Math.floor(bounds.keys / 2)
  const characters = Math.floor(bounds.characters / 2)
  let younger = new Map<string, A>()
  let older = new Map<string, A>()
  let held = 0

  const set = (key: string, value: A) => {
    if (keys === 0 || key.length > characters) return
    if (!younger.has(key)) {
      if (younger.size === keys || held + key.length > characters) {
        older = younger
        younger = new Map()
        held = 0
      }
      held += key.length
    }
    younger.set(key, value)
  }

  return {
    set,
    retain: (holds) => {
      for (const [key, value] of older) if (!holds(value)) older.delete(key)
      for (const [key, value] of younger) {
        if (holds(value)) continue
        younger.delete(key)
        held -= key.length
      }
    },
    get: (key) => {
      const recent = younger.get(key)
      if (recent !== undefined) return recent
      const value = older.get(key)
      if (value !== undefined) set(key, value)
      return value
    }
  }
}
