/** Makes the data of a new server (initdb). */
import { randomBytes } from "node:crypto"
import { chownSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { Effect } from "effect"
import type { Account } from "./Account.ts"
import * as Child from "./Child.ts"
import { type Directory, sweep } from "./Directory.ts"
import { type DirectoryUnusable, firstLine, StartFailed, useDirectory } from "./Errors.ts"
import * as Log from "./Log.ts"
import type { LaunchContext } from "./Server.ts"

/** The database superuser, whom only this user of the machine, or the password, can be. */
export const SUPERUSER = "postgres"

/** What is renamed is on the disk before its name is. */
const syncFolder = (path: string) => {
  if (process.platform === "win32") return
  const descriptor = openSync(path, "r")
  fsyncSync(descriptor)
  closeSync(descriptor)
}

const writePassword = ({ password }: Directory, account: Account | undefined) => {
  rmSync(password, { force: true })
  const descriptor = openSync(password, "wx", 0o600)
  writeSync(descriptor, `${randomBytes(24).toString("base64url")}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  if (account !== undefined) chownSync(password, account.uid, account.gid)
}

/** Where there are sockets they are for this user alone, and need no password. */
const authentication =
  process.platform === "win32" ? ["--auth=scram-sha-256"] : ["--auth-local=trust", "--auth-host=scram-sha-256"]

/** The same on every machine, and of PostgreSQL alone: no library of the system decides the order of texts. */
const FORMAT = [
  "--encoding=UTF8",
  "--locale-provider=builtin",
  "--locale=C.UTF-8",
  "--no-instructions",
  "--set=huge_pages=off",
  "--set=timezone=UTC"
]

/**
 * Makes the data: aside, and renamed when it is complete, so that a start which is killed leaves nothing half made. The
 * lock must be held.
 */
export const initialise = ({
  directory,
  programs,
  account,
  options,
  watchdog
}: LaunchContext): Effect.Effect<void, DirectoryUnusable | StartFailed> =>
  Effect.gen(function* () {
    const aside = `${directory.data}.new-${randomBytes(6).toString("hex")}`
    yield* useDirectory(directory.path, () => {
      sweep(directory)
      writePassword(directory, account)
      mkdirSync(aside, { mode: 0o700 })
      if (account !== undefined) chownSync(aside, account.uid, account.gid)
    })
    const log = yield* Log.open(directory)
    const { descriptors, names } = yield* Child.inheritFiles(directory, [aside, directory.password])
    const [data = aside, password = directory.password] = names
    const args = ["-D", data, "-U", SUPERUSER, `--pwfile=${password}`, ...authentication, ...FORMAT]
    if (options.durability === "fast") args.push("--no-sync")
    const stdio = ["ignore", log.descriptor, log.descriptor, ...descriptors] as const
    const ending = yield* Effect.acquireUseRelease(
      Child.start({ program: programs.initdb, args, account, stdio: [...stdio] }),
      (child) => {
        watchdog.guard("KILL", -child.pid)
        return child.ended
      },
      (child) =>
        Effect.suspend(() => {
          watchdog.release()
          if (child.hasEnded()) return Effect.void
          child.killGroup("SIGKILL")
          return child.ended
        })
    ).pipe(
      Effect.mapError(
        (error) => new StartFailed({ directory: directory.path, reason: firstLine(error), log: log.end() })
      )
    )
    if (ending.code !== 0) {
      const how = Log.unlessFull(directory, `initdb ended with ${Child.describeEnding(ending)}`)
      sweep(directory)
      const end = log.end()
      return yield* new StartFailed({ directory: directory.path, reason: Log.reasonIn(end, how), log: end })
    }
    yield* useDirectory(directory.path, () => {
      renameSync(aside, directory.data)
      syncFolder(directory.path)
    })
  }).pipe(Effect.scoped)
