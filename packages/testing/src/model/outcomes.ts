/** The answers of services, and their comparison. */
import type { Request } from "./commands.ts"
import { statusOf } from "./statuses.ts"

/** An answer as a use case gives it: `name` is `Done`, `Nothing` (an empty list) or the tag of a refusal. */
export interface Answer {
  readonly name: string
  readonly value?: unknown
  /** The exit tokens in it, in their order. */
  readonly tokens: ReadonlyArray<string>
}

/** An answer as a driver observes it: with a name if it knows it, else the HTTP status. */
export type Observed = Answer | (Omit<Answer, "name"> & { readonly status: number })

/** Was a request successful? */
export const isDone = (seen: Observed | undefined): boolean =>
  seen !== undefined && ("name" in seen ? seen.name === "Done" : seen.status < 300)

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

/** The tokens of two services, which differ: each token of the first corresponds to one token of the second. */
export class TokenPairs {
  readonly #partners: Map<string, string>
  readonly #known: Set<string>

  constructor(pairs: ReadonlyArray<readonly [string, string]> = []) {
    this.#partners = new Map(pairs)
    this.#known = new Set(this.#partners.values())
  }

  copy(): TokenPairs {
    return new TokenPairs([...this.#partners])
  }

  /** Are they partners? Two that come for the first time become partners. */
  arePartners(one: string, other: string): boolean {
    const partner = this.#partners.get(one)
    if (partner !== undefined) return partner === other
    if (this.#known.has(other)) return false
    this.#partners.set(one, other)
    this.#known.add(other)
    return true
  }
}

/** Accesses of one entrance are listed by their ids, which are each service's own: they come in any order. */
const isOrderedByIds = ({ _tag }: Request): boolean => _tag === "ReadAccessesByToken" || _tag === "ReadAccessesOfPeople"

/** Are both the same list of accesses, but for the order of those of one entrance? */
const sameAccesses = (expected: Answer, seen: Observed, pairs: TokenPairs): boolean => {
  const [wanted, open] = [expected, seen].map(({ value, tokens }) =>
    (value as ReadonlyArray<{ readonly entrance: number }>).map((item, index) => ({ item, token: tokens[index] }))
  ) as [
    ReadonlyArray<{ item: { entrance: number }; token?: string }>,
    Array<{ item: { entrance: number }; token?: string }>
  ]
  return (
    wanted.length === open.length &&
    wanted.every(({ item }, index) => open[index]?.item.entrance === item.entrance) &&
    wanted.every(({ item, token }) => {
      const found = open.findIndex(
        (one) => sameJson(one.item, item) && (token === undefined || pairs.arePartners(token, one.token ?? ""))
      )
      if (found >= 0) open.splice(found, 1)
      return found >= 0
    })
  )
}

/** Was a request answered as it was to be? Tokens that come for the first time become partners. */
export const agrees = (request: Request, expected: Answer, seen: Observed, pairs: TokenPairs): boolean => {
  const isNamed = "name" in seen ? seen.name === expected.name : seen.status === statusOf(request._tag, expected.name)
  if (!isNamed || expected.tokens.length !== seen.tokens.length) return false
  if (isOrderedByIds(request) && Array.isArray(expected.value) && Array.isArray(seen.value)) {
    return sameAccesses(expected, seen, pairs)
  }
  return (
    sameJson(expected.value, seen.value) &&
    expected.tokens.every((token, index) => pairs.arePartners(token, seen.tokens[index] ?? ""))
  )
}
