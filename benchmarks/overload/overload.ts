/** Measures a server's capacity, then its answers at multiples of this rate. */
import { Effect } from "effect"
import type { Arrivals, Received } from "../arrivals/Arrivals.ts"
import { type Audit, makePlace, measureCapacity, staysIn } from "../arrivals/Place.ts"
import { LoadFailed, makeGenerator } from "../load/Load.ts"
import { makeProbes, type Probed } from "./probes.ts"

/** The plan of a measurement. */
export interface Overload {
  /** The arrival rates as multiples of the capacity, measured one after the other. */
  readonly times: ReadonlyArray<number>
  /** The duration of each measurement, in seconds. */
  readonly seconds: number
  /** The most connections of the load. */
  readonly connections: number
  /** Flags for the server. */
  readonly flags: ReadonlyArray<string>
}

/** The number of connections that saturate the server when each sends its next request after an answer. */
const SATURATING = 128

/** The results at one arrival rate. */
export interface Tried {
  readonly times: number
  readonly perSecond: number
  readonly received: Received
  readonly probed: Probed
  /** The probes on the separate port for probes (`--probe-port`). */
  readonly watched: Probed
}

export interface Overloaded extends Audit {
  /** The capacity: movements per second in a closed loop. */
  readonly capacity: number
  readonly tried: ReadonlyArray<Tried>
}

/** Measures a server's capacity, then the answers at higher arrival rates. `say` receives progress messages. */
export const overload = Effect.fnUntraced(function* (wanted: Overload, say: (line: string) => void) {
  const place = yield* makePlace([
    "--storage",
    "embedded",
    "--request-log",
    "off",
    "--probe-port",
    "0",
    ...wanted.flags
  ])
  const probeUrl = /answered on (http:\S+) too/.exec(place.server.said())?.[1]
  if (probeUrl === undefined) return yield* new LoadFailed({ reason: "the server does not say where it is probed" })
  const arrive = yield* makeGenerator<Arrivals, Received>(new URL("../arrivals/main.ts", import.meta.url))
  say("measuring the capacity")
  const { perSecond: capacity, pairs } = yield* measureCapacity(place, SATURATING, wanted.seconds)
  let entrances = pairs
  let exits = pairs
  say(`${Math.round(capacity)} movements a second`)

  const tried: Array<Tried> = []
  for (const times of wanted.times) {
    const perSecond = Math.round(capacity * times)
    say(`${times} times that`)
    const probes = [makeProbes(place.baseUrl), makeProbes(probeUrl)] as const
    const { host, port, organizationId, tokens } = place
    const { connections, seconds } = wanted
    const received = yield* arrive({
      host,
      port,
      organizationId,
      tokens,
      connections,
      seconds,
      perSecond,
      patience: 0
    })
    const [probed, watched] = yield* Effect.promise(() => Promise.all([probes[0].end(), probes[1].end()]))
    entrances += received.entrances
    exits += received.exits
    tried.push({ times, perSecond, received, probed, watched })
  }
  return {
    capacity,
    tried,
    acknowledged: { entrances, exits },
    found: yield* staysIn(place)
  } satisfies Overloaded
}, Effect.scoped)
