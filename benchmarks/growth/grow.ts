/** The course of `npm run growth`: a storage for each size, filled, then all measured beside each other. */
import type { Stores } from "@sojourn/core"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeCrowd } from "./Crowd.ts"
import { fill, tableSizes } from "./History.ts"
import { type Cost, measure } from "./measure.ts"
import { operationsOn } from "./operations.ts"
import { type PopulationSize, settle, settleOrganization } from "./Population.ts"
import { usageMeter } from "./Usage.ts"

/** What is grown and how it is measured. */
export interface Growth extends PopulationSize {
  /** How many closed stays there are when it is measured; measuring adds some. */
  readonly sizes: ReadonlyArray<number>
  /** How many people are inside, all organizations together: half of them anonymous. */
  readonly inside: number
  /** How many are inside one further organization. */
  readonly crowded: number
  /** How many rounds are counted. */
  readonly rounds: number
  /** How often a round does each movement. */
  readonly times: number
}

/** What everything cost with so many closed stays. */
export interface Measured {
  readonly closed: number
  readonly costs: ReadonlyArray<Cost>
  readonly tables: Effect.Success<typeof tableSizes>
}

/** The growth that the project measures itself by. */
export const USUAL: Growth = {
  sizes: [100_000, 1_000_000, 5_000_000],
  organizations: 50,
  placesEach: 5,
  peopleEach: 1000,
  inside: 2000,
  crowded: 5000,
  rounds: 12,
  times: 1000
}

type Say = (line: string) => void

/** Organizations, their people, and the crowd inside. */
const found = Effect.fnUntraced(function* (growth: Growth, say: Say) {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<{ readonly version: string; readonly fsync: string }>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync`
  say(`PostgreSQL ${server!.version}, fsync ${server!.fsync}: ${growth.organizations + 1} organizations`)
  const population = yield* settle(growth)
  const [crowded] = yield* settleOrganization("crowded", "anonymous", { placesEach: 0, peopleEach: 0 })
  const crowd = yield* makeCrowd(population)
  const many = { concurrency: 64, discard: true } as const
  yield* Effect.replicateEffect(crowd.enter("anonymous"), growth.inside / 2, many)
  yield* Effect.replicateEffect(crowd.enter("authenticated"), growth.inside / 2, many)
  yield* Effect.replicateEffect(crowd.enter("anonymous", crowded), growth.crowded, many)
  return { population, crowded: crowded!, crowd }
})

type Ground = Effect.Success<ReturnType<typeof found>>

/** Fills the history, and answers what can be measured on it. */
const filled = Effect.fnUntraced(function* (growth: Growth, size: number, ground: Ground, say: Say) {
  say(`${size} closed stays: filling`)
  yield* fill(ground.population, size)
  const operations = yield* operationsOn(ground.population, ground.crowded, ground.crowd, growth.times)
  return { closed: size, tables: yield* tableSizes, operations, usage: yield* usageMeter }
})

/**
 * Measures the sizes beside each other, each in a storage of its own: what else the machine does falls on all of them. `say`
 * is told what is under way.
 */
export const grow = Effect.fnUntraced(function* <E>(
  growth: Growth,
  storage: Layer.Layer<Stores | SqlClient.SqlClient, E>,
  say: Say
) {
  const sizes: Array<Effect.Success<ReturnType<typeof filled>>> = []
  for (const size of growth.sizes) {
    const context = yield* Layer.build(Layer.fresh(storage))
    const ground = yield* Effect.provideContext(found(growth, say), context)
    sizes.push(yield* Effect.provideContext(filled(growth, size, ground, say), context))
  }
  say("measuring")
  const costs = yield* measure(sizes, growth.rounds)
  return sizes.map(({ closed, tables }, index): Measured => ({ closed, tables, costs: costs[index]! }))
}, Effect.scoped)
