/** Recognizes distinguished names (RFC 4514), and makes them of bind templates. */
import { DN } from "ldapts"

const TYPE = "(?:[a-z][a-z0-9-]*|\\d+(?:\\.\\d+)+)"
const ESCAPED = '\\\\(?:[0-9a-f]{2}|[ "#+,;<=>\\\\])'
// What neither begins nor ends a value unescaped: blanks, and a number sign at the begin.
const INNER = `(?:[^"+,;<>\\\\\\0]|${ESCAPED})`
const LEADING = `(?:[^ #"+,;<>\\\\\\0]|${ESCAPED})`
const TRAILING = `(?:[^ "+,;<>\\\\\\0]|${ESCAPED})`
const VALUE = `(?:#(?:[0-9a-f]{2})+|${LEADING}(?:${INNER}*${TRAILING})?|)`
const PAIR = `${TYPE} *= *${VALUE}`
const SEPARATOR = " *[,+] *"
const NAME = new RegExp(`^${PAIR}(?:${SEPARATOR}${PAIR})*$`, "iu")

/** The longest distinguished name that is looked at, in UTF-16 units. */
export const LONGEST_NAME = 2048

/**
 * Is the text a distinguished name (RFC 4514), other than the empty one? Blanks around its commas, pluses and equal signs
 * are accepted, as RFC 2253 has it.
 */
export const isDistinguishedName = (text: string): boolean => text.length <= LONGEST_NAME && NAME.test(text)

/** What stands for the user's name in a bind template. */
export const PLACEHOLDER = "{username}"

/** Makes a user's distinguished name from the name that the user typed. */
export interface BindTemplate {
  readonly nameOf: (username: string) => string
}

/**
 * Reads a template like `uid={username},ou=people,dc=example,dc=org`: a distinguished name in which one whole value is
 * `{username}`. Undefined when it is something else.
 */
export const parseBindTemplate = (template: string): BindTemplate | undefined => {
  const match = new RegExp(`^(.*?)(${TYPE}) *= *\\{username\\}(.*)$`, "isu").exec(template)
  if (match === null) return undefined
  const [, before = "", type = "", after = ""] = match
  const isName = isDistinguishedName(`${before}${type}=x${after}`) && !`${before}${after}`.includes(PLACEHOLDER)
  if (!isName || !/^( *[,+]|$)/.test(after) || !/(^|[,+] *)$/.test(before)) return undefined
  return { nameOf: (username) => `${before}${new DN().addPairRDN(type, username).toString()}${after}` }
}
