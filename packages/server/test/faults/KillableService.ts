import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import type { Choose, Kill } from "./kills.ts"
import type { Process } from "./processes.ts"
import type { Ended } from "./SojournProcess.ts"

/** Real servers on one PostgreSQL, which can be killed and restart on the same data. */
export interface KillableService {
  readonly data: string
  /** The URL of a server, in turn where there are several; undefined while all are down. */
  readonly baseUrl: () => string | undefined
  /** The URLs of all servers that listen. */
  readonly baseUrls: () => ReadonlyArray<string>
  /** Kills processes. Waits until the killed servers listen again; PostgreSQL is restarted by its supervisor. */
  readonly kill: (kill: Kill, choose: Choose) => Promise<void>
  /** Connects to the database. */
  readonly withDatabase: <A>(use: (address: DatabaseAddress) => Promise<A>) => Promise<A>
  /** Stops the servers. Returns how each ended, and the processes that they or their predecessors left running. */
  readonly end: () => Promise<{ readonly ended: ReadonlyArray<Ended>; readonly left: ReadonlyArray<Process> }>
  /** Kills what is left and removes the data. */
  readonly destroy: () => Promise<void>
}
