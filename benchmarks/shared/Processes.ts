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

/** The files of one name in the folders below a folder. */
const textsBelow = (folder: string, name: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).flatMap((below) => textOf(`${folder}/${below}/${name}`) ?? [])
  } catch {
    return []
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

/** Processor time of a process with all the threads that it has, in microseconds, to the nanosecond where the kernel says so. */
export const usedBy = (processId: number): number | undefined => {
  const threads = textsBelow(`/proc/${processId}/task`, "schedstat")
  if (threads.length === 0) return statOf(processId)?.own
  return threads.reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1000, 0)
}

/** The memory of a process that is in the machine's, in bytes; none where it is not known. */
export const residentMemory = (processId: number): number | undefined => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${processId}/status`) ?? "")?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

/**
 * How to read the processor time of the PostgreSQL behind the client, which runs on this machine: since it started, with all of its
 * processes, those that ended too; in microseconds. None where the machine is no Linux.
 */
export const serverProcessorTime = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly pid: number }>`select pg_backend_pid() as pid`
  const postmaster = statOf(row!.pid)?.parent
  if (postmaster === undefined) return undefined
  return (): number =>
    readdirSync("/proc")
      .map(Number)
      .filter((processId) => processId === postmaster || statOf(processId)?.parent === postmaster)
      .reduce((sum, processId) => sum + (usedBy(processId) ?? 0), statOf(postmaster)?.ended ?? 0)
})
