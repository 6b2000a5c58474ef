import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type PostgresHost, postgresHost } from "./PostgresHost.ts"
import { type SojournProcess, sojourn } from "./SojournProcess.ts"

/** Several server processes on one PostgreSQL and one data directory. */
export interface ServerGroup {
  readonly data: string
  readonly postgres: PostgresHost
  /** The flags that select the storage. */
  readonly storage: ReadonlyArray<string>
  /** Starts a server on a free port, with additional flags. */
  readonly start: (...flags: ReadonlyArray<string>) => SojournProcess
  /** Kills the servers, stops PostgreSQL and removes the data directory. */
  readonly close: () => Promise<void>
}

export const serverGroup = async (options: Parameters<typeof postgresHost>[0] = {}): Promise<ServerGroup> => {
  const postgres = await postgresHost(options)
  await postgres.create("sojourn")
  const data = mkdtempSync(join(tmpdir(), "sojourn-servers-"))
  const storage = ["--storage", "postgres", "--database-url", postgres.url("sojourn"), "--data", data]
  const started: Array<SojournProcess> = []
  return {
    data,
    postgres,
    storage,
    start: (...flags) => {
      const server = sojourn("serve", ...storage, "--port", "0", ...flags)
      started.push(server)
      return server
    },
    close: async () => {
      for (const server of started) server.kill("SIGKILL")
      await Promise.all(started.map(({ ended }) => ended))
      await postgres.close()
      rmSync(data, { recursive: true, force: true })
    }
  }
}
