/** Writes what `@sojourn/client` has of the interface's definition: `npm run client`. With `--types` what is not in the repository. */
import { writeFileSync } from "node:fs"
import { at } from "./pages/repository.ts"
import { table, types } from "./reference/client.ts"
import { document } from "./reference/document.ts"

writeFileSync(at("packages/client/src/openapi.ts"), await types(document))
if (!process.argv.includes("--types")) writeFileSync(at("packages/client/src/endpoints.ts"), table(document))
