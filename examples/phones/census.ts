/** What the server knows of the city in the end, beside what the phones know. */
import type { Timestamp } from "@sojourn/core"
import { Array, Effect } from "effect"
import type { City, Client } from "./city.ts"
import type { Reported } from "./phone.ts"

/** As many tokens as a path may hold. */
const AT_ONCE = 100

const median = (values: ReadonlyArray<number>) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

const minutes = (stay: { readonly entranceTimestamp: Timestamp; readonly exitTimestamp: Timestamp }) =>
  Math.round((stay.exitTimestamp - stay.entranceTimestamp) / 60_000)

/** Counts each place as the server has it, prints that as a table, and answers what differs from what the phones know. */
export const takeCensus = Effect.fnUntraced(function* (
  client: Client,
  { places, asMayor }: City,
  reported: ReadonlyArray<Reported>
) {
  const wrong: Array<string> = []
  const rows = yield* Effect.forEach(places, ({ id: placeId, name = "" }) =>
    Effect.gen(function* () {
      const here = reported.filter(({ place }) => place.id === placeId)
      const { counter } = yield* asMayor(client.presence.placeCounter({ params: { placeId } }))
      const lists = yield* Effect.forEach(Array.chunksOf(here, AT_ONCE), (some) =>
        client.access.placeAnonymous({ params: { placeId, exitTokens: some.map(({ exitToken }) => exitToken).join() } })
      )
      const accesses = lists.flatMap((list) => list ?? [])

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
