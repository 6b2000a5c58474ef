/** A server at half of its capacity for a long time, with a sample each minute, and the verdict on them. */
import { Effect } from "effect"
import { makeClient } from "../../packages/server/test/faults/client.ts"
import type { Outcome } from "../load/Job.ts"
import { requireRight, startLoad } from "../load/Load.ts"
import { lossesOf, makePlace, type Place } from "../shared/Place.ts"
import { descriptorsOf } from "../shared/Processes.ts"
import { digits, megabytes } from "../shared/statistics.ts"

/** The parameters of a soak. */
export interface Soak {
  /** How long, in seconds. */
  readonly seconds: number
  /** The time between two samples, in seconds. */
  readonly every: number
  /** Movements a second; left out: half of the capacity, which is measured first. */
  readonly perSecond?: number
}

/** A server at one moment, and the movements since the last sample. */
export interface Sample {
  /** Seconds since the load began. */
  readonly at: number
  readonly outcome: Pick<Outcome, "requests" | "p50" | "p99" | "refused" | "unsent" | "errors">
  /** Bytes; NaN where they are not known, as descriptors. */
  readonly resident: number
  readonly heap: number
  readonly descriptors: number
}

const CONNECTIONS = 256

/** How long the capacity is measured, in seconds, after as long to warm up. */
const MEASURED = 4

const sample = async (place: Place, at: number, outcome: Outcome): Promise<Sample> => {
  const client = makeClient()
  const { text } = await client.ask(place.baseUrl, { method: "GET", path: "/metrics" })
  client.close()
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1])
  return {
    at,
    outcome,
    resident: metric("process_resident_memory_bytes"),
    heap: metric("nodejs_heap_used_bytes"),
    descriptors: descriptorsOf(place.server.pid)
  }
}

const COLUMNS = ["minutes", "tracked", "p50 ms", "p99 ms", "refused", "errors", "resident MB", "heap MB", "descriptors"]

/** A sample as a line below the others. */
export const lineOf = ({ at, outcome, resident, heap, descriptors }: Sample): string =>
  [
    digits(at / 60, 1),
    digits(outcome.requests),
    digits(outcome.p50, 1),
    digits(outcome.p99, 1),
    digits(outcome.refused),
    digits(Object.values(outcome.errors).reduce((sum, count) => sum + count, 0)),
    megabytes(resident),
    megabytes(heap),
    digits(descriptors)
  ]
    .map((cell, column) => cell.padStart(COLUMNS[column]!.length))
    .join("  ")

/** The most that memory may grow in half an hour, as a share of its size, by the slope of the second half. */
const MAX_GROWTH = 0.1
const HALF_AN_HOUR = 30 * 60

/** The shortest second half that judges memory, in seconds: collecting garbage goes up and down. */
const MIN_SPAN = 4 * 60

/** How many more descriptors there may be at the end than in the middle. */
const MAX_DESCRIPTORS = 8

/** The slope of the line that fits some points best. */
export const slopeOf = (points: ReadonlyArray<readonly [x: number, y: number]>): number => {
  const mean = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))]
  const above = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0)
  const below = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  return below === 0 ? 0 : above / below
}

/** What is wrong with the samples. Memory and descriptors are judged by the second half: in the first the server warms up. */
export const faultsOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<string> => {
  const half = samples.slice(Math.floor(samples.length / 2))
  const faults: Array<string> = []
  const [first, last] = [half[0]!, half.at(-1)!]
  const growth = (slopeOf(half.map(({ at, resident }) => [at, resident])) * HALF_AN_HOUR) / last.resident
  if (last.at - first.at >= MIN_SPAN && growth > MAX_GROWTH) {
    faults.push(`memory grows by ${(100 * growth).toFixed(1)} % in half an hour`)
  }
  const more = last.descriptors - first.descriptors
  if (more > MAX_DESCRIPTORS) faults.push(`${more} descriptors more at the end than in the middle`)
  const wrong = new Map<string, number>()
  for (const { outcome } of samples) {
    const { refused, unsent, errors } = outcome
    for (const [what, count] of Object.entries({ ...errors, refused, "never sent": unsent })) {
      if (count > 0) wrong.set(what, (wrong.get(what) ?? 0) + count)
    }
  }
  return [...faults, ...[...wrong].map(([what, count]) => `${count} times ${what}`)]
}

/** Loads a server for a long time. Returns the samples, and everything that is wrong. */
export const soak = Effect.fnUntraced(function* (wanted: Soak, say: (line: string) => void) {
  const place = yield* makePlace()
  const generate = yield* startLoad
  const { host, port, organizationId, tokens } = place
  const acknowledged = { entrances: 0, exits: 0 }
  const run = Effect.fnUntraced(function* (connections: number, seconds: number, perSecond?: number) {
    const work = { organizationId, tokens }
    const outcome = yield* generate({
      host,
      port,
      connections,
      seconds,
      work: perSecond === undefined ? { _tag: "Pairs", ...work } : { _tag: "Arrivals", perSecond, ...work }
    })
    acknowledged.entrances += outcome.entrances
    acknowledged.exits += outcome.exits
    return outcome
  })
  let { perSecond } = wanted
  if (perSecond === undefined) {
    yield* run(64, MEASURED)
    const { requests, duration } = yield* Effect.flatMap(run(64, MEASURED), requireRight)
    perSecond = Math.max(1, Math.round((500 * requests) / duration))
  }
  say(`${perSecond} movements a second`)
  say(COLUMNS.join("  "))
  const samples: Array<Sample> = []
  const began = performance.now()
  for (let done = 0; done < wanted.seconds; done += wanted.every) {
    const outcome = yield* run(CONNECTIONS, Math.min(wanted.every, wanted.seconds - done), perSecond)
    const one = yield* Effect.promise(() => sample(place, (performance.now() - began) / 1000, outcome))
    samples.push(one)
    say(lineOf(one))
  }
  return { samples, acknowledged, faults: [...faultsOf(samples), ...(yield* lossesOf(place, acknowledged))] }
}, Effect.scoped)
