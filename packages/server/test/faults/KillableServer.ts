/** A single server with an embedded PostgreSQL that kill cycles can kill. */
import { make as embeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { killNow } from "./kills.ts"
import type { KillableService } from "./KillableService.ts"
import { familyOf, type Process, signalAll, stillRunning } from "./processes.ts"
import { sojourn } from "./SojournProcess.ts"

/** Starts a server with an embedded PostgreSQL on a new data directory. */
export const killableServer = async (): Promise<KillableService> => {
  const data = await mkdtemp(join(tmpdir(), "sojourn-kills-"))
  const directory = join(data, "postgres")
  const start = () => sojourn("serve", "--storage", "embedded", "--data", data, "--port", "0")
  let server = start()
  let baseUrl: string | undefined
  const family = new Map<string, Process>()
  const remember = (some: ReadonlyArray<Process>) => {
    for (const one of some) family.set(`${one.pid} ${one.started}`, one)
  }
  const postmaster = () => Number(readFileSync(join(directory, "data", "postmaster.pid"), "utf8").split("\n")[0])

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
    baseUrls: () => (baseUrl === undefined ? [] : [baseUrl]),
    kill: async (kill, choose) => {
      remember(familyOf(server.pid))
      if (killNow(kill, [server.pid], postmaster(), choose).length === 0) return
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
      const ended = await server.end()
      // The watchdog and the PostgreSQL of a killed server end by themselves, shortly after it.
      for (let i = 0; i < 200 && stillRunning(family.values()).length > 0; i++) await pause(25)
      return { ended: [ended], left: stillRunning(family.values()) }
    },
    destroy
  }
}
