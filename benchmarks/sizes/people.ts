import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeCrowd } from "../growth/Crowd.ts"
import { type Population, settleOrganization, type Site } from "../growth/Population.ts"
import type { Aspect } from "./Aspect.ts"
import { counter, movements, settled, yardstick } from "./operations.ts"

/** How many are made to enter by one statement. */
const BATCH = 100_000

/** Makes so many more people be inside, who stay there. */
const crowdInto = Effect.fnUntraced(function* ({ organizationId, mode }: Site, size: number) {
  const sql = yield* SqlClient.SqlClient
  for (let made = 0; made < size; made += BATCH) {
    yield* sql`
      insert into open_stay (organization_id, place_id, person, key_id, entered_at, recorded_at)
      select ${organizationId}::bigint, 0, case when ${mode}::text = 'authenticated' then 'staying-' || nth end, 0, now(), now()
      from generate_series(${made + 1}::int, ${Math.min(size, made + BATCH)}::int) as nth`
  }
})

/** People inside one organization, and as many inside another one that knows them. */
export const people: Aspect = {
  name: "people",
  unit: "people inside",
  usual: [1_000, 10_000, 100_000, 1_000_000],
  prepare: Effect.fnUntraced(function* (size, times) {
    const population: Population = {
      anonymous: yield* settleOrganization("square", "anonymous", { placesEach: 0, peopleEach: 0 }),
      authenticated: yield* settleOrganization("company", "authenticated", { placesEach: 0, peopleEach: 4 * times })
    }
    const sites = [...population.anonymous, ...population.authenticated]
    const crowd = yield* makeCrowd(population)
    for (const site of sites) yield* crowdInto(site, size)
    for (const mode of ["anonymous", "authenticated"] as const)
      yield* Effect.replicateEffect(crowd.enter(mode), times, { concurrency: 16, discard: true })
    yield* settled
    return [
      ...movements(crowd, ["anonymous", "authenticated"], times),
      yield* counter(sites, Math.max(1, Math.round(times / 50))),
      yield* yardstick(times)
    ]
  })
}
