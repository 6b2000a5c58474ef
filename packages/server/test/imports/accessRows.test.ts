/** The rows of files of accesses, and the keys that they get. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { readAccessFile, type RowsOfFile } from "../../src/imports/accessRows.ts"
import { RowCounts } from "../../src/imports/RowCounts.ts"
import { temporaryFolder } from "../folders.ts"

const folder = temporaryFolder()

const read = async (text: string | Uint8Array): Promise<ReadonlyArray<RowsOfFile>> => {
  const path = join(folder, "rows")
  writeFileSync(path, text)
  const parts: Array<RowsOfFile> = []
  for await (const part of readAccessFile(path)) parts.push(part)
  return parts
}

const rowsOf = (parts: ReadonlyArray<RowsOfFile>) => parts.flatMap(({ lines }) => lines).map((line) => JSON.parse(line))

const HEADER = "entranceTimestamp,exitTimestamp,placeName,note\n"
const row = (n: number) => `2026-01-01T00:00:0${n}Z,2026-01-01T01:00:00Z,"Hall, east",${n}\n`

describe("a file of accesses", () => {
  it("has its columns, and keys that tell equal rows apart and stay when rows are added", async () => {
    const first = rowsOf(await read(HEADER + row(1) + row(2) + row(1) + row(1)))
    assert.deepInclude(first[0], { entranceTimestamp: "2026-01-01T00:00:01Z", placeName: "Hall, east" })
    assert.notProperty(first[0], "note")
    const keys = first.map(({ key }) => key)
    assert.strictEqual(new Set(keys).size, 4)
    for (const key of keys) assert.match(key, /^[\w-]{43}$/)
    const more = rowsOf(await read(`﻿${HEADER}${row(3)}${row(1)}${row(1)}${row(2)}${row(1)}`))
    assert.includeMembers(
      more.map(({ key }) => key),
      keys
    )
  })

  it("keeps the keys that it has, also in lines of JSON", async () => {
    const [part] = await read('{"key":"mine","entranceTimestamp":"x"}\n\n  {"key":null}\n[]\n{')
    assert.deepStrictEqual(rowsOf([part!])[0], { key: "mine", entranceTimestamp: "x" })
    assert.match(rowsOf([part!])[1].key, /^[\w-]{43}$/)
    assert.deepStrictEqual(part!.numbers, [1, 3])
    assert.deepStrictEqual(part!.unread, [
      { line: 4, reason: "it is no object" },
      { line: 5, reason: "it is no JSON" }
    ])
  })

  it("comes in requests of bounded size, whose rows have their numbers in the file", async () => {
    const parts = await read(HEADER + row(1).repeat(120_000))
    assert.isAbove(parts.length, 2)
    assert.deepStrictEqual(
      parts.flatMap(({ numbers }) => numbers),
      Array.from({ length: 120_000 }, (_, n) => n + 1)
    )
    for (const { lines } of parts) assert.isAtMost(lines.join("\n").length, 5_001_000)
    assert.strictEqual(new Set(rowsOf(parts).map(({ key }) => key)).size, 120_000)
  })

  it("is refused without the columns that it needs, and where it is no UTF-8", async () => {
    for (const text of ["a,b\n1,2\n", new Uint8Array([0x7b, 0xff])]) {
      const failure = await read(text).then(
        () => undefined,
        (error: unknown) => error
      )
      assert.instanceOf(failure, Error)
    }
  })
})

describe("counts of rows", () => {
  it("are those of each hash, however many there are", () => {
    const counts = new RowCounts()
    const hashOf = (n: number) => 1 + ((n * 2_654_435_761) % (2 ** 53 - 1))
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 20_000; n++) assert.strictEqual(counts.count(hashOf(n)), round)
    }
    // Hashes with equal low bits.
    for (let n = 1; n < 100; n++) assert.strictEqual(counts.count(7 + n * 2 ** 32), 0)
  })
})
