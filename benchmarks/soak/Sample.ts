/** One look at the server during a soak: memory, descriptors, event loop and metrics. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { makeClient } from "../../packages/server/test/faults/asking.ts"
import type { Received } from "../arrivals/Arrivals.ts"
import type { Place } from "../arrivals/Place.ts"
import { residentMemory } from "../shared/Processes.ts"

/** What only the process itself knows: its heap in bytes, and in milliseconds how late its timers are. */
export interface Inside {
  readonly heapUsed: number
  readonly delayP99: number
  readonly delayMax: number
}

/** Where the server of a data directory writes it. */
export const stateFileOf = (data: string) => join(data, "soak.json")

const insideOf = (data: string): Inside | undefined => {
  try {
    return JSON.parse(readFileSync(stateFileOf(data), "utf8")) as Inside
  } catch {
    return undefined
  }
}

/** What a server takes at one moment, and what became of the movements since the last one. */
export interface Sample {
  /** Since the load began, in seconds. */
  readonly at: number
  /** Resident memory, in bytes; none where it is not known. */
  readonly resident: number | undefined
  /** Open descriptors; none where it is not known. */
  readonly descriptors: number | undefined
  /** What the process itself knows; none when it did not tell. */
  readonly inside: Inside | undefined
  /** The server's own metrics, by name. */
  readonly metrics: ReadonlyMap<string, number>
  readonly received: Received
}

const descriptorsOf = (processId: number): number | undefined => {
  try {
    return readdirSync(`/proc/${processId}/fd`).length
  } catch {
    return undefined
  }
}

const LINE = /^(\w+(?:\{[^}]*\})?) (\S+)$/

/** What `/metrics` tells, each series by its name and labels. */
const metricsOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const [, name, value] = LINE.exec(line) ?? []
      return name === undefined ? [] : [[name, Number(value)] as const]
    })
  )

/** Looks at a server that was just loaded. */
export const sample = (place: Place, at: number, received: Received) =>
  Effect.promise(async (): Promise<Sample> => {
    const client = makeClient()
    const { text } = await client.ask(place.baseUrl, { method: "GET", path: "/metrics" })
    client.close()
    const { pid } = place.server
    return {
      at,
      resident: residentMemory(pid),
      descriptors: descriptorsOf(pid),
      inside: insideOf(place.data),
      metrics: metricsOf(text),
      received
    }
  })
