/** The types of `@sojourn/client`. They are long and made of the interface's definition, and therefore not in the repository. */
import { at, node } from "./paths.mjs"
import { run, toStderr } from "./processes.mjs"
import { isUpToDate } from "./upToDate.mjs"

const target = at("packages", "client", "src", "openapi.ts")

const sources = ["packages/adapter-http/src", "packages/core/src", "site/reference/client.ts"]

/** Makes them when the definition is newer, and gives an exit code. */
export const clientTypes = async (stdio = toStderr) =>
  isUpToDate([target], sources) ? 0 : run(node(), ["--conditions=source", at("site/client.ts"), "--types"], { stdio })
