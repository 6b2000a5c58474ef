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
  /** Does it once, and returns how many rows it answered. */
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
  const few = Math.max(1, Math.round(times / 5))
  const operation = (
    name: string,
    promise: Operation["promise"],
    times: number,
    once: () => Effect.Effect<unknown, unknown>
  ): Operation => ({
    name,
    times,
    promise,
    once: Effect.map(Effect.suspend(once), (answer) => (Array.isArray(answer) ? answer.length : 1))
  })
  const count = ({ owner, premises }: Site) => log.countOpen(owner, premises)

  // Movements in this order keep the crowd as it is.
  return [
    operation("entrance, anonymous", "flat", times, () => crowd.enter("anonymous")),
    operation("entrance, authenticated", "flat", times, () => crowd.enter("authenticated")),
    operation("exit, anonymous", "flat", times, () => crowd.leave("anonymous")),
    operation("exit, authenticated", "drawn", times, () => crowd.leave("authenticated")),
    operation("counter", "flat", times, () => count(drawFrom(everywhere))),
    operation("counter of a crowd", "flat", few, () => count(crowded)),
    operation(`access list, ${LISTED} tokens`, "answer", few, () => {
      const { site, ids } = drawFrom(held)
      const listed = Array.from({ length: LISTED }, () => drawFrom(ids))
      return log.closedByIds(site.organizationId, site.premises, listed)
    }),
    operation("access list, a person", "answer", few, () => {
      const site = drawFrom(population.authenticated)
      return log.closedByPeople(site.owner, site.premises, [drawFrom(site.people).orgAuthServerId])
    }),
    operation("report of a place", "answer", Math.max(1, Math.round(times / 50)), () => {
      const { owner, placeId } = drawFrom(places)
      return placeId === 0n ? Effect.succeed([]) : log.timePerPerson(owner, placeId)
    }),
    operation("the link of a user", "yardstick", times, () => {
      const site = drawFrom(population.authenticated)
      return links.tie(site.premises, drawFrom(site.people).userId)
    })
  ]
})
