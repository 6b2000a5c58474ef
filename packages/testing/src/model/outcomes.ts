/** The outcomes that the model expects of a request, and their comparison with a service's answer. */
import type { World } from "./World.ts"

/**
 * The expected outcome of a request. `names` contains `Done`, `Nothing` (an empty list) or the tag of a refusal; several tags
 * when more than one refusal applies and the specification does not order them. `tokens` are the stays, by their numbers in the
 * world, whose exit tokens the answer contains, in order.
 */
export interface Outcome {
  readonly names: ReadonlyArray<string>
  readonly value?: unknown
  readonly tokens: ReadonlyArray<number>
  /**
   * The sort key of each item of a list, when items with equal keys may have any order, such as concurrently opened stays.
   */
  readonly ties?: ReadonlyArray<string> | undefined
}

/** The observed outcome of a request: a name if the driver knows it, else the HTTP status. */
export type Seen = {
  readonly value?: unknown
  readonly tokens: ReadonlyArray<string>
} & ({ readonly name: string } | { readonly status: number })

/** Was a request successful? */
export const isDone = (seen: Seen | undefined): boolean =>
  seen !== undefined && ("name" in seen ? seen.name === "Done" : seen.status < 300)

/** A success with a body. */
export const done = (value?: unknown, tokens: ReadonlyArray<number> = []): Outcome => ({
  names: ["Done"],
  value,
  tokens
})

/** A success with a list. */
export const listed = (items: ReadonlyArray<unknown>, tokens: ReadonlyArray<number> = []): Outcome =>
  items.length === 0 ? { names: ["Nothing"], tokens: [] } : done(items, tokens)

/** A success with a list in which items with equal sort keys may have any order. */
export const listedWithTies = (
  items: ReadonlyArray<{ readonly item: unknown; readonly tie: string; readonly stay?: number }>
): Outcome => ({
  ...listed(
    items.map(({ item }) => item),
    items.flatMap(({ stay }) => stay ?? [])
  ),
  ties: items.map(({ tie }) => tie)
})

/** A refusal for one of these reasons. */
export const refused = (...names: ReadonlyArray<string>): Outcome => ({ names, tokens: [] })

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(
    fields.map(([name, field]) => [name, canonical(field)] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  )
}

/** Are both the same JSON? The order of fields and fields that are `undefined` say nothing. */
export const sameJson = (one: unknown, other: unknown): boolean =>
  JSON.stringify(canonical(one)) === JSON.stringify(canonical(other))

/** The token stands for the stay from the first time that it is answered, for no other stay, and never changes. */
const recognize = (world: World, stay: number, token: string): boolean => {
  const known = world.tokens[stay]
  if (known !== undefined) return known === token
  if (world.tokens.includes(token)) return false
  world.tokens[stay] = token
  return true
}

const agreesInOrder = (world: World, expected: Outcome, seen: Seen): boolean =>
  sameJson(expected.value, seen.value) &&
  expected.tokens.length === seen.tokens.length &&
  expected.tokens.every((stay, index) => recognize(world, stay, seen.tokens[index] ?? ""))

/**
 * Are both the same list, but for the order of adjacent items of one tie? `isSameToken` compares tokens, of a list whose items each
 * have one.
 */
export const sameButForTies = <Token>(
  ties: ReadonlyArray<string>,
  expected: { readonly value?: unknown; readonly tokens: ReadonlyArray<Token> },
  seen: Seen,
  isSameToken: (expected: Token, seen: string) => boolean
): boolean => {
  if (expected.tokens.length !== seen.tokens.length) return false
  if (!Array.isArray(expected.value) || !Array.isArray(seen.value)) return sameJson(expected.value, seen.value)
  const hasTokens = expected.tokens.length > 0
  if (expected.value.length !== seen.value.length) return false
  const open = seen.value.map((item: unknown, index) => ({ item, token: seen.tokens[index], tie: ties[index] }))
  return expected.value.every((item, index) => {
    const found = open.findIndex(
      (one) =>
        one.tie === ties[index] &&
        sameJson(one.item, item) &&
        (!hasTokens || isSameToken(expected.tokens[index]!, one.token ?? ""))
    )
    if (found >= 0) open.splice(found, 1)
    return found >= 0
  })
}

/** Was the request answered as it was to be? Tokens that are answered for the first time are noted in the world. */
export const agrees = (
  world: World,
  expected: Outcome,
  seen: Seen,
  statusOf: (name: string) => number | undefined
): boolean => {
  const isRight = expected.names.some((name) => ("name" in seen ? seen.name === name : seen.status === statusOf(name)))
  if (!isRight) return false
  return expected.ties === undefined
    ? agreesInOrder(world, expected, seen)
    : sameButForTies(expected.ties, expected, seen, (stay, token) => recognize(world, stay, token))
}
