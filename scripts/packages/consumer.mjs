/** An empty project outside of the repository that installs the tarballs with npm, and uses them on each line of Node. */
import assert from "node:assert/strict"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { at, node } from "../workspace/paths.mjs"
import { embedding, frameworks, writeEmbedding } from "./embedding.mjs"
import { serving, started } from "./processes.mjs"

const template = fileURLToPath(new URL("consumer", import.meta.url))

const { devDependencies } = JSON.parse(readFileSync(at("package.json"), "utf8"))

/** What a project of a user has besides our packages: their peers, and the compiler. */
const besides = ["effect", "@effect/vitest", "vitest", "typescript", "@types/node"]

/** What a program that uses one rule may weigh, in bytes, minified. */
const LARGEST_RULE = 60_000

const compilerOptions = {
  target: "ES2022",
  // effect's own declarations name what browsers have too.
  lib: ["ES2024", "DOM"],
  types: ["node"],
  module: "NodeNext",
  strict: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  rootDir: ".",
  outDir: "out"
}

/** A strict consumer checks our declarations, too. */
const strict = { ...compilerOptions, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }

/** A strict consumer, and one with frameworks, whose declarations are theirs to check. */
const configurations = {
  node: { compilerOptions: strict, include: ["*.ts"] },
  embedding: {
    compilerOptions: { ...compilerOptions, experimentalDecorators: true, skipLibCheck: true },
    include: ["embedding/*.ts"]
  }
}

const write = (folder, file, content) => writeFileSync(join(folder, file), JSON.stringify(content))

const makeProject = (folder, packages, isShort) => {
  cpSync(template, folder, { recursive: true })
  const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const peers = Object.fromEntries(besides.map((name) => [name, devDependencies[name]]))
  const dependencies = { ...tarballs, ...peers, ...(!isShort && frameworks) }
  write(folder, "package.json", { name: "consumer", private: true, type: "module", dependencies })
  for (const [name, content] of Object.entries(configurations)) write(folder, `tsconfig.${name}.json`, content)
  if (!isShort) writeEmbedding(join(folder, "embedding"))
}

/** The modules that a package offers, by their names. What is for tests alone is loaded by a test runner. */
const modulesOf = ({ name, manifest }) =>
  Object.entries(manifest.exports)
    .filter(([path, target]) => target !== null && path !== "./package.json" && name !== "@sojourn/testing")
    .map(([path]) => name + path.slice(1))

/** The folder with a Node of this version, from npm like the workspace's own, for `PATH`. */
const pathOf = async (version) => {
  const folder = at(".cache", `node-${version}`)
  const bin = join(folder, "node_modules", "node", "bin")
  if (!existsSync(join(bin, "node"))) {
    mkdirSync(folder, { recursive: true })
    write(folder, "package.json", { private: true, dependencies: { node: version } })
    await started("npm", ["install", "--no-audit", "--no-fund"], { cwd: folder, path: [dirname(node())] })
  }
  return [bin]
}

/** The size of a program for browsers. It may import nothing of Node. */
const bundled = async (contents, resolveDir) => {
  const { build } = createRequire(at("packages", "client", "package.json"))("esbuild")
  const options = { bundle: true, minify: true, format: "esm", platform: "browser", write: false, logLevel: "silent" }
  const { outputFiles } = await build({ stdin: { contents, resolveDir }, ...options })
  return outputFiles[0].contents.length
}

/** Whether one imported rule brings little else, and packages for browsers can be bundled for them. */
export const bundling = async (folder) => {
  for (const name of ["@sojourn/client", "@sojourn/tracker"]) await bundled(`export * from "${name}"`, folder)
  const rule = await bundled(`import { admit } from "@sojourn/core"\nconsole.log(admit)`, folder)
  if (rule > LARGEST_RULE) throw new Error(`one rule of the core is bundled to ${rule} bytes`)
}

/** Imports modules in a process of their own, in a folder that has them. */
export const importing = async (modules, options) => {
  const said = await started("node", ["imports.mjs", ...modules], options)
  if (said !== "") throw new Error(`${modules[0]} or another module prints:\n${said}`)
}

/** Installs and uses the packages (`name`, `manifest`, `tarball`) on every line of Node and in frameworks; `isShort`: on the newest Node alone. */
export const consume = async (packages, isShort, say) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sojourn-consumer-")))
  const newest = { cwd: folder, path: [dirname(node())] }
  const step = async (name, work) => {
    const begun = performance.now()
    await work().catch((error) => {
      throw new Error(`${name}: ${error.message}`)
    })
    say(`${name}: ok in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  }
  const npx = (...args) => started("npx", ["--no", "--", ...args], newest)
  const serve = (command, options) => {
    const data = mkdtempSync(join(folder, "data-"))
    return serving(
      [...command, "serve", "--port", "0", "--data", data],
      { ...options, probe: "/health/ready" },
      (address) => started("node", ["out/call.js", address, data], newest)
    )
  }
  const useOn = async (line, options) => {
    await step(`core on Node ${line}`, () => started("node", ["out/core.js"], options))
    await step(`imports on Node ${line}`, () => Promise.all(packages.map((one) => importing(modulesOf(one), options))))
    await step(`serve on Node ${line}`, () => serve([join(folder, "node_modules", ".bin", "sojourn")], options))
  }
  try {
    await step("install", async () => {
      makeProject(folder, packages, isShort)
      const said = await started("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], newest)
      // An old Node, or a second `effect`. Other packages may be deprecated.
      if (/EBADENGINE|ERESOLVE|peer/.test(said)) throw new Error(said)
    })
    await step("types", async () => {
      await npx("tsc", "-p", "tsconfig.node.json")
      if (isShort) return
      await npx("tsc", "-p", "tsconfig.embedding.json")
      await npx("tsc", "-p", "embedding/tsconfig.json")
    })
    await step("laws", () => npx("vitest", "run"))
    await step("bundles", () => bundling(folder))
    await useOn(24, newest)
    if (isShort) return
    const oldest = { cwd: folder, path: await pathOf("22.19.0") }
    await useOn(22, oldest)
    // The lowest version that the READMEs name: `Uint8Array` is generic from there on.
    const ofOldest = ["--yes", "--package=typescript@5.7.3", "--", "tsc", "-p", "tsconfig.node.json", "--noEmit"]
    await step("types of TypeScript 5.7", () => started("npx", ofOldest, newest))
    await step("client and tracker on Node 20", async () =>
      started("node", ["devices.mjs"], { cwd: folder, path: await pathOf("20.0.0") })
    )
    for (const version of ["20.0.0", "22.18.0"]) {
      await step(`a refusal on Node ${version}`, async () => {
        const options = { cwd: folder, path: await pathOf(version) }
        const said = await started("node_modules/.bin/sojourn", ["--version"], options).catch(({ message }) => message)
        assert.ok(said.endsWith(` 1:\nsojourn: Node 22.19 or newer is needed, and this is v${version}\n`), said)
      })
    }
    await step("embedding on Node 22", () => embedding(oldest))
    await step("npx", () => {
      // A cache in which nothing was run: `npx` would run again what it installed for other tarballs of the same name.
      const cwd = mkdtempSync(join(folder, "npx-"))
      const env = { npm_config_cache: join(cwd, "cache"), npm_config_prefer_offline: "true" }
      const from = packages.map(({ tarball }) => `--package=${tarball}`)
      return serve(["npx", "--yes", ...from, "--", "sojourn"], { ...newest, cwd, env })
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
