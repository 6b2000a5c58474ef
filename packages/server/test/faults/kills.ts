import { readFileSync } from "node:fs"
import { join } from "node:path"
import { familyOf, type Process, signalAll } from "./processes.ts"

/** The targets of kills, used in turn. */
export const KILLS = [
  "the server",
  "the postmaster",
  "one backend",
  "the server and all of PostgreSQL",
  "all of PostgreSQL"
] as const
export type Kill = (typeof KILLS)[number]

/** Whether the server's process survives the kill. */
export const sparesServer = (kill: Kill) => !kill.startsWith("the server")

const postmasterIn = (directory: string): number =>
  Number(readFileSync(join(directory, "data", "postmaster.pid"), "utf8").split("\n")[0])

/**
 * Sends SIGKILL to processes of a server and of the PostgreSQL that it runs in `directory`. Returns all processes that
 * were running before, so that the caller can check later whether any is left.
 */
export const killNow = (
  kill: Kill,
  server: number,
  directory: string,
  choose: (backends: ReadonlyArray<Process>) => Process
): ReadonlyArray<Process> => {
  const family = familyOf(server)
  const postmaster = family.find(({ pid }) => pid === postmasterIn(directory))
  if (postmaster === undefined) throw new Error(`no postmaster runs in ${directory}`)
  const postgres = [postmaster, ...family.filter(({ parent }) => parent === postmaster.pid)]
  const backends = postgres.filter(({ command }) => command.startsWith("postgres: postgres sojourn "))
  switch (kill) {
    case "the server":
      signalAll([{ pid: server }], "SIGKILL")
      break
    case "the postmaster":
      signalAll([postmaster], "SIGKILL")
      break
    case "one backend":
      signalAll([choose(backends)], "SIGKILL")
      break
    case "the server and all of PostgreSQL":
      signalAll([{ pid: server }, ...postgres], "SIGKILL")
      break
    case "all of PostgreSQL":
      signalAll(postgres, "SIGKILL")
  }
  return family
}
