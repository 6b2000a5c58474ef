/** The packages as they would be published: packed into `.cache/packages`. */
import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { runPnpm } from "../workspace/install.mjs"
import { at } from "../workspace/paths.mjs"

const packed = at(".cache", "packages")

/** Packs every package that was built, and gives the paths of the tarballs. pnpm makes versions of `workspace:` ranges. */
export const pack = async () => {
  rmSync(packed, { recursive: true, force: true })
  mkdirSync(packed, { recursive: true })
  const every = ["--recursive", "--reporter=silent", "--filter", "./packages/*"]
  if ((await runPnpm([...every, "pack", "--pack-destination", packed])) !== 0) throw new Error("packing failed")
  return readdirSync(packed)
    .toSorted()
    .map((file) => join(packed, file))
}
