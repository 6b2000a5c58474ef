/** The operating-system accounts that PostgreSQL's processes and files belong to, as root and as an ordinary user. */
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { make } from "../src/index.ts"
import { isLinux, isRoot, processesOn, run, temporary } from "./programs.ts"

/** The unprivileged user that every Linux has. Only root can start processes as it. */
const NOBODY = { uid: 65534, gid: 65534 }

const ordinary = isRoot ? NOBODY : {}

/** The user of a process; empty when it has just ended. */
const userOf = (pid: number): ReadonlyArray<number> => {
  try {
    return [Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])]
  } catch {
    return []
  }
}

const usersOf = (directory: string): ReadonlyArray<number> => [...new Set(processesOn(directory).flatMap(userOf))]

/** A folder that the ordinary user owns and can access. */
const theirs = Effect.map(temporary, (path) => {
  if (isRoot) chownSync(path, NOBODY.uid, NOBODY.gid)
  return path
})

describe.skipIf(!isLinux || !isRoot)(
  "as root, on Linux (skipped for other users: only root can act as several users)",
  () => {
    it.live("PostgreSQL runs as an unprivileged user, also in a folder into which that user cannot get", () =>
      Effect.gen(function* () {
        const closed = yield* temporary
        assert.strictEqual(statSync(closed).mode & 0o777, 0o700)
        const directory = join(closed, "server")
        const server = yield* make({ directory, durability: "fast" })
        assert.isTrue(yield* server.databaseExists("postgres"))
        const [user, ...others] = usersOf(directory)
        assert.isAbove(user ?? 0, 0)
        assert.isEmpty(others)
        assert.strictEqual(statSync(closed).mode & 0o777, 0o700)
        assert.strictEqual(statSync(directory).uid, 0)
        assert.strictEqual(statSync(join(directory, "data")).uid, user)
      })
    )

    it.live("in another user's directory it runs as that user, who can continue without root", () =>
      Effect.gen(function* () {
        const directory = yield* theirs
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* make({ directory, durability: "fast" })
            assert.deepStrictEqual(usersOf(directory), [NOBODY.uid])
          })
        )
        for (const name of readdirSync(directory)) assert.strictEqual(statSync(join(directory, name)).uid, NOBODY.uid)
        const program = yield* run(
          { directory, durability: "fast", cacheDirectory: join(directory, "programs") },
          NOBODY
        )
        assert.isFalse((yield* program.ready).isFresh)
      })
    )

    it.live("root's directory is refused to other users, with a one-line error", () =>
      Effect.gen(function* () {
        const directory = join(yield* theirs, "server")
        yield* Effect.scoped(make({ directory, durability: "fast" }))
        const { failed } = yield* (yield* run({ directory }, NOBODY)).says
        assert.strictEqual(failed?.name, "DirectoryUnusable")
        assert.notInclude(failed?.message, "\n")
        chownSync(directory, NOBODY.uid, NOBODY.gid)
        chownSync(join(directory, "data"), 1, 1)
        const { failed: other } = yield* (yield* run({ directory }, NOBODY)).says
        assert.include(other?.message, "its data belongs to the user 1, and this process runs as the user 65534")
      })
    )
  }
)

describe.skipIf(!isLinux)("as an ordinary user, on Linux", () => {
  it.live("nothing is needed but a directory: no home, no cache, and no right to write into node_modules", () =>
    Effect.gen(function* () {
      const directory = yield* theirs
      const env = { HOME: "/nonexistent" }
      const program = yield* run({ directory, durability: "fast" }, { ...ordinary, env })
      yield* program.ready
      assert.deepStrictEqual((yield* program.ask("SELECT 1 AS n")).answer, [{ n: 1 }])
      assert.deepStrictEqual(usersOf(directory), [isRoot ? NOBODY.uid : Number(process.getuid?.())])
      assert.isTrue(existsSync(join(directory, "programs")))
      yield* program.kill("SIGTERM")
      // Without a copy of the programs in it, the directory is as good as before.
      const again = yield* run({ directory, durability: "fast" }, { ...ordinary, env })
      assert.isFalse((yield* again.ready).isFresh)
    })
  )
})

describe.skipIf(!isLinux)("the copy of PostgreSQL's programs", () => {
  it.live("is created once by concurrent starts, and remains of crashed ones are removed", () =>
    Effect.gen(function* () {
      const home = yield* theirs
      const cache = join(home, "cache")
      const place = join(cache, "embedded-postgres")
      const left = join(place, "postgresql-0.0123456789ab.aside")
      mkdirSync(join(left, "bin"), { recursive: true })
      utimesSync(left, 0, 0)
      if (isRoot) for (const path of [cache, place, left]) chownSync(path, NOBODY.uid, NOBODY.gid)
      if (isRoot) chownSync(join(left, "bin"), NOBODY.uid, NOBODY.gid)
      const surroundings = { ...ordinary, env: { XDG_CACHE_HOME: cache } }
      const start = (name: string) => run({ directory: join(home, name), durability: "fast" }, surroundings)
      const programs = yield* Effect.forEach(["one", "two"], start)
      for (const program of programs) yield* program.ready
      assert.lengthOf(readdirSync(place), 1)
    })
  )

  it.live("is never taken from a folder that other users may write to", () =>
    Effect.gen(function* () {
      const cacheDirectory = join(yield* temporary, "cache")
      mkdirSync(cacheDirectory)
      chmodSync(cacheDirectory, 0o777)
      const error = yield* Effect.flip(make({ directory: join(yield* temporary, "server"), cacheDirectory }))
      assert.strictEqual(error._tag, "PlatformUnsupported")
      assert.include(error.message, `${cacheDirectory} may be written by other users`)
      assert.isEmpty(readdirSync(cacheDirectory))
    })
  )
})
