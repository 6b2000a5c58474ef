/** Paths to claims: issuers nest claims differently, and the operator's options name where they are. */
import { Result } from "effect"
import { InvalidOptions } from "./InvalidOptions.ts"

/** A token's payload: the claims by name. Only what a verified signature covers may be read as a caller. */
export type Payload = Readonly<Record<string, unknown>>

/** Where a claim is: the names of the members on the way to it, from the top of the payload; one at least. */
export type ClaimPath = readonly [string, ...ReadonlyArray<string>]

/**
 * A path as options write it: the names, or a text. A text that begins with `/` is a JSON pointer (RFC 6901), so that
 * `/realm_access/roles` is `roles` inside `realm_access`, with `~1` for a slash in a name and `~0` for a tilde. Every other
 * text is one name at the top, whatever dots and slashes it has: `https://example.org/roles`.
 */
export type ClaimPathInput = string | ReadonlyArray<string>

const ESCAPED = /~[01]/g
const WRONG_ESCAPE = /~(?![01])/

const names = (text: string): ReadonlyArray<string> =>
  text.startsWith("/")
    ? text
        .slice(1)
        .split("/")
        .map((name) => name.replace(ESCAPED, (escape) => (escape === "~1" ? "/" : "~")))
    : [text]

/** The path that this input writes. Fails with `InvalidOptions` when a name is empty or wrongly escaped. */
export const parse = (option: string, input: ClaimPathInput): Result.Result<ClaimPath, InvalidOptions> => {
  const refuse = (why: string) => Result.fail(new InvalidOptions({ reason: `${option} ${why}` }))
  if (typeof input === "string" && input.startsWith("/") && WRONG_ESCAPE.test(input)) {
    return refuse("is no JSON pointer: a tilde in a name is written ~0, and a slash ~1")
  }
  const [first, ...others] = typeof input === "string" ? names(input) : input
  if (first === undefined || first === "" || others.includes("")) return refuse("must name a claim")
  return Result.succeed([first, ...others])
}

const isObject = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Returns the value of the claim at this path: `undefined` when a member of the path is missing, and `null`, which no rule
 * accepts, when the path goes through a value without members, such as a text or an array. Inherited members do not count.
 */
export const read = (payload: Payload, path: ClaimPath): unknown => {
  let value: unknown = payload
  for (const name of path) {
    if (!isObject(value)) return null
    if (!Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}
