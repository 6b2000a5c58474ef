/** The course of a soak: half of the measured capacity for a long time, with a sample each minute. */
import { Effect } from "effect"
import type { Arrivals, Received } from "../arrivals/Arrivals.ts"
import { type Audit, makePlace, measureCapacity, staysIn } from "../arrivals/Place.ts"
import { makeGenerator } from "../load/Load.ts"
import { sample, type Sample, stateFileOf } from "./Sample.ts"

/** What is tried. */
export interface Soak {
  /** How long, in seconds. */
  readonly seconds: number
  /** How often the server is looked at, in seconds. */
  readonly every: number
  /** Movements a second; none: half of what the server is capable of, which is measured first. */
  readonly perSecond: number | undefined
  /** Flags for the server. */
  readonly flags: ReadonlyArray<string>
}

export interface Soaked extends Audit {
  readonly perSecond: number
  readonly samples: ReadonlyArray<Sample>
  /** What the server said lately. */
  readonly said: string
}

/** How long the capacity is measured, in seconds; half of it once before, to warm up. */
const MEASURED = 4

const INSIDE = new URL("inside.ts", import.meta.url).href

/** How long movements may wait for a free connection at the end of each look, in milliseconds: the machine may have been slow. */
const PATIENCE = 20_000

/** How many connections there are at most. */
const CONNECTIONS = 256

/** Loads a server for a long time. `tell` receives each sample. */
export const soak = Effect.fnUntraced(function* (
  wanted: Soak,
  tell: (sample: Sample, isFirst: boolean) => void,
  say: (line: string) => void
) {
  const place = yield* makePlace(["--storage", "embedded", ...wanted.flags], (data) => ({
    NODE_OPTIONS: `--import ${INSIDE}`,
    SOJOURN_SOAK_STATE: stateFileOf(data)
  }))
  const { host, organizationId, port, tokens } = place
  let entrances = 0
  let exits = 0
  let perSecond = wanted.perSecond
  if (perSecond === undefined) {
    say("measuring the capacity")
    const capacity = yield* measureCapacity(place, 64, MEASURED)
    entrances = exits = capacity.pairs
    perSecond = Math.max(1, Math.round(capacity.perSecond / 2))
  }
  say(`${perSecond} movements a second`)

  const arrive = yield* makeGenerator<Arrivals, Received>(new URL("../arrivals/main.ts", import.meta.url))
  const samples: Array<Sample> = []
  const began = performance.now()
  for (let done = 0; done < wanted.seconds;) {
    const seconds = Math.min(wanted.every, wanted.seconds - done)
    done += seconds
    const received = yield* arrive({
      host,
      port,
      organizationId,
      tokens,
      perSecond,
      seconds,
      connections: CONNECTIONS,
      patience: PATIENCE
    })
    entrances += received.entrances
    exits += received.exits
    const one = yield* sample(place, (performance.now() - began) / 1000, received)
    samples.push(one)
    tell(one, samples.length === 1)
  }
  const found = yield* staysIn(place)
  return { perSecond, samples, acknowledged: { entrances, exits }, found, said: place.server.said() } satisfies Soaked
}, Effect.scoped)
