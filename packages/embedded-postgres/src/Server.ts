/** Starts and stops one postmaster on a data directory. */
import { spawnSync } from "node:child_process"
import { Duration, Effect, type Scope } from "effect"
import type { Account } from "./Account.ts"
import * as Child from "./Child.ts"
import type { Directory } from "./Directory.ts"
import { type DirectoryInUse, type DirectoryUnusable, firstLine, StartFailed } from "./Errors.ts"
import * as Log from "./Log.ts"
import type { ResolvedOptions } from "./Options.ts"
import * as Postmaster from "./Postmaster.ts"
import type { Programs } from "./Programs.ts"
import { type Listening, settingArguments } from "./Settings.ts"
import type { Watchdog } from "./Watchdog.ts"

/** The inputs of each start of a postmaster. */
export interface LaunchContext {
  readonly directory: Directory
  readonly programs: Programs
  readonly account: Account | undefined
  readonly options: ResolvedOptions
  readonly watchdog: Watchdog
}

/** The timeout of a fast shutdown, in which PostgreSQL ends all sessions and writes a checkpoint. */
const SHUTDOWN_TIMEOUT = "20 seconds"

const signal = ({ programs }: LaunchContext, child: Child.Child, name: "SIGINT" | "SIGQUIT") => {
  if (process.platform !== "win32") return child.kill(name)
  spawnSync(programs.pgCtl, ["kill", name.slice(3), String(child.pid)])
}

/** Stops a postmaster: a fast shutdown, then an immediate one, then SIGKILL. After the latter two the next start recovers. */
const stop = (context: LaunchContext, child: Child.Child): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (!child.hasEnded()) {
      signal(context, child, "SIGINT")
      const ended = yield* Effect.timeoutOption(child.ended, SHUTDOWN_TIMEOUT)
      if (ended._tag === "None") {
        yield* Effect.logWarning(`PostgreSQL in ${context.directory.path} did not stop in time: ending it at once`)
        signal(context, child, "SIGQUIT")
        yield* Effect.timeoutOption(child.ended, "5 seconds")
        child.kill("SIGKILL")
        yield* child.ended
      }
    }
    context.watchdog.release()
  })

const isReady = ({ directory }: LaunchContext, child: Child.Child) => {
  const file = Postmaster.pidFile(directory)
  return file !== undefined && file.isReady && file.processId === child.pid
}

/** Waits until the postmaster accepts connections (`true`) or has ended (`false`). */
const becomesReady = (context: LaunchContext, child: Child.Child) =>
  Effect.gen(function* () {
    while (!child.hasEnded()) {
      if (isReady(context, child)) return true
      yield* Effect.sleep("5 millis")
    }
    return false
  })

const spawn = Effect.fnUntraced(function* (context: LaunchContext, listening: Listening, log: Log.Log) {
  const { account, directory, programs, options, watchdog } = context
  const { descriptors, names } = yield* Child.inheritFiles(directory, [directory.data])
  const [data = directory.data] = names
  const child = yield* Effect.mapError(
    Child.start({
      program: programs.postgres,
      args: ["-D", data, ...settingArguments(options, listening)],
      account,
      stdio: ["ignore", log.descriptor, log.descriptor, ...descriptors]
    }),
    (error) => new StartFailed({ directory: directory.path, reason: firstLine(error), log: "" })
  )
  watchdog.guard("INT", child.pid)
  return child
})

/** A postmaster that accepts connections. */
export interface Running {
  readonly child: Child.Child
  /** Waits until it has ended by itself. Returns why. */
  readonly ended: Effect.Effect<string>
}

/**
 * Starts a postmaster and waits until it accepts connections. The end of the scope stops it. The lock of the directory must
 * be held. Fails with `StartFailed` when the postmaster ends or is not ready within `startTimeout`.
 */
export const start = Effect.fnUntraced(function* (
  context: LaunchContext,
  listening: Listening
): Effect.fn.Return<Running, DirectoryInUse | DirectoryUnusable | StartFailed, Scope.Scope> {
  const { directory, options } = context
  yield* Postmaster.clear(directory)
  const fail = (reason: string, log: string) => new StartFailed({ directory: directory.path, reason, log })
  const log = yield* Log.open(directory)
  const child = yield* Effect.acquireRelease(Effect.scoped(spawn(context, listening, log)), (child) =>
    stop(context, child)
  )
  const warning = Effect.logWarning(
    `PostgreSQL in ${directory.path} is not ready yet: after a crash it may have much to recover`
  )
  const ready = yield* Effect.timeoutOption(
    Effect.raceFirst(becomesReady(context, child), Effect.forever(Effect.delay(warning, "20 seconds"))),
    options.startTimeout
  )
  if (ready._tag === "None") {
    return yield* fail(`it was not ready within ${Duration.format(options.startTimeout)}`, log.end())
  }
  if (ready.value) {
    const why = (ending: Child.Ending) =>
      Log.fullDiskIn(log.end(), Log.unlessFull(directory, Child.describeEnding(ending)))
    return { child, ended: Effect.map(child.ended, why) }
  }
  const ending = yield* child.ended
  const end = log.end()
  return yield* fail(Log.reasonIn(end, Log.unlessFull(directory, `it ended with ${Child.describeEnding(ending)}`)), end)
})
