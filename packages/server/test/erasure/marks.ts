/** What every name of the people here begins with, and nothing else does. */
const BEGINNING = "k4n4r1"

const bytes = Buffer.from(BEGINNING)

/** The beginning as it looks in other encodings, without the characters that depend on what is around it. */
const ENCODED = [
  bytes.toString("hex"),
  ...[0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64")
    return encoded.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3))
  })
]

/** What tells one person's names from all others'. */
export const markOf = (number: number): string => `${BEGINNING}x${number}x`

/** What a text tells of people: whose names are in it, and whether it hides one in another encoding. */
export interface Found {
  readonly people: ReadonlySet<number>
  readonly encoded: boolean
}

export const marksIn = (text: string): Found => ({
  people: new Set([...text.matchAll(/k4n4r1x(\d+)x/gi)].map(([, number]) => Number(number))),
  encoded: ENCODED.some((form) => text.includes(form))
})

export const isSilent = ({ people, encoded }: Found): boolean => people.size === 0 && !encoded
