import { Effect, Redacted, type Scope } from "effect"
import { sojourn, type SojournProcess } from "../../packages/server/test/faults/SojournProcess.ts"

/** A server of the fleet that runs. */
export interface Member {
  readonly url: string
  readonly port: number
  readonly processId: number
}

/** Several servers over one database, which share their keys: one service. */
export interface Fleet {
  /** Those that run, in the order of their start. */
  readonly members: () => ReadonlyArray<Member>
  /** Kills the last of them as it is. Ends when it is gone. */
  readonly killLast: Effect.Effect<void>
  /** Starts one more. */
  readonly startOne: Effect.Effect<void>
}

/** Starts so many servers for the time of the scope. */
export const makeFleet = Effect.fnUntraced(function* (
  size: number,
  databaseUrl: Redacted.Redacted,
  data: string
): Effect.fn.Return<Fleet, never, Scope.Scope> {
  const running: Array<{ readonly process: SojournProcess; readonly member: Member }> = []

  const end = ({ process }: { readonly process: SojournProcess }) =>
    Effect.promise(() => {
      process.kill("SIGKILL")
      return process.ended
    })

  const startOne = Effect.gen(function* () {
    const address = ["--database-url", Redacted.value(databaseUrl), "--data", data]
    const process = sojourn("serve", "--storage", "postgres", ...address, "--port", "0")
    const url = yield* Effect.onError(
      Effect.promise(() => process.listening),
      () => end({ process })
    )
    running.push({ process, member: { url, port: Number(new URL(url).port), processId: process.pid } })
  })

  yield* Effect.addFinalizer(() => Effect.forEach(running, end, { discard: true }))
  // One after the other: which of them makes the schema is not what is looked at.
  for (let nth = 0; nth < size; nth++) yield* startOne
  return {
    members: () => running.map(({ member }) => member),
    killLast: Effect.suspend(() => {
      const last = running.pop()
      return last === undefined ? Effect.void : Effect.asVoid(end(last))
    }),
    startOne
  }
})
