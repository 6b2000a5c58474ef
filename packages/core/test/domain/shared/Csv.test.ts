/** Lines of CSV as spreadsheets of any locale read them. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer, text } from "@sojourn/testing"
import { csvLine } from "../../../src/domain/shared/Csv.ts"
import { trials } from "../../trials.ts"

const FORMULA_STARTS = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n"]

/** The first field of a line, as RFC 4180 reads it. */
const firstField = (line: string): string => {
  const [, quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*)),/.exec(line)!
  return quoted?.replaceAll('""', '"') ?? plain!
}

describe("a line of CSV", () => {
  it.each([
    ["a", "a"],
    ["a,b", '"a,b"'],
    ['a"b', '"a""b"'],
    ["a\r\nb", '"a\r\nb"'],
    ["=1+1", "'=1+1"],
    ["＝1+1", "'＝1+1"],
    ["\n=1+1", '"\'\n=1+1"'],
    ["\r=1+1", '"\'\r=1+1"'],
    ["\t=1+1", '"\'\t=1+1"'],
    ["a=1+1", "a=1+1"],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    // Where semicolons or tabs separate fields, the second part would be a field without a guard.
    ["a;=1+1", '"a;=1+1"'],
    ["a\t=1+1", '"a\t=1+1"']
  ])("has %j as %j", (text, field) => {
    assert.strictEqual(csvLine([text, "b"]), `${field},b\r\n`)
  })

  it.prop(
    "prefixes exactly the fields that begin as a formula, and changes nothing else",
    { first: anyOf(["", '"', ",", ";", "'", " ", "a", ...FORMULA_STARTS]), rest: text(0, 5), parts: integer(0, 2) },
    ({ first, rest, parts }) => {
      const field = first.repeat(parts) + rest
      const isFormula = FORMULA_STARTS.some((start) => field.startsWith(start))
      assert.strictEqual(firstField(csvLine([field, "b"])), isFormula ? `'${field}` : field)
    },
    trials()
  )
})
