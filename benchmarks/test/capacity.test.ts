/** The page against the script. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, expect, it } from "@effect/vitest"
import { TABLES } from "../capacity.ts"

const PAGE = fileURLToPath(new URL("../../docs/capacity.md", import.meta.url))

it("docs/capacity.md has the tables that `npm run capacity` prints", async () => {
  const expected = Object.entries(TABLES).reduce(
    (page, [name, table]) => {
      const marker = new RegExp(`(<!-- npm run capacity: ${name} -->\n\n)(\\|.*\n)*\n?`)
      assert.match(page, marker, name)
      return page.replace(marker, (_, before: string) => `${before}${table()}\n\n`)
    },
    readFileSync(PAGE, "utf8")
  )
  await expect(expected).toMatchFileSnapshot(PAGE)
})
