/** Splits the text of a GeoJSON FeatureCollection into its features, so that none of it has to be parsed at once. */

/** The most characters of what a collection has beside its features. */
const MAX_FRAME = 1_048_576

/** A text that is no FeatureCollection, and why: a sentence without a value of it. */
export interface CollectionFault {
  readonly fault: string
}

const SPACE = /[ \t\n\r]/

/**
 * Makes a reader of the text of a FeatureCollection that comes in pieces. `read` yields the texts of the features that a piece completes, of
 * which each may still be no JSON. `end` returns what the collection has beside them, or a fault.
 */
export const makeFeatureReader = () => {
  /** The text with `0` in the place of each feature. */
  let frame = ""
  let depth = 0
  let isInString = false
  let isEscaped = false
  /** The last string of the collection itself, which is a key if a colon follows. */
  let key = ""
  let isKeyOver = false
  let state: "before" | "within" | "after" = "before"
  /** The text of a feature that has begun. */
  let feature: string | undefined
  let isDoubled = false

  const read = function* (piece: string): Generator<string> {
    /** From where on the piece is not yet in the frame or the feature. */
    let from = 0
    const keep = (to: number) => {
      if (feature === undefined) frame += piece.slice(from, to)
      else feature += piece.slice(from, to)
      from = to
    }
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at]!
      if (isInString) {
        if (depth === 1) key += char
        if (isEscaped) isEscaped = false
        else if (char === "\\") isEscaped = true
        else if (char === '"') isInString = false
        continue
      }
      if (SPACE.test(char)) continue
      const isElement = state === "within" && depth === 2
      if (isElement && feature === undefined && char !== "," && char !== "]") {
        keep(at)
        frame += "0"
        feature = ""
      }
      if (isElement && feature !== undefined && (char === "," || char === "]")) {
        keep(at)
        yield feature
        feature = undefined
      }
      switch (char) {
        case '"':
          isInString = true
          isKeyOver = false
          if (depth === 1) key = '"'
          break
        case ":":
          isKeyOver = depth === 1
          break
        case "[":
        case "{":
          if (depth === 1 && char === "[" && isKeyOver && key === '"features"') {
            if (state === "after") isDoubled = true
            state = "within"
          }
          depth++
          break
        case "]":
        case "}":
          depth--
          if (state === "within" && depth === 1) state = "after"
          break
        case ",":
          isKeyOver = false
          break
      }
    }
    keep(piece.length)
    if (frame.length > MAX_FRAME) frame = frame.slice(0, MAX_FRAME + 1)
  }

  const end = (): Readonly<Record<string, unknown>> | CollectionFault => {
    if (frame.length > MAX_FRAME) return { fault: "The collection has more than a megabyte beside its features." }
    if (isDoubled) return { fault: "The collection has its features twice." }
    let parsed: unknown
    try {
      parsed = JSON.parse(frame)
    } catch {
      return { fault: "Expected a valid JSON body" }
    }
    const { type, features } = (parsed ?? {}) as Readonly<Record<string, unknown>>
    return type === "FeatureCollection" && Array.isArray(features) && state === "after"
      ? (parsed as Readonly<Record<string, unknown>>)
      : { fault: "Expected a GeoJSON FeatureCollection" }
  }

  return { read, end }
}
