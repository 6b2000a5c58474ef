import { readFileSync } from "node:fs"

/** Stands beside the bundle as well as beside the sources. */
const description = readFileSync(new URL("../package.json", import.meta.url), "utf8")

/** The version of this server. */
export const { version } = JSON.parse(description) as { readonly version: string }
