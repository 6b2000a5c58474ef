/** Tests that the generated part of `@sojourn/client` is what the definition makes, and that the generator sees a change. */
import { expect, it } from "vitest"
import { read } from "../../site/pages/repository.ts"
import { document } from "../../site/reference/document.ts"
import { format } from "../client/format.ts"
import { generated } from "../client/generate.ts"
import { typeOf } from "../client/types.ts"

it("generates the client that is there: else `npm run client` is due", () => {
  expect(format(generated(document))).toBe(read("packages/client/src/generated.ts"))
})

it("generates another client of another document", () => {
  const { "/place": place, ...paths } = document.paths
  expect(place).toBeDefined()
  expect(generated({ ...document, paths })).not.toContain('"/place"')
})

it("refuses a schema that it has no type for", () => {
  expect(() => typeOf({ type: "imaginary" }, {})).toThrow(/no type is known/)
})
