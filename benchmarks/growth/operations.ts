/** The operations that are measured, each with what it promises about its cost. */
import { AccountLinkStore, StayLog } from "@sojourn/core"
import { Effect } from "effect"
import type { Crowd } from "./Crowd.ts"
import { someClosedAt } from "./History.ts"
import { drawFrom, type Population, type Site } from "./Population.ts"

/** Something that people do all day, to be done many times. */
export interface Operation {
  readonly name: string
  /** How often a round does it. */
  readonly times: number
  /**
   * - `flat`: costs the same whatever the history, or the run fails.
   * - `drawn`: the same, and a random page of an index, which is logged as a whole when it first changes after a
   *   checkpoint: with a long history nearly every time.
   * - `yardstick`: reads nothing that grows; what its cost changes by is the machine's doing.
   * - `answer`: costs what it answers.
   */
  readonly promise: "flat" | "drawn" | "yardstick" | "answer"
  /** Does it once, and tells how many rows it answered. */
  readonly once: Effect.Effect<number, unknown>
}

/** How many ids an access list asks for. */
const LISTED = 50

/** How many sites hold the stays that access lists ask for. */
const LISTED_SITES = 20

/** The operations at the present size of the history; `times` is how often a round does a movement. */
export const operationsOn = Effect.fnUntraced(function* (
  population: Population,
  crowded: Site,
  crowd: Crowd,
  times: number
) {
  const log = yield* StayLog
  const links = yield* AccountLinkStore
  const held = yield* Effect.forEach(population.anonymous.slice(-LISTED_SITES), (site) =>
    Effect.map(someClosedAt(site, 40 * LISTED), (ids) => ({ site, ids }))
  )
  const places = population.authenticated.filter(({ placeId }) => placeId !== 0n)
  const everywhere = [...population.anonymous, ...population.authenticated]
  const fewer = Math.max(1, Math.round(times / 5))
  const one = Effect.as(1)

  const movement = (
    name: string,
    once: Effect.Effect<void, unknown>,
    promise: Operation["promise"] = "flat"
  ): Operation => ({
    name,
    times,
    promise,
    once: one(once)
  })

  const counter = (name: string, draw: () => Site): Operation => ({
    name,
    times: name === "counter" ? times : fewer,
    promise: "flat",
    once: Effect.suspend(() => {
      const site = draw()
      return log.countOpen(site.owner, site.premises)
    }).pipe(one)
  })

  // Movements in this order keep the crowd as it is.
  const operations: ReadonlyArray<Operation> = [
    movement(
      "entrance, anonymous",
      Effect.suspend(() => crowd.enter("anonymous"))
    ),
    movement(
      "entrance, authenticated",
      Effect.suspend(() => crowd.enter("authenticated"))
    ),
    movement(
      "exit, anonymous",
      Effect.suspend(() => crowd.leave("anonymous"))
    ),
    movement(
      "exit, authenticated",
      Effect.suspend(() => crowd.leave("authenticated")),
      "drawn"
    ),
    counter("counter", () => drawFrom(everywhere)),
    counter("counter of a crowd", () => crowded),
    {
      name: `access list, ${LISTED} tokens`,
      times: fewer,
      promise: "answer",
      once: Effect.suspend(() => {
        const { site, ids } = drawFrom(held)
        const listed = Array.from({ length: LISTED }, () => drawFrom(ids))
        return log.closedByIds(site.organizationId, site.premises, listed)
      }).pipe(Effect.map((stays) => stays.length))
    },
    {
      name: "access list, a person",
      times: fewer,
      promise: "answer",
      once: Effect.suspend(() => {
        const site = drawFrom(population.authenticated)
        return log.closedByPeople(site.owner, site.premises, [drawFrom(site.people).orgAuthServerId])
      }).pipe(Effect.map((stays) => stays.length))
    },
    {
      name: "report of a place",
      times: Math.max(1, Math.round(times / 50)),
      promise: "answer",
      once: Effect.suspend(() => {
        const site = drawFrom(places)
        return site.placeId === 0n ? Effect.succeed([]) : log.timePerPerson(site.owner, site.placeId)
      }).pipe(Effect.map((people) => people.length))
    },
    {
      name: "the link of a user",
      times,
      promise: "yardstick",
      once: Effect.suspend(() => {
        const site = drawFrom(population.authenticated)
        return links.tie(site.premises, drawFrom(site.people).userId)
      }).pipe(one)
    }
  ]
  return operations
})
