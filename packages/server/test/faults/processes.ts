/** The processes of this machine, to kill those of a service and to find what a killed one left running. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/** A process of this machine. The start time makes it unique, since ids are reused. */
export interface Process {
  readonly pid: number
  readonly parent: number
  readonly started: string
  readonly command: string
}

/** Parses `pid (name) state parent ...`; the name may contain any character, and the 22nd field is the start time. */
const fromProc = (pid: string): Process | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // A zombie has ended, but its parent has not collected its status.
    if (fields[0] === "Z") return undefined
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
    return { pid: Number(pid), parent: Number(fields[1]), started: fields[19] ?? "", command }
  } catch {
    return undefined
  }
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/

const fromPs = (line: string): Process | undefined => {
  const [, pid, parent, state, started, command] = PS_LINE.exec(line) ?? []
  if (pid === undefined || state?.startsWith("Z") === true) return undefined
  return { pid: Number(pid), parent: Number(parent), started: started ?? "", command: command ?? "" }
}

/** All running processes. */
export const processes = (): ReadonlyArray<Process> => {
  const found =
    process.platform === "linux"
      ? readdirSync("/proc")
          .filter((name) => /^\d+$/.test(name))
          .map(fromProc)
      : execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,lstart=,command="], { encoding: "utf8" })
          .split("\n")
          .map(fromPs)
  return found.filter((one) => one !== undefined)
}

/** A process and its descendants, except those whose parent has ended. */
export const familyOf = (pid: number): ReadonlyArray<Process> => {
  const all = processes()
  const family = all.filter((one) => one.pid === pid)
  for (const member of family) family.push(...all.filter((one) => one.parent === member.pid))
  return family
}

/** The processes that are still running. */
export const stillRunning = (known: Iterable<Process>): ReadonlyArray<Process> => {
  const now = new Map(processes().map((one) => [one.pid, one.started]))
  return [...known].filter((one) => now.get(one.pid) === one.started)
}

/** Signals each process that still exists. */
export const signalAll = (targets: Iterable<Pick<Process, "pid">>, signal: NodeJS.Signals): void => {
  for (const { pid } of targets) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended by itself.
    }
  }
}
