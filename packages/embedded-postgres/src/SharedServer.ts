/** The server of a directory: run by this process, or by another one that holds the directory's lock. */
import { Duration, Effect, Exit, Scope } from "effect"
import { accountFor } from "./Account.ts"
import * as Cluster from "./Cluster.ts"
import { freePort, SOCKET_PORT } from "./Connection.ts"
import { type Directory, hasData } from "./Directory.ts"
import { DirectoryInUse, type EmbeddedPostgresError, StartFailed, firstLine } from "./Errors.ts"
import * as Lock from "./Lock.ts"
import type { ResolvedOptions } from "./Options.ts"
import { distribution } from "./Platform.ts"
import * as Postmaster from "./Postmaster.ts"
import { programs as programsOf } from "./Programs.ts"
import type { Listening } from "./Settings.ts"
import { keepRunning } from "./Supervisor.ts"
import * as Watchdog from "./Watchdog.ts"

/** A server that accepts connections. */
export interface SharedServer {
  readonly listening: Listening
  readonly isFresh: boolean
  /** The current process id of the postmaster. */
  readonly processId: () => number
}

/** Runs the server until the scope ends: creates the data if there is none, then starts PostgreSQL. The lock must be held. */
const runServer = Effect.fnUntraced(function* (
  directory: Directory,
  options: ResolvedOptions,
  transport: Listening["transport"]
): Effect.fn.Return<SharedServer, EmbeddedPostgresError, Scope.Scope> {
  const found = yield* distribution
  const isFresh = !(yield* hasData(directory, found.major))
  const account = yield* accountFor(directory.path, directory.data)
  const programs = yield* programsOf(found, directory.path, account, options.cacheDirectory)
  const watchdog = yield* Effect.mapError(
    Watchdog.make(programs, account),
    (error) => new StartFailed({ directory: directory.path, reason: firstLine(error), log: "" })
  )
  const context = { directory, programs, account, options, watchdog }
  if (isFresh) yield* Cluster.initialise(context)
  const listening = { transport, port: transport === "tcp" ? yield* freePort : SOCKET_PORT }
  const processId = yield* keepRunning(context, listening)
  return { listening, isFresh, processId }
})

/** The server that another process runs; `undefined` while it is not ready. Fails when it does not listen on the transport. */
const runningServer = (
  directory: Directory,
  transport: Listening["transport"]
): Effect.Effect<SharedServer | undefined, StartFailed> => {
  const file = Postmaster.pidFile(directory)
  if (file === undefined || !file.isReady) return Effect.undefined
  if (transport === "tcp" && file.address === "") {
    const reason = `the server that process ${Lock.holder(directory)} runs does not listen for TCP`
    return Effect.fail(new StartFailed({ directory: directory.path, reason, log: "" }))
  }
  return Effect.succeed({
    listening: { transport, port: file.port },
    isFresh: false,
    processId: () => Postmaster.pidFile(directory)?.processId ?? file.processId
  })
}

const runOrShare = Effect.fnUntraced(function* (
  directory: Directory,
  options: ResolvedOptions,
  transport: Listening["transport"]
): Effect.fn.Return<SharedServer, EmbeddedPostgresError, Scope.Scope> {
  // Checks that need no lock come first, so that a refusal does not change the directory.
  const { major } = yield* distribution
  yield* accountFor(directory.path, directory.data)
  yield* hasData(directory, major)

  const deadline = performance.now() + Duration.toMillis(options.startTimeout)
  while (!(yield* Lock.hold(directory))) {
    const processId = Lock.holder(directory)
    if (options.whenRunning === "refuse") return yield* new DirectoryInUse({ directory: directory.path, processId })
    const shared = yield* runningServer(directory, transport)
    if (shared !== undefined) return shared
    if (performance.now() > deadline) {
      const reason = `the one that process ${processId} runs was not ready within ${Duration.format(options.startTimeout)}`
      return yield* new StartFailed({ directory: directory.path, reason, log: "" })
    }
    yield* Effect.sleep("100 millis")
  }
  return yield* runServer(directory, options, transport)
})

/**
 * Uses the directory's server until the scope ends. The process that holds the lock runs it, and it ends with that process.
 * Another process fails with `DirectoryInUse`, or with `share` connects to the same server. A start that fails leaves nothing.
 */
export const acquireServer = Effect.fnUntraced(function* (
  directory: Directory,
  options: ResolvedOptions,
  transport: Listening["transport"]
): Effect.fn.Return<SharedServer, EmbeddedPostgresError, Scope.Scope> {
  const own = yield* Scope.fork(yield* Scope.Scope)
  return yield* runOrShare(directory, options, transport).pipe(
    Scope.provide(own),
    Effect.onError((cause) => Scope.close(own, Exit.failCause(cause)))
  )
})
