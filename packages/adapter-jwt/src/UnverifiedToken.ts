/** Parses bearer tokens without verifying their signatures. */
import { NotAuthenticated } from "@sojourn/core"
import { Redacted, Result } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import type { Payload } from "./ClaimPath.ts"
import { hasDuplicates } from "./DuplicateMembers.ts"

/** The longest token that is accepted, in characters. */
export const LONGEST_TOKEN = 16 * 1024

/** A parsed but unverified token. Its claims only choose among the configured issuers, and never determine a URL. */
export interface UnverifiedToken {
  readonly token: string
  readonly claims: Payload
}

// Only canonical base64url: no padding, no blanks, no leftover bits in the last character. Otherwise one signature would have
// several spellings, and a changed token could still be accepted.
const PART = "(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{4}|[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])"
const COMPACT = new RegExp(`^${PART}\\.${PART}\\.${PART}$`)

/** Header parameters of unsupported features: extensions (`crit`, `b64`), compression and encryption. */
const FOREIGN = ["crit", "b64", "zip", "enc"]

const refuse = (reason: string) => Result.fail(new NotAuthenticated({ reason }))

const TOO_LONG = refuse("the token is too long")
const NO_TOKEN = refuse("the credentials are no signed token")
const MALFORMED = refuse("the token is malformed")
const NOT_UNDERSTOOD = refuse("the token needs what is not understood here")

const object = (part: string): Payload | undefined => {
  const text = Base64Url.decodeString(part)
  if (Result.isFailure(text)) return undefined
  try {
    const value: unknown = JSON.parse(text.success)
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
    return hasDuplicates(text.success, value) ? undefined : (value as Payload)
  } catch {
    return undefined
  }
}

/**
 * Parses credentials as a signed token. Fails with `NotAuthenticated` when they have another form, are longer than
 * {@link LONGEST_TOKEN}, have duplicate members, or need an unsupported feature.
 */
export const fromCredentials = (
  credentials: Redacted.Redacted<string>
): Result.Result<UnverifiedToken, NotAuthenticated> => {
  const token = Redacted.value(credentials)
  if (token.length > LONGEST_TOKEN) return TOO_LONG
  if (!COMPACT.test(token)) return NO_TOKEN
  const end = token.indexOf(".")
  const header = object(token.slice(0, end))
  const claims = object(token.slice(end + 1, token.lastIndexOf(".")))
  if (header === undefined || claims === undefined) return MALFORMED
  if (FOREIGN.some((name) => Object.hasOwn(header, name))) return NOT_UNDERSTOOD
  return Result.succeed({ token, claims })
}
