import { expect } from "vitest"
import type { Ended } from "./faults/SojournProcess.ts"

/** Expects that a command failed with exit code 1 and one line on stderr, and printed nothing on stdout. */
export const expectRefusal = ({ code, out, err }: Pick<Ended, "code" | "out" | "err">, line: RegExp) => {
  expect([code, out]).toEqual([1, ""])
  expect(err).toMatch(/^sojourn: [^\n]+\n$/)
  expect(err).toMatch(line)
}
