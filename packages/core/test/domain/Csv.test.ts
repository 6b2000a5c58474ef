/** Lines of CSV as spreadsheets of any locale read them. */
import { assert, describe, it } from "@effect/vitest"
import { csvLine } from "../../src/domain/Csv.ts"

describe("a line of CSV", () => {
  it.each([
    ["a", "a"],
    ["a,b", '"a,b"'],
    ['a"b', '"a""b"'],
    ["a\r\nb", '"a\r\nb"'],
    ["=1+1", "'=1+1"],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    // Where semicolons or tabs separate fields, the second part would be a field without a guard.
    ["a;=1+1", '"a;=1+1"'],
    ["a\t=1+1", '"a\t=1+1"']
  ])("has %j as %j", (text, field) => {
    assert.strictEqual(csvLine([text, "b"]), `${field},b\r\n`)
  })
})
