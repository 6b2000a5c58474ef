/** The rows of files of accesses, cut into pieces anywhere. */
import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import { FirstRowInvalid, makeCsvRows, makeJsonRows, type RowsReader } from "../../../src/index.ts"

/** What is read of a file that comes in two pieces: a row, why there is none, or, at last, the columns that its first row lacks. */
const read = (make: () => RowsReader, text: string, cut: number): ReadonlyArray<unknown> => {
  const reader = make()
  const all: Array<unknown> = []
  for (const [piece, isLast] of [[text.slice(0, cut), false] as const, [text.slice(cut), true] as const]) {
    for (const found of reader(piece, isLast)) {
      if (found instanceof FirstRowInvalid) return [...all, found.missing]
      all.push(found && Result.merge(found))
    }
  }
  return all
}

const readAnywhere = (make: () => RowsReader, text: string): ReadonlyArray<unknown> => {
  const whole = read(make, text, text.length)
  for (let cut = 0; cut < text.length; cut++) assert.deepStrictEqual(read(make, text, cut), whole)
  return whole
}

const times = { entranceTimestamp: "a", exitTimestamp: "b" }

describe("rows of CSV", () => {
  it("have the columns that the first row names, and all that the file has of them", () => {
    assert.deepStrictEqual(readAnywhere(makeCsvRows, `exitTimestamp,note,key, entranceTimestamp \nb,"x, y",,a\nb\n`), [
      { row: times, whole: ["b", "x, y", "", "a"] },
      { row: { exitTimestamp: "b" }, whole: ["b"] }
    ])
  })

  it("are empty, or refused, alone", () => {
    assert.deepStrictEqual(readAnywhere(makeCsvRows, `entranceTimestamp,exitTimestamp\n\na,b,c\n"a"b\na,b`), [
      undefined,
      "it has more fields than the first row",
      "text follows the end of a quote",
      { row: times, whole: ["a", "b"] }
    ])
  })

  it("are none where the first row lacks a column that is needed", () => {
    assert.deepStrictEqual(readAnywhere(makeCsvRows, "key,exitTimestamp\n1,b\n"), [["entranceTimestamp"]])
    for (const text of ["", '"a"b\n']) {
      assert.deepStrictEqual(readAnywhere(makeCsvRows, text), [["entranceTimestamp", "exitTimestamp"]])
    }
  })
})

describe("rows of JSON", () => {
  it("are the objects of lines", () => {
    const row = { ...times, note: 1 }
    assert.deepStrictEqual(readAnywhere(makeJsonRows, ` ${JSON.stringify(row)}\r\n\n[]\nnull\n{`), [
      { row, whole: JSON.stringify(row) },
      undefined,
      "it is no object",
      "it is no object",
      "it is no JSON"
    ])
  })

  it("are refused where they are too long, whatever they hold", () => {
    const longest = `{"key":"${"x".repeat(65_536 - 10)}"}`
    for (const cut of [10, 70_000]) {
      assert.hasAllKeys((read(makeJsonRows, longest, cut) as [object])[0], ["row", "whole"])
      assert.deepStrictEqual(read(makeJsonRows, `${longest} \n{}`, cut), [
        "it is longer than 65536 characters",
        { row: {}, whole: "{}" }
      ])
    }
  })
})
