/** The feeds of all cells. */
import { PresenceFeed } from "@sojourn/core"
import { Effect, Option, Stream } from "effect"
import { ask, askHolders, byBigInt, type Cells, takeInTurn } from "./Cells.ts"

export const makePresenceFeed = (cells: Cells): PresenceFeed["Service"] => {
  const stores = cells.ports(PresenceFeed)
  const { all } = stores
  return {
    publish: (now) =>
      Effect.map(
        ask(all, (store) => store.publish(now)),
        (published) => {
          const moments = published.flatMap(({ nextAt }) => Option.toArray(nextAt)).sort((one, other) => one - other)
          return {
            organizations: published.flatMap(({ organizations }) => organizations),
            nextAt: Option.fromUndefinedOr(moments[0])
          }
        }
      ),
    appended: Effect.raceAll(all.map(({ appended }) => appended)),
    notifications: Stream.mergeAll(
      all.map(({ notifications }) => notifications),
      { concurrency: "unbounded" }
    ),
    snapshots: (organizationIds) =>
      Effect.map(
        Effect.forEach(Map.groupBy(organizationIds, stores.at), ([store, own]) => store.snapshots(own), {
          concurrency: "unbounded"
        }),
        (found) => found.flat().sort(byBigInt(({ organizationId }) => organizationId))
      ),
    eventsAfter: (positions, most) =>
      askHolders(
        stores,
        positions,
        ({ organizationId }) => organizationId,
        (store, own) => store.eventsAfter(own, most)
      ),
    // Where one cell was restored, its versions may mean other events.
    generation: Effect.map(
      ask(all, ({ generation }) => generation),
      (generations) => generations.join("+")
    ),
    forget: (before, most) => takeInTurn(all, most, (store, rest) => store.forget(before, rest))
  }
}
