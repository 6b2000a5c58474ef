import { execFile } from "node:child_process"
import { chmodSync, existsSync, lstatSync, realpathSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { type Account, isRoot } from "./Account.ts"
import { install, sweep } from "./Copy.ts"
import { firstLine, type PlatformUnsupported } from "./Errors.ts"
import { makeDirectory } from "./makeDirectory.ts"
import { type Distribution, unsupported } from "./Platform.ts"

/** PostgreSQL's programs, where the account may run them. */
export interface Programs {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
}

/**
 * Where copies of the programs may be kept, the best first. Root's must be where an unprivileged user gets, which its home
 * and often the project are not. Where no cache can be written, the server's own directory always can.
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

/** Refuses a folder that somebody else made or may write into: programs from there would be theirs. */
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

/**
 * PostgreSQL's programs for an account: copied once for each version, then used by every server of this user.
 *
 * `directory` is the server's own, which serves where no cache can be written. Fails with `PlatformUnsupported` when they
 * can be put nowhere where they run.
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
      // The mode once more by hand: a strict umask would hide root's cache from the account.
      if (makeDirectory(place, 0o755)) chmodSync(place, 0o755)
      checkOwned(place)
      const folder = join(realpathSync(place), name)
      if (!existsSync(folder)) {
        await sweep(place)
        await install(distribution.folder, folder)
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
