/** Random texts that stores and wires get wrong. */
import { Mail } from "@sojourn/core"
import { Arbitrary } from "effect"
import { anyOf, integer, oneOf } from "./choice.ts"

/** Characters that stores and wires get wrong: escapes, quotes, separators, combining marks, other planes, other scripts. */
const CHARACTERS = [
  ..."aZ09 -_.",
  ..."%,/\\'\"`?#&=+;:*()[]{}<>|$@!~^",
  "\t",
  "\n",
  "\u007f",
  "é",
  "e\u0301",
  "ß",
  "İ",
  "漢",
  "ע",
  "\u200d",
  "\ue000",
  "\uffff",
  "😀",
  "\u{10ffff}"
] as const

/** Text of `minimum` to `maximum` characters (code points), rich in characters that are easily mistreated. */
export const text = (minimum: number, maximum: number): Arbitrary.Arbitrary<string> => {
  const character = anyOf(["a", ...CHARACTERS])
  const ofLength = (length: number) =>
    Arbitrary.map(Arbitrary.array(character, { minLength: length, maxLength: length }), (parts) =>
      [...parts.join("")].slice(0, Math.max(length, minimum)).join("")
    )
  const short = Arbitrary.flatMap(integer(minimum, Math.min(maximum, minimum + 12)), ofLength)
  const longest = Arbitrary.map(character, (one) => ([...one][0] ?? "a").repeat(maximum))
  return oneOf(short, short, short, longest)
}

/** Text that no store keeps: with a NUL, or with half of a surrogate pair. */
export const unstorableText: Arbitrary.Arbitrary<string> = Arbitrary.map(
  Arbitrary.all([text(0, 8), anyOf(["\u0000", "\ud800", "\udfff", "\udc00\ud800"]), text(0, 8)]),
  (parts) => parts.join("")
)

/** Mail addresses, of a few mailboxes in different cases. */
export const mail: Arbitrary.Arbitrary<Mail> = Arbitrary.map(
  Arbitrary.all([
    anyOf(["ada", "Ada", "ADA", "bob.b", "o'neil+tag"]),
    anyOf(["example.org", "Example.ORG", "a-b.test"])
  ]),
  ([local, host]) => Mail.make(`${local}@${host}`)
)
