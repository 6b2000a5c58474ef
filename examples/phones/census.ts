/** What the server knows of the city in the end, beside how the people's day was. */
import type { Tracker, TrackerAccess } from "@sojourn/tracker"
import { Effect } from "effect"
import type { City, Client, Visit } from "./city.ts"

/** A phone, and what its owner did. */
export interface Lived {
  readonly tracker: Tracker
  readonly day: ReadonlyArray<Visit>
}

const median = (values: ReadonlyArray<number>) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

const minutes = ({ entranceTimestamp, exitTimestamp }: TrackerAccess) =>
  Math.round((Date.parse(exitTimestamp) - Date.parse(entranceTimestamp)) / 60_000)

/** Counts each place as the server has it, prints that as a table, and answers what differs from how it was. */
export const takeCensus = Effect.fnUntraced(function* (
  client: Client,
  { places, asMayor }: City,
  lived: ReadonlyArray<Lived>
) {
  const wrong: Array<string> = []
  const rows = yield* Effect.forEach(places, ({ id: placeId, name }) =>
    Effect.gen(function* () {
      const here = lived.flatMap(({ day }) => day.filter(({ place }) => place.id === placeId))
      const { counter } = yield* asMayor(client.presence.placeCounter({ params: { placeId } }))
      // Each phone reads its own stays, by the tokens that it alone has.
      const lists = yield* Effect.forEach(
        lived,
        ({ tracker }) =>
          Effect.retry(
            Effect.tryPromise(() => tracker.accesses({ placeId: Number(placeId) })),
            { times: 12 }
          ),
        { concurrency: 16 }
      )
      const accesses = lists.flat()

      const left = here.filter(({ exit }) => exit !== undefined).length
      if (counter !== here.length - left) wrong.push(`${name}: ${counter} are inside, and not ${here.length - left}`)
      if (accesses.length !== left) wrong.push(`${name}: ${accesses.length} accesses, and not ${left}`)
      const stay = `${median(accesses.map(minutes))} min`
      return [name, { entered: here.length, inside: counter, "median stay": stay }] as const
    })
  )
  console.table(Object.fromEntries(rows))
  return wrong
})
