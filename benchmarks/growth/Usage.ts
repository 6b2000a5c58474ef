/** Processor time and write-ahead log as meters: latency would measure the machine's other work too. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { serverProcessorTime } from "../shared/ServerProcesses.ts"

/** What was used since some beginning. */
export interface Usage {
  /** Processor time of PostgreSQL, in microseconds; none where it cannot be read. */
  readonly server: number | undefined
  /** Processor time of this process, in microseconds. */
  readonly client: number
  /** Bytes of write-ahead log. */
  readonly wal: number
}

/** Tells what the PostgreSQL behind the client, and this process, used until now. */
export const usageMeter = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const serverTime = yield* serverProcessorTime
  return Effect.map(
    sql<{ readonly wal: number }>`select (pg_current_wal_insert_lsn() - '0/0')::float8 as wal`,
    ([row]): Usage => {
      const { user, system } = process.cpuUsage()
      return { server: serverTime?.(), client: user + system, wal: row!.wal }
    }
  )
})

/** What one of `count` operations used between two moments. */
export const usagePerOperation = (before: Usage, after: Usage, count: number): Usage => ({
  server:
    before.server === undefined || after.server === undefined ? undefined : (after.server - before.server) / count,
  client: (after.client - before.client) / count,
  wal: (after.wal - before.wal) / count
})
