/** Tests the texts that a release writes: change logs, notes and manifests. */
import { describe, expect, it } from "vitest"
// @ts-expect-error The scripts have no types: they run on any Node, before anything is installed.
import { notes, readable, sectionOf } from "../release/logs.mjs"
// @ts-expect-error The same.
import { PLACEHOLDER, placeholders, withRepository } from "../release/repository.mjs"

/** As changesets write it. */
const written = `# @sojourn/core

## 0.2.0

### Minor Changes

- A stay may end by itself.

### Patch Changes

- Counters are right after midnight.

## 0.1.1

### Patch Changes

## 0.1.0

### Minor Changes

- The first version.
`

describe("a change log", () => {
  it("has headings that say what is below them, and none with nothing below", () => {
    expect(readable(written)).toBe(`# @sojourn/core

## 0.2.0

### Changes

- A stay may end by itself.

### Corrections

- Counters are right after midnight.

## 0.1.1

As before, with the version of the other packages.

## 0.1.0

### Changes

- The first version.
`)
  })

  it("stays as it is when it is made readable again", () => {
    expect(readable(readable(written))).toBe(readable(written))
  })

  it("knows what belongs to a version", () => {
    expect(sectionOf(written, "0.1.0")).toBe("### Minor Changes\n\n- The first version.")
    expect(sectionOf(written, "0.1")).toBe(undefined)
  })
})

it("makes the notes of a release of the change logs that know it", () => {
  const log = readable(written)
  expect(
    notes(
      [
        ["@sojourn/core", log],
        ["@sojourn/new", "# @sojourn/new\n"]
      ],
      "0.1.0"
    )
  ).toBe("## @sojourn/core\n\n#### Changes\n\n- The first version.\n")
})

it("tells a package where its repository is", () => {
  expect(withRepository({ name: "a" }, "packages/a", "https://forge.example/b/c")).toEqual({
    name: "a",
    homepage: "https://forge.example/b/c/tree/main/packages/a#readme",
    bugs: { url: "https://forge.example/b/c/issues" },
    repository: { type: "git", url: "git+https://forge.example/b/c.git", directory: "packages/a" }
  })
})

it("does not publish files that name no real repository", () => {
  const files = new Map([
    ["README.md", Buffer.from(`[x](${PLACEHOLDER}/blob/main/README.md)`)],
    ["AGENTS.md", Buffer.from("[x](https://forge.example/b/c)")]
  ])
  expect(placeholders({ files })).toEqual(["README.md"])
})
