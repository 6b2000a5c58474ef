import { readdirSync, readFileSync } from "node:fs"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Linux counts the processor time of processes that ended in ticks of 10 ms. */
const MICROSECONDS_PER_TICK = 10_000

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // The process ended, or the machine has no /proc.
    return undefined
  }
}

/** The fields of /proc/PID/stat after the command, which may itself hold anything. */
const statOf = (processId: number) => {
  const text = textOf(`/proc/${processId}/stat`)
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return {
    parent: Number(fields[1]),
    own: Number(fields[11]) + Number(fields[12]),
    ended: Number(fields[13]) + Number(fields[14])
  }
}

/** Processor time that a process has used, in microseconds: to the nanosecond where the kernel says so. */
const usedBy = (processId: number): number => {
  const precise = textOf(`/proc/${processId}/schedstat`)
  if (precise !== undefined) return Number(precise.split(" ")[0]) / 1000
  return (statOf(processId)?.own ?? 0) * MICROSECONDS_PER_TICK
}

const childrenOf = (processId: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => statOf(candidate)?.parent === processId)

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
  const backend = row?.here === true ? statOf(row.pid) : undefined
  if (backend === undefined || textOf(`/proc/${row!.pid}/comm`)?.startsWith("postgres") !== true) return undefined
  const postmaster = backend.parent
  return (): number =>
    childrenOf(postmaster).reduce(
      (sum, child) => sum + usedBy(child),
      usedBy(postmaster) + (statOf(postmaster)?.ended ?? 0) * MICROSECONDS_PER_TICK
    )
}) satisfies Effect.Effect<ServerProcessorTime | undefined, unknown, SqlClient.SqlClient>
