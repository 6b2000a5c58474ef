import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { make, type Options, type Server } from "@sojourn/embedded-postgres"
import { Effect, Exit, Redacted, Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { familyOf, signalAll } from "./processes.ts"
import { tcpProxy, type TcpProxy } from "./TcpProxy.ts"

/** A PostgreSQL server that a test can start and stop, behind a proxy with a constant address that can fail. */
export interface PostgresHost {
  readonly wire: TcpProxy
  /** The value for `--database-url`; it leads through the proxy. */
  readonly url: (database: string) => string
  /** The direct address, without the proxy, for audits. */
  readonly direct: (database: string) => DatabaseAddress
  readonly create: (database: string) => Promise<void>
  /** The postmaster's process id. It is restarted when it ends by itself. */
  readonly postmaster: () => Promise<number>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Stops every process with SIGSTOP until `resume`, like an overloaded or suspended host. */
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  readonly close: () => Promise<void>
}

export const postgresHost = async ({
  durability = "fast"
}: Pick<Options, "durability"> = {}): Promise<PostgresHost> => {
  const directory = await mkdtemp(join(tmpdir(), "sojourn-faults-"))
  let running: { readonly scope: Scope.Closeable; readonly server: Server } | undefined

  const run = async () => {
    const scope = await Effect.runPromise(Scope.make())
    const started = make({ directory, transport: "tcp", durability })
    const server = await Effect.runPromise(Effect.provideService(started, Scope.Scope, scope))
    running = { scope, server }
    return server
  }
  const now = () => {
    if (running === undefined) throw new Error("PostgreSQL does not run")
    return running
  }
  const first = await run()
  const { username, password } = first.connection
  const wire = await tcpProxy(first.connection.port)

  const stop = async () => {
    const { scope } = now()
    running = undefined
    await wire.refuse()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  const postmaster = () => Effect.runPromise(now().server.processId)
  const signal = async (name: NodeJS.Signals) => {
    const first = await postmaster()
    // Once the postmaster has stopped, no process starts that is not among those found then.
    signalAll([{ pid: first }], name)
    signalAll(familyOf(first), name)
  }

  return {
    wire,
    url: (database) =>
      `postgresql://${username}:${Redacted.value(password ?? Redacted.make(""))}@127.0.0.1:${wire.port}/${database}`,
    direct: (database) => ({ ...now().server.connection, database }),
    postmaster,
    create: (database) => Effect.runPromise(now().server.createDatabase(database)),
    start: async () => {
      wire.leadTo((await run()).connection.port)
      await wire.listen()
    },
    stop,
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    close: async () => {
      if (running !== undefined) {
        await signal("SIGCONT")
        await stop()
      }
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}
