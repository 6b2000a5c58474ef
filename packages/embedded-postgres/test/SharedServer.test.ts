/** Several processes that use one data directory: locks, sharing and stale pid files. */
import { spawn } from "node:child_process"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { make } from "../src/index.ts"
import { isAlive, isLinux, processesOn, run, temporary, until } from "./programs.ts"

describe.skipIf(!isLinux)("use of one directory by several processes (read from /proc, so on Linux alone)", () => {
  it.live("a second server on it is refused, and the error has the process id of the first", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const first = yield* run({ directory, durability: "fast" })
      const { processId } = yield* first.ready
      const error = yield* Effect.flip(make({ directory }))
      assert.strictEqual(
        error.message,
        `${directory} is in use by process ${first.pid}: stop that process, or choose another directory`
      )
      assert.isTrue(isAlive(processId))
      yield* first.kill("SIGTERM")
      assert.isFalse((yield* make({ directory, durability: "fast" })).isFresh)
      // So is one in the same process.
      for (let n = 0; n < 2; n++) assert.strictEqual((yield* Effect.flip(make({ directory })))._tag, "DirectoryInUse")
    })
  )

  it.live("of several concurrent starts on a new directory one succeeds", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporary, "server")
      const programs = yield* Effect.forEach([1, 2, 3], () => run({ directory, durability: "fast" }))
      const said = yield* Effect.forEach(programs, ({ says }) => says)
      assert.lengthOf(
        said.filter(({ ready }) => ready?.isFresh),
        1
      )
      const refusals = said.flatMap(({ failed }) => (failed === undefined ? [] : [failed.name]))
      assert.deepStrictEqual(refusals, ["DirectoryInUse", "DirectoryInUse"])
    })
  )

  it.live(
    "processes that share it use one server, which ends with the process that runs it, and the next start takes over",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* temporary, "server")
        const options = { directory, durability: "fast", whenRunning: "share" } as const
        const programs = yield* Effect.forEach([1, 2, 3], () => run(options))
        const said = yield* Effect.forEach(programs, ({ says }) => says)
        const ids = new Set(said.map(({ ready }) => ready?.processId))
        assert.lengthOf([...ids], 1)
        const owner = said.findIndex(({ ready }) => ready?.isFresh)
        const guests = programs.filter((_, index) => index !== owner)
        assert.lengthOf(guests, 2)
        const [one, other] = guests
        assert.isDefined((yield* one!.ask("CREATE TABLE here AS SELECT 1 AS n")).answer)

        yield* other!.kill("SIGTERM")
        assert.deepStrictEqual((yield* one!.ask("SELECT n FROM here")).answer, [{ n: 1 }])

        yield* programs[owner]!.kill("SIGKILL")
        yield* until("the server that was shared is gone", () => ![...ids].some((pid) => isAlive(Number(pid))))
        assert.isDefined((yield* one!.ask("SELECT n FROM here")).refused)
        const next = yield* run(options)
        assert.isFalse((yield* next.ready).isFresh)
        assert.deepStrictEqual((yield* next.ask("SELECT n FROM here")).answer, [{ n: 1 }])
        yield* next.kill("SIGTERM")
        assert.deepStrictEqual(processesOn(directory), [])
      })
  )

  it.live("a server that another program started on the data is left alone", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const user = yield* Effect.scoped(
        Effect.gen(function* () {
          const { processId } = yield* make({ directory, durability: "fast" })
          const pid = yield* processId
          const program = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0", 1)[0] ?? ""
          const status = readFileSync(`/proc/${pid}/status`, "utf8")
          const id = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1])
          return { program, uid: id("Uid"), gid: id("Gid") }
        })
      )
      const { program, ...identity } = user
      // All accounts of the system can reach the directory: only the account that started the server matters.
      chmodSync(directory, 0o755)
      const data = join(directory, "data")
      const args = ["-D", data, "-c", "listen_addresses=", "-c", "unix_socket_directories=."]
      const foreign = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(program, args, { cwd: "/", stdio: "ignore", ...identity })),
        (child) =>
          Effect.andThen(
            Effect.sync(() => void child.kill("SIGINT")),
            until("the foreign server has ended", () => child.exitCode !== null || child.signalCode !== null)
          )
      )
      const pidFile = () => readFileSync(join(data, "postmaster.pid"), "utf8")
      yield* until("the foreign server is ready", () => processesOn(directory).length > 4 && /ready/.test(pidFile()))
      const error = yield* Effect.flip(make({ directory }))
      assert.include(error.message, `is in use by process ${foreign.pid}:`)
      assert.isTrue(isAlive(Number(foreign.pid)))
    })
  )

  it.live(
    "a stale pid file whose process id was reused does not prevent a start, and that process is not signalled",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        yield* Effect.scoped(make({ directory, durability: "fast" }))
        const unrelated = yield* Effect.acquireRelease(
          Effect.sync(() => spawn("/bin/sleep", ["60"], { stdio: "ignore" })),
          (child) => Effect.sync(() => void child.kill())
        )
        const data = join(directory, "data")
        writeFileSync(join(data, "postmaster.pid"), `${unrelated.pid}\n${data}\n1\n5432\n.\n\n  1 1\nready   \n`)
        writeFileSync(join(data, ".s.PGSQL.5432.lock"), `${unrelated.pid}\n${data}\n1\n5432\n.\n`)
        const server = yield* make({ directory })
        assert.isTrue(yield* server.databaseExists("postgres"))
        assert.isNull(unrelated.exitCode ?? unrelated.signalCode)
      })
  )

  it.live("a start that is interrupted leaves no process and no lock", () =>
    Effect.gen(function* () {
      for (const after of [50, 500]) {
        const directory = yield* temporary
        const starting = yield* Effect.forkChild(Effect.scoped(make({ directory, durability: "fast" })))
        yield* Effect.sleep(after)
        yield* Fiber.interrupt(starting)
        assert.deepStrictEqual(processesOn(directory), [])
        yield* Effect.scoped(make({ directory, durability: "fast" }))
      }
    })
  )
})
