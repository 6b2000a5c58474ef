/** The packages as they would be published: built, packed, and unpacked again to be looked at. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { build } from "../workspace/build.mjs"
import { runPnpm } from "../workspace/install.mjs"
import { at } from "../workspace/paths.mjs"

/** Where the tarballs are, and in `unpacked/` what is in them. */
export const packed = at(".cache", "packages")

/**
 * One package as the checks look at it, and as a consumer installs it: `folder`, its `manifest`, and its `files`, by
 * path. With a tarball there is its path and `size`, in bytes.
 */
export const readPackage = (folder, tarball) => {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path).replaceAll("\\", "/"), readFileSync(path)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  )
  const size = tarball === undefined ? undefined : statSync(tarball).size
  return { name: manifest.name, manifest, folder, files, tarball, size }
}

const unpacked = (file) => join("unpacked", file.replace(/\.tgz$/, ""))

const unpack = (file) => {
  mkdirSync(join(packed, unpacked(file)), { recursive: true })
  // Relative names: some tars take the letter of a Windows drive for a machine's name.
  const args = ["-xzf", file, "-C", unpacked(file), "--strip-components=1"]
  const { status, stderr } = spawnSync("tar", args, { cwd: packed })
  if (status !== 0) throw new Error(`tar cannot unpack ${file}: ${stderr}`)
}

const tarballs = () =>
  readdirSync(packed)
    .filter((file) => file.endsWith(".tgz"))
    .toSorted()

/** The packages that were packed last. */
export const readPacked = () => tarballs().map((file) => readPackage(join(packed, unpacked(file)), join(packed, file)))

/** Builds and packs every package. pnpm makes versions of `workspace:` ranges, and of `publishConfig.exports` the exports. */
export const pack = async () => {
  if ((await build()) !== 0) throw new Error("the packages do not build")
  rmSync(packed, { recursive: true, force: true })
  mkdirSync(packed, { recursive: true })
  const every = ["--recursive", "--reporter=silent", "--filter", "./packages/*"]
  if ((await runPnpm([...every, "pack", "--pack-destination", packed])) !== 0) throw new Error("packing failed")
  tarballs().forEach(unpack)
  return readPacked()
}
