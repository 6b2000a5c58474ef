/** The version of this server, read from its manifest. */
import { readFileSync } from "node:fs"

/** The manifest, which is one folder above both the bundle and the sources. */
const description = readFileSync(new URL("../package.json", import.meta.url), "utf8")

/** The version of this server. */
export const { version } = JSON.parse(description) as { readonly version: string }
