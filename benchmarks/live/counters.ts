/** The scene `counters`: how much more a counter costs with 1,000,000 people inside than with 1,000. */
import { Effect } from "effect"
import { makeClient } from "../../packages/server/test/faults/asking.ts"
import { connectTo, makePlace, type Place } from "../arrivals/Place.ts"
import { LoadFailed } from "../load/Load.ts"
import { median } from "../shared/median.ts"

/** How many people are inside, for each measurement. */
const CROWDS = [1_000, 1_000_000]

/** How many counters are read in turns. */
const READINGS = 500

/** Adds open stays to an organization, and records them for its feed. */
const addOpenStays = Effect.fnUntraced(function* (place: Place, people: number) {
  const sql = yield* connectTo(place)
  yield* sql`
    with opened as (
      insert into open_stay (organization_id, place_id, id, key_id, entered_at, recorded_at)
      select ${place.organizationId}::bigint, 0, nextval('stay_id'), 0, now(), now() from generate_series(1, ${people}::int)
      returning organization_id, place_id
    )
    insert into presence_delta (organization_id, place_id, entered, at)
    select organization_id, place_id, count(*), now() from opened group by organization_id, place_id`
}, Effect.scoped)

/** Reads a counter over and over; answers the median time in milliseconds, and the last number of people. */
const readCounter = async ({ baseUrl, organizationId, owner }: Place) => {
  const client = makeClient()
  const times: Array<number> = []
  let counter = 0
  for (let nth = 0; nth < READINGS; nth++) {
    const began = performance.now()
    const path = `/presence/organization/${organizationId}/counter`
    const { status, text } = await client.ask(baseUrl, { method: "GET", path, token: owner })
    times.push(performance.now() - began)
    if (status !== 200) throw new LoadFailed({ reason: `a counter was answered with ${status}` })
    counter = (JSON.parse(text) as { readonly counter: number }).counter
  }
  client.close()
  return { median: median(times), counter }
}

/** Measures a counter with few and with many people inside, each on a server of its own, and says how many times as long it takes. */
export const counters = Effect.gen(function* () {
  const read = yield* Effect.forEach(CROWDS, (people) =>
    Effect.gen(function* () {
      const place = yield* makePlace(["--storage", "embedded", "--request-log", "off"])
      yield* addOpenStays(place, people)
      const { counter, ...times } = yield* Effect.promise(() => readCounter(place))
      if (counter !== people) return yield* new LoadFailed({ reason: `${counter} are counted of ${people} inside` })
      return { people, ...times }
    }).pipe(Effect.scoped)
  )
  const lines = read.map(({ people, median }) => `${people.toLocaleString("en")} inside: ${median.toFixed(2)} ms`)
  const [few, many] = [read[0]!, read.at(-1)!]
  return `${lines.join(", ")} for a counter: ${(many.median / few.median).toFixed(2)} times as long`
})
