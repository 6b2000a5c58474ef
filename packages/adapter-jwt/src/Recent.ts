/** How many texts are kept at most, and how many characters they may have together. */
export interface Bounds {
  readonly texts: number
  readonly characters: number
}

/** Remembers something about each of the last used texts. */
export interface Recent<A> {
  readonly find: (text: string) => A | undefined
  readonly keep: (text: string, about: A) => void
  /** Forgets every text about which this is not so. */
  readonly retain: (isSo: (about: A) => boolean) => void
}

/**
 * Remembers within bounds, at the same cost for every text: there are two generations of half the bounds each. A text goes to
 * the younger one when it is kept or found. When that is full it becomes the older one, and what only the older one held is
 * forgotten. So at least the last used texts of half the bounds are there. A text of over half the characters is not kept.
 */
export const make = <A>(bounds: Bounds): Recent<A> => {
  const texts = Math.floor(bounds.texts / 2)
  const characters = Math.floor(bounds.characters / 2)
  let younger = new Map<string, A>()
  let older = new Map<string, A>()
  let held = 0

  const keep = (text: string, about: A) => {
    if (texts === 0 || text.length > characters) return
    if (!younger.has(text)) {
      if (younger.size === texts || held + text.length > characters) {
        older = younger
        younger = new Map()
        held = 0
      }
      held += text.length
    }
    younger.set(text, about)
  }

  return {
    keep,
    retain: (isSo) => {
      for (const [text, about] of older) if (!isSo(about)) older.delete(text)
      for (const [text, about] of younger) {
        if (isSo(about)) continue
        younger.delete(text)
        held -= text.length
      }
    },
    find: (text) => {
      const recent = younger.get(text)
      if (recent !== undefined) return recent
      const about = older.get(text)
      if (about !== undefined) keep(text, about)
      return about
    }
  }
}
