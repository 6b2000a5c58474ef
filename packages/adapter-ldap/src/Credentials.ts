import type { DirectoryCredentials } from "@sojourn/core"
import * as Redacted from "effect/Redacted"
import { LONGEST_NAME } from "./DistinguishedName.ts"

/** The longest password that is passed on, in UTF-16 units. */
export const LONGEST_PASSWORD = 4096

/** Servers written in C may end a text at a NUL: a password that begins with one would be an empty one. */
const isSendable = (text: string, longest: number): boolean =>
  text !== "" && text.length <= longest && text.isWellFormed() && !text.includes("\u0000")

/**
 * Can the credentials prove anybody? Empty ones cannot: a bind with an empty password is anonymous and succeeds for
 * everybody (RFC 4513, section 5.1.2). What cannot, is not sent.
 */
export const areWorthSending = ({ username, password }: DirectoryCredentials): boolean =>
  isSendable(username, LONGEST_NAME) && isSendable(Redacted.value(password), LONGEST_PASSWORD)
