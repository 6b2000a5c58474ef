import { randomBytes } from "node:crypto"
import { constants, existsSync, readFileSync, statSync } from "node:fs"
import { chmod, copyFile, mkdir, open, readdir, rename, rm, symlink } from "node:fs/promises"
import { dirname, join, relative } from "node:path"

/** A file is on the disk before the copy gets its name, so that a power cut leaves no empty program behind. */
const sync = async (file: string) => {
  const handle = await open(file, "r")
  await handle.sync().finally(() => handle.close())
}

/** Copies what a server needs. Modes are set by hand: neither the umask nor the installer's modes must reach here. */
const copyTree = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isFile() && !entry.name.endsWith(".a")) {
      await copyFile(source, target, constants.COPYFILE_FICLONE)
      await chmod(target, 0o755)
      await sync(target)
    }
  }
}

interface Link {
  readonly source: string
  readonly target: string
}

/** Makes the symlinks that an npm package cannot hold. The package's install script would do the same. */
const hydrate = async (from: string, to: string) => {
  const list = join(from, "pg-symlinks.json")
  const links: ReadonlyArray<Link> = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : []
  for (const { source, target } of links) {
    const link = join(to, relative("native", target))
    if (!existsSync(link)) await symlink(relative(dirname(target), source), link)
  }
}

const ASIDE = ".aside"

/**
 * Makes `folder` a copy of the distribution in `from`, one that can be run. It is made aside and renamed, so that whoever
 * sees the folder sees all of it; of two who copy at once, the first one's is used.
 */
export const install = async (from: string, folder: string) => {
  const aside = `${folder}.${randomBytes(6).toString("hex")}${ASIDE}`
  try {
    await copyTree(from, aside)
    await hydrate(from, aside)
    await rename(aside, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** No copy takes so long, in milliseconds: what is older was left by a process that was killed. */
const HOUR = 3_600_000

/** Removes copies from `place` that will never be complete. */
export const sweep = async (place: string) => {
  for (const name of await readdir(place)) {
    const path = join(place, name)
    if (name.endsWith(ASIDE) && Date.now() - statSync(path).mtimeMs > HOUR)
      await rm(path, { recursive: true, force: true })
  }
}
