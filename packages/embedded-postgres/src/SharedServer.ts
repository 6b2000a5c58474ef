import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
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
import { keepRunning, type State } from "./Supervisor.ts"
import * as Watchdog from "./Watchdog.ts"

/** A server that accepts connections, run by this process or shared by another one. */
export interface SharedServer {
  readonly listening: Listening
  readonly isFresh: boolean
  readonly state: Readonly<State>
}

const POLL_INTERVAL = "100 millis"

/** Runs the server while this process holds the lock: creates the data if there is none, then keeps PostgreSQL running. */
const runServer = Effect.fnUntraced(function* (
  directory: Directory,
  options: ResolvedOptions,
  listening: Listening,
  state: State,
  onReady: (isFresh: boolean) => Effect.Effect<unknown>
): Effect.fn.Return<never, EmbeddedPostgresError, Scope.Scope> {
  const found = yield* distribution
  const isFresh = !(yield* hasData(directory, found.major))
  const account = yield* accountFor(directory.path, directory.data)
  const programs = yield* programsOf(found, directory.path, account, options.cacheDirectory)
  const watchdog = yield* Effect.mapError(
    Watchdog.make(programs, account),
    (error) => new StartFailed({ directory: directory.path, reason: firstLine(error), log: "" })
  )
  if (isFresh) yield* Cluster.initialise(directory, programs, account, options, watchdog)
  const context = { directory, programs, account, options, watchdog }
  return yield* keepRunning(context, listening, state, onReady(isFresh))
})

/** The server that another process runs, if it is ready and listens on this transport. */
const running = (directory: Directory, transport: Listening["transport"]) => {
  const file = Postmaster.pidFile(directory)
  if (file === undefined || !file.isReady) return undefined
  if (transport === "tcp" && file.address === "") {
    const reason = `the server that process ${Lock.holder(directory)} runs does not listen for TCP`
    return new StartFailed({ directory: directory.path, reason, log: "" })
  }
  return { processId: file.processId, listening: { transport, port: file.port } }
}

/**
 * Uses the directory's server until the scope ends. The process that holds the lock runs the server (the owner); with
 * `share`, others use it as guests, and one of them becomes the owner when the owner ends.
 */
export const acquireServer = Effect.fnUntraced(function* (
  directory: Directory,
  options: ResolvedOptions,
  transport: Listening["transport"]
): Effect.fn.Return<SharedServer, EmbeddedPostgresError, Scope.Scope> {
  // Checks that need no lock come first, so that a refusal does not change the directory.
  const { major } = yield* distribution
  yield* accountFor(directory.path, directory.data)
  yield* hasData(directory, major)

  const answer = yield* Deferred.make<SharedServer, EmbeddedPostgresError>()
  const state: State = { processId: 0, restarts: 0 }
  let listening: Listening = { transport, port: transport === "tcp" ? yield* freePort : SOCKET_PORT }

  const deadline = performance.now() + Duration.toMillis(options.startTimeout)

  const asOwner = Effect.gen(function* () {
    if (!(yield* Lock.hold(directory))) return
    const onReady = (isFresh: boolean) => Deferred.succeed(answer, { listening, isFresh, state })
    return yield* runServer(directory, options, listening, state, onReady)
  }).pipe(Effect.scoped)

  const asGuest = Effect.gen(function* () {
    if (options.whenRunning === "refuse") {
      return yield* new DirectoryInUse({ directory: directory.path, processId: Lock.holder(directory) })
    }
    const found = running(directory, transport)
    if (found instanceof StartFailed) return yield* found
    if (found === undefined) {
      if (performance.now() < deadline || (yield* Deferred.isDone(answer))) return
      const reason = `the one that process ${Lock.holder(directory)} runs was not ready within ${Duration.format(options.startTimeout)}`
      return yield* new StartFailed({ directory: directory.path, reason, log: "" })
    }
    state.processId = found.processId
    listening = found.listening
    yield* Deferred.succeed(answer, { listening, isFresh: false, state })
  })

  const turn = Effect.andThen(asOwner, asGuest).pipe(
    // After the first answer, callers depend on the server, and the cause of the error may be temporary.
    Effect.catch((error) =>
      Effect.flatMap(Deferred.fail(answer, error), (isFirst) =>
        isFirst ? Effect.interrupt : Effect.logError(`${error.message}: trying again`)
      )
    )
  )
  yield* turn.pipe(Effect.andThen(Effect.sleep(POLL_INTERVAL)), Effect.forever, Effect.forkScoped)
  return yield* Deferred.await(answer)
})
