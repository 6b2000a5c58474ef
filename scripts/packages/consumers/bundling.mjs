/** Bundles of a consumer's programs, by the workspace's esbuild. */
import { createRequire } from "node:module"
import { at } from "../../workspace/paths.mjs"

const { build } = createRequire(at("packages", "client", "package.json"))("esbuild")

/** What a program that uses one rule may weigh, in bytes, minified. */
const LARGEST_RULE = 60_000

/** The size of a program for browsers. It may import nothing of Node. */
const bundled = async (contents, folder) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent"
  })
  return outputFiles[0].contents.length
}

/** Whether one imported rule brings little else, and packages for browsers can be bundled for them. */
export const bundling = async (folder, say) => {
  const rule = await bundled(`import { admit } from "@sojourn/core"\nconsole.log(admit)`, folder)
  say(`a program with one rule of the core is bundled to ${rule} bytes`)
  for (const name of ["@sojourn/client", "@sojourn/tracker"]) {
    say(`${name} is bundled to ${await bundled(`export * from "${name}"`, folder)} bytes`)
  }
  return rule < LARGEST_RULE ? [] : [`one rule of the core is bundled to ${rule} bytes`]
}
