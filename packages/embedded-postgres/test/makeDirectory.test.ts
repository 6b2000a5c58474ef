/** `makeDirectory` on a real file system: modes, links, and paths where no directory can be made. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeDirectory } from "../src/makeDirectory.ts"

describe("makeDirectory", () => {
  it("creates an absent directory with its mode, and returns that it did", ({ onTestFinished }) => {
    const root = mkdtempSync(join(tmpdir(), "sojourn-directory-"))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const deep = join(root, "a", "b", "c")
    assert.isTrue(makeDirectory(deep, 0o700))
    for (const made of [join(root, "a"), join(root, "a", "b"), deep]) {
      assert.strictEqual(statSync(made).mode & 0o777, 0o700)
    }
    assert.isFalse(makeDirectory(deep, 0o700))
    symlinkSync(deep, join(root, "link"))
    assert.isFalse(makeDirectory(join(root, "link"), 0o700))
    assert.isTrue(makeDirectory(join(root, "link", "d"), 0o700))
    assert.isTrue(existsSync(join(deep, "d")))
  })

  it("fails where another file exists", ({ onTestFinished }) => {
    const root = mkdtempSync(join(tmpdir(), "sojourn-directory-"))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const file = join(root, "file")
    writeFileSync(file, "")
    assert.throws(() => makeDirectory(file, 0o700), /EEXIST/)
    assert.throws(() => makeDirectory(join(file, "below"), 0o700), /ENOTDIR/)
    const dangling = join(root, "dangling")
    symlinkSync(join(root, "absent", "absent"), dangling)
    assert.throws(() => makeDirectory(join(dangling, "below"), 0o700), /EEXIST/)
  })

  // Elsewhere there is no such directory.
  it.runIf(existsSync("/proc/self"))("fails where no entries can be made, and Node's own way would never end", () => {
    assert.throws(() => makeDirectory("/proc/sojourn/below", 0o700), /ENOENT/)
  })
})
