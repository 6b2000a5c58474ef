/** Keeps the planted faults applicable: a check of a second, while planting all of them takes long. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "vitest"
import { root } from "./planted.ts"

interface WrongRule {
  readonly name: string
  readonly file: string
  readonly right: string
  readonly wrong: string
}

describe("the planted wrong rules", () => {
  it("each change a text that occurs exactly once in its file", async () => {
    const list = pathToFileURL(join(root, "scripts/mutants/wrong-rules.mjs")).href
    const { wrongRules } = (await import(list)) as { readonly wrongRules: ReadonlyArray<WrongRule> }
    const lost = wrongRules.filter(
      ({ file, right, wrong }) => right === wrong || readFileSync(join(root, file), "utf8").split(right).length !== 2
    )
    assert.deepStrictEqual(
      lost.map(({ name }) => name),
      []
    )
    assert.isAbove(wrongRules.length, 50)
  })
})
