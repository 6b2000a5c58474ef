import { contents } from "./contents.mjs"
import { imports } from "./imports.mjs"
import { links } from "./links.mjs"
import { manifest } from "./manifest.mjs"
import { maps } from "./maps.mjs"
import { names } from "./names.mjs"
import { publint } from "./publint.mjs"
import { types } from "./types.mjs"

/** What can be said of a package without installing it. Each check answers the faults it finds, as sentences. */
const checks = [manifest, contents, imports, links, maps, names, publint, types]

/** Every fault of a package, which is one of `packages`. */
export const faults = async (one, packages) => (await Promise.all(checks.map((check) => check(one, packages)))).flat()
