/** Marks in all names of a person, so that a scan finds the person in any text and encoding. */

/** The prefix of every name of a person in this test, which occurs nowhere else. */
const BEGINNING = "k4n4r1"

const bytes = Buffer.from(BEGINNING)

/** The prefix in hexadecimal and Base64, without the characters that depend on adjacent bytes. */
const ENCODED = [
  bytes.toString("hex"),
  ...[0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64")
    return encoded.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3))
  })
]

/** The mark in all names of one person. */
export const markOf = (number: number): string => `${BEGINNING}x${number}x`

/** The people whose names a text contains, and whether it contains an encoded name. */
export interface Found {
  readonly people: ReadonlySet<number>
  readonly encoded: boolean
}

export const marksIn = (text: string): Found => ({
  people: new Set([...text.matchAll(/k4n4r1x(\d+)x/gi)].map(([, number]) => Number(number))),
  encoded: ENCODED.some((form) => text.includes(form))
})

export const isSilent = ({ people, encoded }: Found): boolean => people.size === 0 && !encoded
