/** Canaries: values that tests use as secrets and names, and then search for in all that a server writes. */
import { randomBytes } from "node:crypto"

/** The Base64 forms of a text at all three byte offsets, without the characters that depend on adjacent bytes. */
const base64s = (text: string) =>
  [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).toString("base64")
    return encoded.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + text.length) * 4) / 3))
  })

/** Secret and personal values that must not occur in a server's output. */
export const makeCanaries = () => {
  const known = new Map<string, ReadonlyArray<string>>()
  return {
    /** A new canary. Its marker is equal in every URL encoding, and also searched for in Base64 and hexadecimal. */
    next: (what: string): string => {
      const mark = randomBytes(8).toString("hex")
      known.set(`${what} ${mark}`, [mark, ...base64s(mark), Buffer.from(mark).toString("hex")])
      return `${what.replaceAll(" ", "-")}-${mark}`
    },
    /** Adds an existing value: an exit token, or each distinctive part of a bearer token. */
    keep: (what: string, value: string): string => {
      known.set(`${what} ${value}`, [value, ...value.split(".").slice(1)])
      return value
    },
    count: () => known.size,
    /** The canaries that occur in a text. */
    in: (text: string): ReadonlyArray<string> =>
      [...known].filter(([, forms]) => forms.some((form) => text.includes(form))).map(([name]) => name)
  }
}

export type Canaries = ReturnType<typeof makeCanaries>
