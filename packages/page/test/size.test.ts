/** Bounds what a first load of the page may cost, and keeps its files free of what its policy forbids. */
import { pageFiles } from "@sojourn/page"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"

const files = await pageFiles()
const byPath = new Map(files.map((file) => [file.path, file]))
const sizeOf = (path: string) => gzipSync(byPath.get(path)!.text, { level: 9 }).length
const html = byPath.get("/")!.text
/** What a browser loads before anything is opened. */
const first = ["/", ...[...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path!)]

describe("the files of the page", () => {
  it("are at most 50 kB gzipped until something is opened, and 150 kB in all", () => {
    assert.isAbove(first.length, 3)
    const live = first.reduce((sum, path) => sum + sizeOf(path), 0)
    const all = files.reduce((sum, { path }) => sum + sizeOf(path), 0)
    assert.isAtMost(live, 50_000)
    assert.isAtMost(all, 150_000)
    assert.isAbove(all, live)
  })

  it("begin with the page's own module, however many others are loaded later", () => {
    assert.match(html, /<script type="module" src="\/page\/main-[A-Z0-9]{8}\.js">/)
  })

  it("hold no script and no style in the document, and name nothing elsewhere", () => {
    assert.notMatch(html, /<style|style=|<script(?![^>]* src=)| on\w+=/)
    assert.notMatch(html, /https?:/)
  })

  it("have names that change with their content, and notices of what is in them", () => {
    for (const { path } of files) {
      assert.match(
        path,
        /^\/$|^\/favicon\.svg$|^\/page\/(notices\.txt|(drill|evacuation)\.svg)$|^\/page\/[\w-]+-[A-Z0-9]{8}\.(js|css)$/
      )
    }
    assert.include(byPath.get("/page/notices.txt")!.text, "The MIT License")
  })
})
