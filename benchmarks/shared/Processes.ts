/** Processor time and memory of processes from Linux's `/proc`; undefined on other systems. */
import { readdirSync, readFileSync } from "node:fs"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Linux counts the processor time of processes that ended in ticks of 10 ms. */
const MICROSECONDS_PER_TICK = 10_000

/** A file of /proc; none where the process ended, or the machine has no /proc. */
const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** The fields of /proc/PID/stat after the command, which may itself hold anything. Times are in microseconds. */
const statOf = (processId: number) => {
  const text = textOf(`/proc/${processId}/stat`)
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return {
    parent: Number(fields[1]),
    own: (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK,
    ended: (Number(fields[13]) + Number(fields[14])) * MICROSECONDS_PER_TICK
  }
}

/** Which process started this one; none where it is not known. */
const parentOf = (processId: number): number | undefined => statOf(processId)?.parent

/** Processor time of the processes that a process started and that ended, in microseconds. */
const endedBelow = (processId: number): number => statOf(processId)?.ended ?? 0

/** Processor time of a process of one thread, in microseconds: to the nanosecond where the kernel says so. */
const usedBySingle = (processId: number): number => {
  const precise = textOf(`/proc/${processId}/schedstat`)
  if (precise !== undefined) return Number(precise.split(" ")[0]) / 1000
  return statOf(processId)?.own ?? 0
}

const threadsOf = (processId: number): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${processId}/task`)
  } catch {
    return []
  }
}

/** Processor time of a process with all the threads that it has, in microseconds; none where it is not known. */
export const usedByAll = (processId: number): number | undefined => {
  const precise = threadsOf(processId).flatMap((thread) => {
    const text = textOf(`/proc/${processId}/task/${thread}/schedstat`)
    return text === undefined ? [] : [Number(text.split(" ")[0]) / 1000]
  })
  return precise.length === 0 ? statOf(processId)?.own : precise.reduce((sum, thread) => sum + thread, 0)
}

/** The memory of a process that is in the machine's, in bytes; none where it is not known. */
export const residentMemory = (processId: number): number | undefined => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${processId}/status`) ?? "")?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

/** The processes that a process started and that run. */
const childrenOf = (processId: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === processId)

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
