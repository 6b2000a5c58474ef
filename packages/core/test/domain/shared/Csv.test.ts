/** Lines of CSV as spreadsheets of any locale read them. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { anyOf, integer, text } from "@sojourn/testing"
import { csvLine, type CsvRecord, makeCsvReader } from "../../../src/domain/shared/Csv.ts"
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

/** The records of a text that comes in pieces of a length. */
const recordsOf = (text: string, length = text.length + 1): ReadonlyArray<CsvRecord> => {
  const read = makeCsvReader()
  const records: Array<CsvRecord> = []
  for (let at = 0; at < text.length; at += length) records.push(...read(text.slice(at, at + length), false))
  return [...records, ...read("", true)]
}

const field = Arbitrary.map(
  Arbitrary.all([anyOf(["", '"', '""', ",", ";", "\r\n", "\n", "'", "=", "\t", "a"]), text(0, 4)]),
  ([start, rest]) => start + rest
)

describe("a reader of CSV", () => {
  it.prop(
    "reads what was written, whatever its pieces are",
    {
      lines: Arbitrary.array(Arbitrary.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
      length: integer(1, 9)
    },
    ({ lines, length }) => {
      // The guard of a text that begins as a guarded one is taken back as well.
      const fields = lines.map((line) => line.map((one) => one.replace(/^'/, "")))
      assert.deepStrictEqual(recordsOf(fields.map(csvLine).join(""), length), fields)
    },
    trials()
  )

  it.each<[string, ReadonlyArray<CsvRecord>]>([
    ["", []],
    [
      "\uFEFFa,b\r\n1,2",
      [
        ["a", "b"],
        ["1", "2"]
      ]
    ],
    [
      "a,b\n1,\n",
      [
        ["a", "b"],
        ["1", ""]
      ]
    ],
    ["a\n\nb", [["a"], [""], ["b"]]],
    ['a,"b ""c"""\n', [["a", 'b "c"']]],
    ['a b"c,d\n', [['a b"c', "d"]]],
    // A record that cannot be read takes no later one with it.
    ['"a"b,c\nd\n', [{ fault: "text follows the end of a quote" }, ["d"]]],
    ['a,"b\nc\n', [{ fault: "a quote is not closed" }, ["c"]]],
    [
      `a,"b\n${"c".repeat(70_000)}\nd`,
      [{ fault: "a quote is not closed" }, { fault: "it is longer than 65536 characters" }, ["d"]]
    ],
    [`"${"c".repeat(70_000)}\nd`, [{ fault: "a quote is not closed" }, ["d"]]],
    ["c".repeat(200_000), [{ fault: "it is longer than 65536 characters" }]]
  ])("reads %j", (text, records) => {
    assert.deepStrictEqual(recordsOf(text), records)
    assert.deepStrictEqual(recordsOf(text, 1_000), records)
    if (text.length < 100) assert.deepStrictEqual(recordsOf(text, 1), records)
  })
})
