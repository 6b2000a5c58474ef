/** Cuts values that differ to the parts that show how: a diff of areas of 100,000 characters takes minutes to print. */
import { Equal } from "effect"

/** The longest text, and the longest list, of which nothing is left out. */
const TEXT = 200
const ITEMS = 20

/** How much of what is equal stands before the first difference. */
const BEFORE = 3

type Pair = readonly [actual: unknown, expected: unknown]

const firstDifference = (one: ArrayLike<unknown>, other: ArrayLike<unknown>): number => {
  let at = 0
  while (at < one.length && at < other.length && Equal.equals(one[at], other[at])) at++
  return at
}

const omitted = (count: number, what: string) => (count <= 0 ? [] : [`(${count} ${what})`])

const excerptOfText = (text: string, from: number): string =>
  [
    ...omitted(from, "equal characters"),
    text.slice(from, from + TEXT),
    ...omitted(text.length - from - TEXT, "more characters")
  ].join(" … ")

const excerptsOfLists = (actual: ReadonlyArray<unknown>, expected: ReadonlyArray<unknown>): Pair => {
  const isLong = Math.max(actual.length, expected.length) > ITEMS
  const from = isLong ? Math.max(0, firstDifference(actual, expected) - BEFORE) : 0
  const excerptOf = (list: ReadonlyArray<unknown>, side: 0 | 1) => [
    ...omitted(from, "equal items"),
    ...list.slice(from, from + ITEMS).map((_, n) => excerpts(actual[from + n], expected[from + n])[side]),
    ...omitted(list.length - from - ITEMS, "more items")
  ]
  return [excerptOf(actual, 0), excerptOf(expected, 1)]
}

type Fields = Readonly<Record<string, unknown>>

const isPlain = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

const excerptsOfFields = (actual: Fields, expected: Fields): Pair => {
  const excerptOf = (fields: Fields, side: 0 | 1) =>
    Object.fromEntries(Object.keys(fields).map((name) => [name, excerpts(actual[name], expected[name])[side]]))
  return [excerptOf(actual, 0), excerptOf(expected, 1)]
}

const alone = (value: unknown): unknown => {
  if (typeof value === "string") return value.length > TEXT ? excerptOfText(value, 0) : value
  return Array.isArray(value) || isPlain(value) ? excerpts(value, value)[0] : value
}

/** The parts of two values where they differ. What is left out is counted. */
export const excerpts = (actual: unknown, expected: unknown): Pair => {
  if (typeof actual === "string" && typeof expected === "string") {
    if (Math.max(actual.length, expected.length) <= TEXT) return [actual, expected]
    const from = Math.max(0, firstDifference(actual, expected) - 10 * BEFORE)
    return actual === expected
      ? [alone(actual), alone(expected)]
      : [excerptOfText(actual, from), excerptOfText(expected, from)]
  }
  if (Array.isArray(actual) && Array.isArray(expected)) return excerptsOfLists(actual, expected)
  if (isPlain(actual) && isPlain(expected)) return excerptsOfFields(actual, expected)
  return [alone(actual), alone(expected)]
}
