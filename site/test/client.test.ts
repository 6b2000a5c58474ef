/** Tests that what `@sojourn/client` is made of is what the definition makes. */
import { assert, it } from "vitest"
import { read } from "../pages/repository.ts"
import { table, types } from "../reference/client.ts"
import { document } from "../reference/document.ts"

it("the client has the endpoints of the definition, and their types: else `npm run client` is due", async () => {
  assert.strictEqual(table(document), read("packages/client/src/endpoints.ts"))
  assert.strictEqual(await types(document), read("packages/client/src/openapi.ts"))
})

it("another document makes another client", async () => {
  const { "/place": _, ...paths } = document.paths
  const other = { ...document, paths }
  assert.notInclude(table(other), '"/place"')
  assert.notInclude(await types(other), '"place.create"')
})
