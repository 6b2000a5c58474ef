import { contents } from "./contents.mjs"
import { imports } from "./imports.mjs"
import { manifest } from "./manifest.mjs"
import { publint } from "./publint.mjs"
import { types } from "./types.mjs"

/** What can be said of a package without installing it. Each check answers the faults it finds, as sentences. */
const checks = [manifest, contents, imports, publint, types]

/** Every fault of a package. */
export const faults = async (one) => (await Promise.all(checks.map((check) => check(one)))).flat()
