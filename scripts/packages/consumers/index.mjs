/** Empty projects outside of the repository that install the tarballs, and use them. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { at } from "../../workspace/paths.mjs"
import { bundling } from "./bundling.mjs"
import { ALONE, embedded, embeddedOnPostgres, frameworks, writeEmbedding } from "./embedding.mjs"
import { entryPoints, loading } from "./loading.mjs"
import { freshCache, managers } from "./managers.mjs"
import { pathOf } from "./nodes.mjs"
import { serving } from "./serving.mjs"
import { started } from "./started.mjs"

const template = fileURLToPath(new URL("../consumer", import.meta.url))

const { devDependencies } = JSON.parse(readFileSync(at("package.json"), "utf8"))

/** What a project of a user has besides our packages: their peers, and the compiler. */
const besides = ["effect", "@effect/vitest", "vitest", "typescript", "@types/node"]

const programs = ["core", "identity", "postgres", "tracker"]

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

/** Strict consumers for Node and for a bundler, and one with frameworks, whose declarations are theirs to check. */
const configurations = {
  nodenext: { compilerOptions: strict, include: ["*.ts"] },
  node16: { compilerOptions: { ...strict, module: "Node16", noEmit: true }, include: ["*.ts"] },
  bundler: {
    compilerOptions: { ...strict, module: "ESNext", moduleResolution: "bundler", noEmit: true },
    include: ["*.ts"]
  },
  embedding: {
    compilerOptions: { ...compilerOptions, experimentalDecorators: true, skipLibCheck: true },
    include: ["embedding/*.ts"]
  }
}

const write = (folder, file, content) => writeFileSync(join(folder, file), JSON.stringify(content, undefined, 2))

const makeProject = (folder, manager, packages) => {
  cpSync(template, folder, { recursive: true })
  const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const peers = Object.fromEntries(besides.map((name) => [name, devDependencies[name]]))
  write(folder, "package.json", {
    name: "consumer",
    private: true,
    type: "module",
    dependencies: { ...tarballs, ...peers, ...frameworks }
  })
  for (const [name, content] of Object.entries(configurations)) write(folder, `tsconfig.${name}.json`, content)
  managers[manager].prepare(folder, tarballs)
}

/** Lets `npx` install the tarballs and run the server, in an empty folder and with an empty cache of such installations. */
const npx = async (packages, folder, path) => {
  const cwd = join(folder, "empty")
  mkdirSync(cwd)
  const env = { npm_config_cache: await freshCache(folder, path) }
  const from = packages.map(({ tarball }) => `--package=${tarball}`)
  return { command: ["npx", "--yes", ...from, "--", "sojourn"], options: { cwd, env, path } }
}

/**
 * One project: installs every package with this manager on this line of Node, compiles, imports, runs and tests with them,
 * serves, by the command that was installed and through `npx`, and embeds them in frameworks. `only` names steps, where not
 * all are wanted. Answers what went wrong.
 */
export const consumer = async (packages, { manager, line, only }, say) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sojourn-consumer-")))
  const path = await pathOf(line)
  const options = { cwd: folder, path }
  const faults = []
  const step = async (name, work) => {
    if (only !== undefined && !only.includes(name)) return true
    const begun = performance.now()
    const found = await work().catch((error) => [error.message])
    say(`${manager}, Node ${line}: ${name} in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    faults.push(...(Array.isArray(found) ? found : []).map((fault) => `${manager}, Node ${line}: ${fault}`))
    return found === undefined || found.length === 0
  }
  const run = async (file, ...args) => void (await started(file, args, options))
  const tool = (command, ...args) => run(...managers[manager].run(command, args))
  const serve = async (command, where) => {
    const data = mkdtempSync(join(folder, "data-"))
    const flags = ["serve", "--port", "0", "--data", data]
    const use = (address) => run("node", "out/call.js", address, data)
    const served = await serving([...command, ...flags], { ...where, probe: "/health/ready" }, use)
    say(`${manager}, Node ${line}: the server answered after ${(served.took / 1000).toFixed(1)} s`)
    return served
  }
  /** What an old Node or a second `effect` would make npm say. Other packages may be deprecated. */
  const install = async () => {
    const [file, ...args] = managers[manager].install
    const output = await started(file, args, options)
    return output.split("\n").filter((said) => /EBADENGINE|ERESOLVE|peer/.test(said))
  }
  const compile = async () => {
    await tool("tsc", "-p", "tsconfig.nodenext.json")
    await tool("tsc", "-p", "tsconfig.node16.json")
  }
  const requireAll = () => {
    const modules = packages.flatMap(entryPoints).map((module) => `require(${JSON.stringify(module)})`)
    writeFileSync(join(folder, "require.cjs"), modules.join("\n"))
    return run("node", "require.cjs")
  }
  /** The command itself, with nothing between us and it: its exit code is its own. */
  const serveItself = async () => {
    const { code, output } = await serve([join(folder, "node_modules", ".bin", "sojourn")], options)
    return code === 0 ? [] : [`after SIGTERM the server ends with ${code}:\n${output}`]
  }
  const serveByNpx = async () => {
    const { command, options: where } = await npx(packages, folder, path)
    await serve(command, where)
  }
  const embed = async () => {
    const servers = writeEmbedding(join(folder, "embedding"))
    await tool("tsc", "-p", "tsconfig.embedding.json")
    await tool("tsc", "-p", "embedding/tsconfig.json")
    await tool("tsc", ...ALONE)
    const found = []
    for (const name of servers) found.push(...(await embedded(name, options)))
    return [...found, ...(await embeddedOnPostgres(options))]
  }
  try {
    makeProject(folder, manager, packages)
    if (!(await step("install", install))) return faults
    if (!(await step("types for Node", compile))) return faults
    for (const name of programs) await step(name, () => run("node", `out/${name}.js`))
    await step("require", requireAll)
    await step("bundles", () => bundling(folder, say))
    await step("serve", serveItself)
    if (manager === "npm") await step("npx", serveByNpx)
    await step("types for bundlers", () => tool("tsc", "-p", "tsconfig.bundler.json"))
    await step("embedding", embed)
    await step("laws", () => tool("vitest", "run"))
    await step("imports", () => loading(packages.map(entryPoints), folder, path))
    return faults
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
