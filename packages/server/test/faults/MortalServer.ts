import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { make as embeddedPostgres } from "@sojourn/embedded-postgres"
import * as Effect from "effect/Effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { type Kill, killNow, sparesServer } from "./kills.ts"
import { familyOf, type Process, signalAll, stillRunning } from "./processes.ts"
import { type Ended, sojourn } from "./SojournProcess.ts"

/** The real server with an embedded PostgreSQL, which can be killed and restarts on the same data. */
export interface MortalServer {
  readonly data: string
  /** The current URL, or undefined while the server is down. */
  readonly baseUrl: () => string | undefined
  /** Kills the given processes. Waits until the server listens again if it was killed; it restarts PostgreSQL itself. */
  readonly kill: (kill: Kill, choose: (backends: ReadonlyArray<Process>) => Process) => Promise<void>
  /** Connects to its database. */
  readonly withDatabase: (use: (address: DatabaseAddress) => Promise<void>) => Promise<void>
  /** Stops it. Returns how it ended, and the processes that it or its predecessors left running. */
  readonly end: () => Promise<Ended & { readonly left: ReadonlyArray<Process> }>
  /** Kills it and removes its data. */
  readonly destroy: () => Promise<void>
}

/** Starts a server on a new data directory. */
export const mortalServer = async (): Promise<MortalServer> => {
  const data = await mkdtemp(join(tmpdir(), "sojourn-kills-"))
  const directory = join(data, "postgres")
  const start = () => sojourn("serve", "--storage", "embedded", "--data", data, "--port", "0")
  let server = start()
  let baseUrl: string | undefined
  const family = new Map<string, Process>()
  const remember = (some: ReadonlyArray<Process>) => {
    for (const one of some) family.set(`${one.pid} ${one.started}`, one)
  }

  const destroy = async () => {
    remember(familyOf(server.pid))
    server.kill("SIGKILL")
    await server.ended
    signalAll(stillRunning(family.values()), "SIGKILL")
    await rm(data, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    baseUrl = await server.listening
  } catch (error) {
    await destroy()
    throw error
  }

  return {
    data,
    baseUrl: () => baseUrl,
    kill: async (kill, choose) => {
      remember(killNow(kill, server.pid, directory, choose))
      if (sparesServer(kill)) return
      baseUrl = undefined
      await server.ended
      server = start()
      baseUrl = await server.listening
    },
    withDatabase: (use) =>
      Effect.runPromise(
        Effect.scoped(
          Effect.flatMap(embeddedPostgres({ directory, whenRunning: "share" }), ({ connection }) =>
            Effect.promise(() => use({ ...connection, database: "sojourn" }))
          )
        )
      ),
    end: async () => {
      remember(familyOf(server.pid))
      server.kill("SIGTERM")
      const ended = await server.ended
      // The watchdog and the PostgreSQL of a killed server end by themselves, shortly after it.
      for (let i = 0; i < 200 && stillRunning(family.values()).length > 0; i++) await pause(25)
      return { ...ended, left: stillRunning(family.values()) }
    },
    destroy
  }
}
