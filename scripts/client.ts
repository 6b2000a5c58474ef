/** Writes the generated part of `@sojourn/client`: `npm run client`. */
import { writeFileSync } from "node:fs"
import { document } from "../site/reference/document.ts"
import { at } from "../site/pages/repository.ts"
import { generated } from "./client/generate.ts"
import { format } from "./client/format.ts"

writeFileSync(at("packages/client/src/generated.ts"), format(generated(document)))
