/**
 * The steps of a release: `npm run release -- <step>`. CONTRIBUTING.md says in which order people take them.
 *
 *   version             makes of the changesets a version and its change logs
 *   repository [home]   writes the address of the repository into the packages, from the variables of GitHub's workflows
 *   notes <version>     prints what the change logs say of a version
 *   publish [--dry-run] publishes the tarballs of `npm run packages` that the registry does not have
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { packed, readPacked } from "./packages/pack.mjs"
import { notes, readable } from "./release/logs.mjs"
import { placeholders, withRepository } from "./release/repository.mjs"
import { at, packageFolders } from "./workspace/paths.mjs"
import { runTool } from "./workspace/processes.mjs"

const read = (path) => readFileSync(path, "utf8")
const manifestOf = (folder) => JSON.parse(read(at(folder, "package.json")))

const published = () => packageFolders().filter((folder) => manifestOf(folder).private !== true)
/** Where the packages say their version themselves. */
const versionFile = at("packages", "adapter-http", "src", "api", "shared", "version.ts")
const logOf = (folder) => at(folder, "CHANGELOG.md")

const version = async () => {
  const code = await runTool("@changesets/cli", ["version"], { command: "changeset" })
  if (code !== 0) return code
  const logs = published().map(logOf).filter(existsSync)
  for (const log of logs) writeFileSync(log, readable(read(log)))
  const [first] = published()
  writeFileSync(versionFile, read(versionFile).replace(/"[^"]*"/, `"${manifestOf(first).version}"`))
  return runTool("oxfmt", [...logs, ...published().map((folder) => at(folder, "package.json"))])
}

const repository = (home = `${process.env.GITHUB_SERVER_URL}/${process.env.GITHUB_REPOSITORY}`) => {
  if (!/^https:\/\/[^/]+\/[^/]+\/[^/]+$/.test(home)) throw new Error(`this is no address of a repository: ${home}`)
  const { repository: old } = manifestOf(".")
  const texts = published().flatMap((folder) =>
    ["README.md", "AGENTS.md", "CHANGELOG.md"].map((file) => at(folder, file))
  )
  for (const file of [at("package.json"), ...texts]) writeFileSync(file, read(file).replaceAll(old, home))
  for (const folder of published()) {
    const manifest = withRepository(manifestOf(folder), folder, home)
    writeFileSync(at(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
  }
  return 0
}

const print = (wanted) => {
  const text = notes(
    published().map((folder) => [manifestOf(folder).name, read(logOf(folder))]),
    wanted
  )
  console.log(text)
  return text === "" ? 1 : 0
}

/** npm, which answers its exit code. */
const npm = (args, stdio) => spawnSync("npm", args, { stdio, shell: process.platform === "win32" }).status

/** Publishes what was looked at, file by file, so that a release that broke off can be taken up again. */
const publish = (...flags) => {
  if (!existsSync(join(packed, "unpacked"))) throw new Error("nothing is packed: npm run packages")
  const packages = readPacked()
  const unnamed = packages.flatMap((one) => placeholders(one).map((file) => `${one.name}: ${file}`))
  if (unnamed.length > 0)
    throw new Error(`these name no repository, run the step repository first:\n${unnamed.join("\n")}`)
  for (const { name, manifest, tarball } of packages) {
    const known = npm(["view", `${name}@${manifest.version}`, "version"], "ignore") === 0
    console.log(`${name}@${manifest.version}: ${known ? "is there" : "is published"}`)
    const code = known ? 0 : npm(["publish", tarball, "--access", "public", ...flags], "inherit")
    if (code !== 0) return code
  }
  return 0
}

const steps = { version, repository, notes: print, publish }
const [step, ...args] = process.argv.slice(2)
if (!Object.hasOwn(steps, step ?? "")) throw new Error(`the steps are ${Object.keys(steps).join(", ")}`)
process.exitCode = await steps[step](...args)
