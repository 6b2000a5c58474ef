/** Processor time and memory of processes from Linux's `/proc`; NaN on other systems, and where a process ended. */
import { readdirSync, readFileSync } from "node:fs"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Linux counts the processor time of processes that ended in ticks of 10 ms. */
const MICROSECONDS_PER_TICK = 10_000

/** What a reading of /proc gives; something else where the process ended, or the machine has no /proc. */
const readOr = <A>(read: () => A, otherwise: A): A => {
  try {
    return read()
  } catch {
    return otherwise
  }
}

const textOf = (path: string): string => readOr(() => readFileSync(path, "utf8"), "")

/** The fields of /proc/PID/stat after the command, which may itself hold anything. Times are in microseconds. */
const statOf = (processId: number) => {
  const text = textOf(`/proc/${processId}/stat`)
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  return {
    parent: Number(fields[1]),
    own: (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK,
    ended: (Number(fields[13]) + Number(fields[14])) * MICROSECONDS_PER_TICK
  }
}

/** Processor time of a process with all the threads that it has, in microseconds, to the nanosecond where the kernel says so. */
export const usedBy = (processId: number): number => {
  const folder = `/proc/${processId}/task`
  const threads = readOr(() => readdirSync(folder), []).map((thread) => textOf(`${folder}/${thread}/schedstat`))
  if (threads.join("") === "") return statOf(processId).own
  return threads.reduce((sum, text) => sum + Number(text.split(" ")[0]) / 1000, 0)
}

/** The same with that of its children. */
export const usedByFamily = (processId: number): number =>
  readOr(() => readdirSync("/proc"), [])
    .map(Number)
    .filter((child) => statOf(child).parent === processId)
    .reduce((sum, child) => sum + (usedBy(child) || 0), usedBy(processId))

/** How many files and connections a process has open. */
export const descriptorsOf = (processId: number): number =>
  readOr(() => readdirSync(`/proc/${processId}/fd`).length, Number.NaN)

/** The memory of a process that is in the machine's, in bytes. */
export const residentMemory = (processId: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${processId}/status`))?.[1]) * 1024

/**
 * How to read the processor time of the PostgreSQL behind the client, which runs on this machine: since it started, with all of its
 * processes, those that ended too; in microseconds.
 */
export const serverProcessorTime = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly pid: number }>`select pg_backend_pid() as pid`
  const postmaster = statOf(row!.pid).parent
  return (): number =>
    readOr(() => readdirSync("/proc"), [])
      .map(Number)
      .filter((processId) => processId === postmaster || statOf(processId).parent === postmaster)
      .reduce((sum, processId) => sum + (usedBy(processId) || 0), statOf(postmaster).ended)
})
