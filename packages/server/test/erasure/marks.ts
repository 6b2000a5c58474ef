/** Marks in all names of a person, so that a scan finds the person in any text and encoding. */
import { base64s } from "../identity/canaries.ts"

/** The prefix of every name of a person in this test, which occurs nowhere else. */
const BEGINNING = "k4n4r1"

/** The prefix in hexadecimal and Base64. */
const ENCODED = [Buffer.from(BEGINNING).toString("hex"), ...base64s(BEGINNING)]

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
