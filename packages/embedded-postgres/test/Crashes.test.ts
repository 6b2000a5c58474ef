/** Recovery after real processes are killed, alone and together: Node, the watchdog, the postmaster and backends. */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { make, type Server } from "../src/index.ts"
import { isAlive, isLinux, kill, processesOn, quietly, run, temporary, until, watchdogsOf } from "./programs.ts"

/** A database's answer, however often the server has to come back before. */
const eventually = (server: Server, statement: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.make({ ...server.connection, maxConnections: 1 })
    return yield* sql.unsafe(statement)
  }).pipe(
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.retry({ times: 600, schedule: Schedule.spaced("50 millis") })
  )

/** PostgreSQL's processes say in their names what they do. */
const isBusy = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("SELECT")
  } catch {
    return false
  }
}

const endless = "SELECT count(*) FROM generate_series(1, 1000000000000) AS n"

describe.skipIf(!isLinux)("crashes (seen through /proc, so on Linux alone)", () => {
  it.live("when Node is killed, PostgreSQL stops", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const program = yield* run({ directory, durability: "fast" })
      yield* program.ready
      assert.isNotEmpty(processesOn(directory))
      const watchdogs = watchdogsOf(program.pid)
      assert.lengthOf(watchdogs, 1)
      yield* program.kill("SIGKILL")
      yield* until("PostgreSQL is gone", () => processesOn(directory).length === 0)
      yield* until("the watchdog is gone", () => !watchdogs.some(isAlive))
      assert.include(readFileSync(join(directory, "postgres.log"), "utf8"), "database system is shut down")
    })
  )

  it.live("when Node and the watchdog are killed, the next start stops the remaining processes and takes over", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const program = yield* run({ directory })
      const orphan = (yield* program.ready).processId
      yield* program.ask("CREATE TABLE kept AS SELECT 1 AS n")
      // Stopped, it cannot start another watchdog in between.
      process.kill(program.pid, "SIGSTOP")
      for (const pid of watchdogsOf(program.pid)) kill(pid)
      yield* program.kill("SIGKILL")
      assert.isTrue(isAlive(orphan))
      const server = yield* make({ directory })
      assert.isFalse(isAlive(orphan))
      assert.deepStrictEqual(yield* eventually(server, "SELECT n FROM kept"), [{ n: 1 }])
    }).pipe(quietly)
  )

  it.live(
    "when all of PostgreSQL is killed, or the postmaster under a busy backend, it is started again in the same place",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        const server = yield* make({ directory, settings: { max_parallel_workers_per_gather: "0" } })
        yield* eventually(server, "CREATE TABLE kept AS SELECT 1 AS n")
        const first = yield* server.processId
        for (const pid of processesOn(directory)) kill(pid)
        assert.deepStrictEqual(yield* eventually(server, "SELECT n FROM kept"), [{ n: 1 }])
        const second = yield* server.processId
        assert.notStrictEqual(second, first)
        const sql = yield* PgClient.make({ ...server.connection }).pipe(Effect.provide(Reactivity.layer))
        yield* Effect.forkScoped(Effect.ignore(sql.unsafe(endless)))
        yield* until("the backend is busy", () => processesOn(directory).some(isBusy))
        kill(second)
        assert.deepStrictEqual(yield* eventually(server, "SELECT n FROM kept"), [{ n: 1 }])
        assert.notStrictEqual(yield* server.processId, second)
      }).pipe(quietly)
  )

  it.live("when Node and the postmaster are killed under a busy backend, the next start ends the backend", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const program = yield* run({ directory, durability: "fast" })
      const postmaster = (yield* program.ready).processId
      program.process.stdin?.write(`${endless}\n`)
      yield* until("the backend is busy", () => processesOn(directory).some(isBusy))
      process.kill(program.pid, "SIGSTOP")
      for (const pid of watchdogsOf(program.pid)) kill(pid)
      yield* program.kill("SIGKILL")
      kill(postmaster)
      const server = yield* make({ directory })
      assert.deepStrictEqual(yield* eventually(server, "SELECT 1 AS n"), [{ n: 1 }])
    }).pipe(quietly)
  )

  it.live("Ctrl-C in the terminal is for Node, which then stops PostgreSQL in order", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const program = yield* run({ directory, durability: "fast" })
      const postmaster = (yield* program.ready).processId
      const group = (pid: number) =>
        readFileSync(`/proc/${pid}/stat`, "utf8")
          .replace(/^.*\) /s, "")
          .split(" ")[2]
      assert.strictEqual(group(program.pid), String(program.pid))
      for (const pid of [postmaster, ...watchdogsOf(program.pid)]) {
        assert.notStrictEqual(group(pid), String(program.pid))
      }
      process.kill(-program.pid, "SIGINT")
      yield* until("PostgreSQL is gone", () => processesOn(directory).length === 0)
      assert.include(readFileSync(join(directory, "postgres.log"), "utf8"), "database system is shut down")
      assert.isAbove(statSync(join(directory, "data")).size, 0)
    })
  )
})
