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

/** The real server with a PostgreSQL of its own, which is killed and comes back on the same data. */
export interface MortalServer {
  readonly data: string
  /** Where it is now, if it is. */
  readonly baseUrl: () => string | undefined
  /** Kills now. Ends when the server listens again, if it was the server; PostgreSQL is the server's own business. */
  readonly kill: (kill: Kill, choose: (backends: ReadonlyArray<Process>) => Process) => Promise<void>
  /** Uses its database beside it. */
  readonly withDatabase: (use: (address: DatabaseAddress) => Promise<void>) => Promise<void>
  /** Asks it to end. Answers how it ended, and which processes are left that it or its predecessors had. */
  readonly end: () => Promise<Ended & { readonly left: ReadonlyArray<Process> }>
  /** Leaves nothing of it. */
  readonly destroy: () => Promise<void>
}

/** Starts one on a directory of its own. */
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
      // A killed server's watchdog and PostgreSQL go by themselves, a moment later.
      for (let i = 0; i < 200 && stillRunning(family.values()).length > 0; i++) await pause(25)
      return { ...ended, left: stillRunning(family.values()) }
    },
    destroy
  }
}
