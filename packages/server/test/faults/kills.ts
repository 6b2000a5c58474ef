/** The processes that kill cycles choose from, and the kill itself. */
import { familyOf, signalAll } from "./processes.ts"

interface Targets {
  /** How many servers are killed. */
  readonly servers: number
  readonly postgres?: "the postmaster" | "one backend" | "all"
}

/** What a kill ends. */
const TARGETS = {
  "the server": { servers: 1 },
  "two servers": { servers: 2 },
  "three servers": { servers: 3 },
  "the postmaster": { servers: 0, postgres: "the postmaster" },
  "one backend": { servers: 0, postgres: "one backend" },
  "the server and all of PostgreSQL": { servers: 1, postgres: "all" },
  "three servers and all of PostgreSQL": { servers: 3, postgres: "all" },
  "all of PostgreSQL": { servers: 0, postgres: "all" }
} as const satisfies Readonly<Record<string, Targets>>
export type Kill = keyof typeof TARGETS

/** The kills of a single server and its PostgreSQL, used in turn. */
export const KILLS: ReadonlyArray<Kill> = [
  "the server",
  "the postmaster",
  "one backend",
  "the server and all of PostgreSQL",
  "all of PostgreSQL"
]

/** The kills of three servers on one PostgreSQL, used in turn. */
export const GROUP_KILLS: ReadonlyArray<Kill> = [
  "the server and all of PostgreSQL",
  "two servers",
  "one backend",
  "the server",
  "all of PostgreSQL",
  "three servers",
  "the postmaster",
  "three servers and all of PostgreSQL"
]

/** Whether all servers survive the kill. */
export const sparesServers = (kill: Kill) => TARGETS[kill].servers === 0

/** Chooses one of several. */
export type Choose = <A>(all: ReadonlyArray<A>) => A

const chooseSome = <A>(count: number, all: ReadonlyArray<A>, choose: Choose): ReadonlyArray<A> => {
  if (count === 0) return []
  const one = choose(all)
  return [
    one,
    ...chooseSome(
      count - 1,
      all.filter((other) => other !== one),
      choose
    )
  ]
}

/** Sends SIGKILL to some of the servers and to processes of their PostgreSQL. Returns the servers that it killed. */
export const killNow = (
  kill: Kill,
  servers: ReadonlyArray<number>,
  postmaster: number,
  choose: Choose
): ReadonlyArray<number> => {
  const { servers: count, postgres }: Targets = TARGETS[kill]
  const all = familyOf(postmaster)
  if (all.length === 0) throw new Error("no postmaster runs")
  const backends = all.filter(({ command }) => command.startsWith("postgres: postgres sojourn "))
  const killed = chooseSome(count, servers, choose)
  const ofPostgres = {
    none: () => [],
    "the postmaster": () => [{ pid: postmaster }],
    "one backend": () => [choose(backends)],
    all: () => all
  }[postgres ?? "none"]()
  signalAll([...killed.map((pid) => ({ pid })), ...ofPostgres], "SIGKILL")
  return killed
}
