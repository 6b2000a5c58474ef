/** Probes of health and metrics beside the load, as a monitoring system sends them. */
import { setTimeout as pause } from "node:timers/promises"
import { makeClient } from "../../packages/server/test/faults/asking.ts"

/** What is asked beside the load: is the server well, and what does it count? */
const PATHS = ["/health/ready", "/health/live", "/metrics"]

/** How often, in milliseconds. */
const PAUSE = 100

/** What became of the probes. */
export interface Probed {
  readonly answered: number
  /** Those that were not answered 200. */
  readonly missed: number
  /** How long the slowest took, in milliseconds. */
  readonly longest: number
}

/** Asks now and then until its end, each time on a connection of its own, as a monitoring system does. */
export const makeProbes = (baseUrl: string) => {
  const until = new AbortController()
  const probed = { answered: 0, missed: 0, longest: 0 }
  const running = (async () => {
    for (let nth = 0; !until.signal.aborted; nth++) {
      const client = makeClient()
      const asked = performance.now()
      const { status } = await client.ask(baseUrl, { method: "GET", path: PATHS[nth % PATHS.length]! })
      probed.longest = Math.max(probed.longest, performance.now() - asked)
      if (status === 200) probed.answered++
      else probed.missed++
      client.close()
      await pause(PAUSE)
    }
  })()
  return {
    end: async (): Promise<Probed> => {
      until.abort()
      await running
      return probed
    }
  }
}
