import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import type { OwnIssuer } from "@sojourn/adapter-jwt"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Client } from "./client.ts"
import { eventually } from "./eventually.ts"
import { type PostgresHost, postgresHost } from "./PostgresHost.ts"
import { keyIn, type Keys, keysIn, makeScene, type Scene, type Setting } from "./scene.ts"
import { type SojournProcess, sojournAfter } from "./SojournProcess.ts"
import { foundTown, type Town } from "./town.ts"

/** Several server processes on one PostgreSQL and one data directory. */
export interface ServerGroup {
  readonly data: string
  readonly postgres: PostgresHost
  /** The flags that select the storage. */
  readonly storage: ReadonlyArray<string>
  /** Starts a server on a free port, with additional flags. */
  readonly start: (...flags: ReadonlyArray<string>) => SojournProcess
  /** Starts a server whose clock can be wrong. */
  readonly startWithClock: (...flags: ReadonlyArray<string>) => ServerWithClock
  /** The database of the servers, without the proxy. */
  readonly database: () => DatabaseAddress
  readonly key: () => Promise<OwnIssuer.SigningKey>
  /** Creates a town on a server of the group. */
  readonly foundTown: (client: Client, baseUrl: string, size: Parameters<typeof foundTown>[3]) => Promise<Town>
  /** Creates a town on a server of the group, and the crowd. */
  readonly makeScene: (setting: Omit<Setting, keyof Keys | "database">) => Promise<Scene>
  /** Kills the servers, stops PostgreSQL and removes the data directory. */
  readonly close: () => Promise<void>
}

/** A server whose clock can be wrong. */
export interface ServerWithClock {
  readonly server: SojournProcess
  /** Puts the clock wrong by so many milliseconds: ahead, or behind where it is negative. Ends when it is. */
  readonly setWrong: (milliseconds: number) => Promise<void>
}

export const serverGroup = async (options: Parameters<typeof postgresHost>[0] = {}): Promise<ServerGroup> => {
  const postgres = await postgresHost(options)
  await postgres.create("sojourn")
  const data = mkdtempSync(join(tmpdir(), "sojourn-servers-"))
  const storage = ["--storage", "postgres", "--database-url", postgres.url("sojourn"), "--data", data]
  const started: Array<SojournProcess> = []
  const start = (imports: ReadonlyArray<URL>, flags: ReadonlyArray<string>) => {
    const server = sojournAfter(imports, ["serve", ...storage, "--port", "0", ...flags])
    started.push(server)
    return server
  }
  const database = () => postgres.direct("sojourn")
  const key = () => keyIn(data)
  return {
    data,
    postgres,
    storage,
    database,
    key,
    foundTown: async (client, baseUrl, size) => foundTown(client, baseUrl, await key(), size),
    makeScene: async (setting) => makeScene({ ...(await keysIn(data, database())), database, ...setting }),
    start: (...flags) => start([], flags),
    startWithClock: (...flags) => {
      const file = join(data, `clock-${started.length}`)
      writeFileSync(file, "0")
      const server = start([new URL(`wrongClock.ts?file=${encodeURIComponent(file)}`, import.meta.url)], flags)
      return {
        server,
        setWrong: async (milliseconds) => {
          writeFileSync(file, String(milliseconds))
          server.kill("SIGUSR2")
          const isRead = () => readFileSync(`${file}-read`, "utf8") === String(milliseconds)
          await eventually(`the clock is wrong by ${milliseconds}`, isRead)
        }
      }
    },
    close: async () => {
      for (const server of started) server.kill("SIGKILL")
      await Promise.all(started.map(({ ended }) => ended))
      await postgres.close()
      rmSync(data, { recursive: true, force: true })
    }
  }
}
