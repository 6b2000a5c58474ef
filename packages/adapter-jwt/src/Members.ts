const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** How many members a JSON text writes: outside of strings, every member has one colon. */
const written = (json: string): number => {
  let members = 0
  let inside = false
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === QUOTE) inside = !inside
    else if (!inside && character === COLON) members++
    else if (inside && character === BACKSLASH) at++
  }
  return members
}

/** How many members a value has, with those of all values inside. A loop, because a hostile text is deep. */
const kept = (value: unknown): number => {
  let members = 0
  const open: Array<unknown> = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== "object" || next === null) continue
    const inner: ReadonlyArray<unknown> = Object.values(next)
    if (!Array.isArray(next)) members += inner.length
    for (const one of inner) if (typeof one === "object") open.push(one)
  }
  return members
}

/**
 * Does an object in this JSON text, which parses to this value, have two members of one name? Parsers disagree on which of
 * them counts, so that one reader could see another caller than the next.
 */
export const hasDuplicates = (json: string, value: unknown): boolean => written(json) !== kept(value)
