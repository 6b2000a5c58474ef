/** The processor time of a whole PostgreSQL, which has a process for each connection. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { childrenOf, endedBelow, parentOf, usedBySingle } from "./Processes.ts"

/** Processor time of a PostgreSQL since it started, with all of its processes, those that ended too; in microseconds. */
export type ServerProcessorTime = () => number

/** How to read the processor time of the server behind the client, which runs on this machine. None where the machine is no Linux. */
export const serverProcessorTime = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly pid: number }>`select pg_backend_pid() as pid`
  const postmaster = parentOf(row!.pid)
  if (postmaster === undefined) return undefined
  return (): number =>
    childrenOf(postmaster).reduce(
      (sum, child) => sum + usedBySingle(child),
      usedBySingle(postmaster) + endedBelow(postmaster)
    )
}) satisfies Effect.Effect<ServerProcessorTime | undefined, unknown, SqlClient.SqlClient>
