/** LDIF (RFC 2849): what slapadd reads. */

/** One entry: its name, and its attributes with one value or several. */
export type LdifEntry = readonly [dn: string, attributes: Readonly<Record<string, string | ReadonlyArray<string>>>]

/** Everything in Base64, so that no character matters. */
const line = (name: string, value: string) => `${name}:: ${Buffer.from(value).toString("base64")}`

export const toLdif = (entries: ReadonlyArray<LdifEntry>): string =>
  entries
    .map(([dn, attributes]) =>
      [
        line("dn", dn),
        ...Object.entries(attributes).flatMap(([name, values]) => [values].flat().map((value) => line(name, value)))
      ].join("\n")
    )
    .join("\n\n")
    .concat("\n")

/** A value as it stands in a distinguished name, with every byte escaped that is no letter or digit. */
export const inName = (value: string): string =>
  value.replace(/[^a-zA-Z0-9]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("")
  )
