/** Refuses duplicated code in the repository. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { inSandbox } from "../blocks/processes.ts"
import { duplicates } from "../duplicates.ts"
import { read } from "../pages/repository.ts"

it("no code stands there twice", async () => {
  assert.deepStrictEqual(await duplicates(), [])
})

it("a planted copy is found, with both of its places", () =>
  inSandbox(async (folder) => {
    const code = read("site/pages/headings.ts")
    writeFileSync(join(folder, "one.ts"), code)
    writeFileSync(join(folder, "other.ts"), `export const before = 1\n\n${code}`)
    const found = await duplicates([folder])
    assert.strictEqual(found.length, 1, found.join("\n"))
    assert.match(found[0]!, /one\.ts/)
    assert.match(found[0]!, /other\.ts/)
  }))
