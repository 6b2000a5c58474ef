import { randomBytes } from "node:crypto"

/** Base64 of a text wherever it begins among the bytes around it, without the characters that depend on these. */
const base64s = (text: string) =>
  [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).toString("base64")
    return encoded.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + text.length) * 4) / 3))
  })

/** Values that nobody may ever read in what a server writes. */
export const makeCanaries = () => {
  const known = new Map<string, ReadonlyArray<string>>()
  return {
    /** A new one. Its marked part is the same in every encoding of a URL, and looked for in Base64 and hexadecimal too. */
    next: (what: string): string => {
      const mark = randomBytes(8).toString("hex")
      known.set(`${what} ${mark}`, [mark, ...base64s(mark), Buffer.from(mark).toString("hex")])
      return `${what.replaceAll(" ", "-")}-${mark}`
    },
    /** One that somebody else made: an exit token, or each part of a bearer token that is its own. */
    keep: (what: string, value: string): string => {
      known.set(`${what} ${value}`, [value, ...value.split(".").slice(1)])
      return value
    },
    count: () => known.size,
    /** The ones that can be read in a text. */
    in: (text: string): ReadonlyArray<string> =>
      [...known].filter(([, forms]) => forms.some((form) => text.includes(form))).map(([name]) => name)
  }
}

export type Canaries = ReturnType<typeof makeCanaries>
