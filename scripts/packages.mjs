/** Looks at the packages as they would be published, and installs them into an empty project: `npm run packages`. With `--pack` it only looks, and prints the line that installs them; with `--short` it takes those that were built, and uses them on one line of Node. */
import { createPackageFromTarballData } from "@arethetypeswrong/core"
import { readFileSync, statSync } from "node:fs"
import { faults } from "./packages/checks.mjs"
import { consume } from "./packages/consumer.mjs"
import { pack } from "./packages/pack.mjs"
import { build } from "./workspace/build.mjs"
import { at } from "./workspace/paths.mjs"

const isShort = process.argv.includes("--short")
if (!isShort && (await build()) !== 0) throw new Error("the packages do not build")
const packages = (await pack()).map((tarball) => {
  const one = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)))
  const manifest = JSON.parse(one.readFile(`/node_modules/${one.packageName}/package.json`))
  return { name: one.packageName, manifest, tarball }
})
const found = (await Promise.all(packages.map(({ tarball }) => faults(tarball)))).flat()
for (const { name, manifest, tarball } of packages) {
  console.log(`${name} ${manifest.version}: ${Math.ceil(statSync(tarball).size / 1000)} kB packed`)
}
if (found.length === 0 && !process.argv.includes("--pack")) {
  await consume(packages, isShort, console.log).catch((error) => found.push(error.message))
}
for (const fault of found) console.error(`FAULT ${fault}`)
if (process.argv.includes("--pack")) {
  // npm finds none of them in a registry: the line names all that each other needs.
  const { devDependencies } = JSON.parse(readFileSync(at("package.json"), "utf8"))
  const tarballs = packages.map(({ tarball }) => tarball).join(" ")
  console.log(`\nIn a folder of yours:\n\nnpm install effect@${devDependencies.effect} ${tarballs}\n`)
}
console.log(found.length === 0 ? "the packages can be published" : `${found.length} faults`)
process.exitCode = found.length === 0 ? 0 : 1
