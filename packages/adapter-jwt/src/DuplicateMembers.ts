/**
 * Detects duplicate member names in JSON. Parsers disagree on which of them wins, so two readers of a token could see different
 * callers.
 */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** Counts the members written in a JSON text: outside of strings, each member has one colon. */
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

/** Counts the members of a parsed value, nested ones included. It is iterative, because hostile texts are deeply nested. */
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

/** Whether an object in the JSON text, which parses to `value`, has duplicate member names. */
export const hasDuplicates = (json: string, value: unknown): boolean => written(json) !== kept(value)
