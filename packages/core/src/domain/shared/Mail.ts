import * as Schema from "effect/Schema"
import { branded } from "./branded.ts"

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

const isWellFormed = (text: string): boolean => {
  const at = text.indexOf("@")
  if (at < 1 || at > 64 || text.length > 254) return false
  return (
    LOCAL.test(text.slice(0, at)) &&
    text
      .slice(at + 1)
      .split(".")
      .every((label) => LABEL.test(label))
  )
}

/** A mail address, kept as it was written: a dot-atom and a host name (RFC 5321), at most 254 characters. */
export const Mail = Schema.String.check(Schema.makeFilter(isWellFormed, { expected: "a mail address" })).pipe(
  branded("Mail")
)
export type Mail = typeof Mail.Type

/** The key by which mail addresses are compared, without regard to case. */
export const mailKey = (mail: Mail): string => mail.toLowerCase()

/** Do both name the same mailbox? */
export const sameMail = (one: Mail, other: Mail): boolean => mailKey(one) === mailKey(other)
