/** The verdict and the table of an overload run. */
import { availableParallelism } from "node:os"
import { lossesOf } from "../arrivals/Place.ts"
import { markdown } from "../shared/markdown.ts"
import type { Overloaded, Tried } from "./overload.ts"

/** How much of the capacity has to be left when too much arrives. */
const LEAST_SHARE = 0.8

/** The longest time to a rejection, in milliseconds, for 99 of 100. */
const LONGEST_REFUSAL = 100

const rateOf = ({ received }: Tried, count: number) => (1000 * count) / received.duration

const one = (value: number) => value.toFixed(1)
const whole = (value: number) => Math.round(value).toLocaleString("en")

/** What happened otherwise than it may, and how often. */
export const faultsOf = (overloaded: Overloaded): ReadonlyArray<string> => [
  ...overloaded.tried.flatMap(({ times, received, probed, watched }) => [
    ...Object.entries(received.errors).map(([what, count]) => `at ${times} times the capacity ${count} times ${what}`),
    ...(probed.missed + watched.missed > 0
      ? [`at ${times} times the capacity ${probed.missed + watched.missed} probes were not answered`]
      : [])
  ]),
  ...lossesOf(overloaded)
]

/** Judges the server at one rate: it answers enough, and rejects quickly. */
const verdictOf = (tried: Tried, capacity: number) => {
  const wanted = Math.min(capacity, tried.perSecond)
  const share = rateOf(tried, tried.received.tracked.count) / wanted
  const isQuick = tried.received.refused.count === 0 || tried.received.refused.p99 <= LONGEST_REFUSAL
  return share >= LEAST_SHARE && isQuick ? "yes" : "no"
}

/** Everything as a table. */
export const report = (overloaded: Overloaded): string => {
  const { capacity, tried } = overloaded
  const rows = tried.map((one_) => {
    const { times, perSecond, received, probed, watched } = one_
    const { tracked, refused } = received
    return [
      `${times} x`,
      whole(perSecond),
      whole(rateOf(one_, tracked.count)),
      (rateOf(one_, tracked.count) / capacity).toFixed(2),
      one(tracked.p50),
      one(tracked.p99),
      whole(rateOf(one_, refused.count)),
      one(refused.p50),
      one(refused.p99),
      (received.waited / received.due).toFixed(2),
      (received.unsent / received.due).toFixed(2),
      one(probed.longest),
      one(watched.longest),
      (received.processor / received.duration).toFixed(2),
      verdictOf(one_, capacity)
    ]
  })
  const head = ["arrive", "due/s", "tracked/s", "of capacity", "p50 ms", "p99 ms", "refused/s", "p50 ms", "p99 ms"]
  return [
    `capacity: ${whole(capacity)} movements a second; ${availableParallelism()} cores for the load, the server and PostgreSQL`,
    markdown([
      [...head, "sent late", "never sent", "slowest probe ms", "on its own port", "cores of the load", "well"],
      ...rows
    ]),
    ...faultsOf(overloaded)
  ].join("\n\n")
}

/** Is everything as it has to be? */
export const isWell = (overloaded: Overloaded): boolean =>
  faultsOf(overloaded).length === 0 &&
  overloaded.tried.every((tried) => verdictOf(tried, overloaded.capacity) === "yes")
