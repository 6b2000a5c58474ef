import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { childrenOf, commandOf, endedBelow, parentOf, usedBySingle } from "./Processes.ts"

/** Processor time of a PostgreSQL since it started, with all of its processes, those that ended too; in microseconds. */
export type ServerProcessorTime = () => number

/**
 * How to read the processor time of the server behind the client. None where it is not known: the server is on another
 * machine, in another container, or the machine is no Linux.
 */
export const serverProcessorTime = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly pid: number; readonly here: boolean }>`
    select pg_backend_pid() as pid, coalesce(inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1', true) as here`
  const postmaster = row?.here === true ? parentOf(row.pid) : undefined
  if (postmaster === undefined || commandOf(row!.pid)?.startsWith("postgres") !== true) return undefined
  return (): number =>
    childrenOf(postmaster).reduce(
      (sum, child) => sum + usedBySingle(child),
      usedBySingle(postmaster) + endedBelow(postmaster)
    )
}) satisfies Effect.Effect<ServerProcessorTime | undefined, unknown, SqlClient.SqlClient>
