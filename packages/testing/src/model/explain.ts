/** Searches an order of the requests of one moment in which the model gives the answers of the service. */
import type { Request } from "./commands.ts"
import { agrees, type Seen } from "./outcomes.ts"
import { run } from "./rules/run.ts"
import { statusOf } from "./statuses.ts"
import { copyOf, type World } from "./World.ts"

/** A request and what it was answered. */
export interface Exchange {
  readonly request: Request
  readonly seen: Seen
}

/** How many courses of the world are tried before requests at one moment are called inexplicable. */
const MOST_COURSES = 20_000

/** The world after a request that was answered as it was to be; nothing when it was not. */
const follow = (world: World, { request, seen }: Exchange): World | undefined => {
  const next = copyOf(world)
  const expected = run(next, request)
  return agrees(next, expected, seen, (name) => statusOf(request._tag, name)) ? next : undefined
}

/**
 * The world after requests at one moment, when there is an order in which each was answered as it was to be, and what was
 * asked `afterwards`, one by one, as well: what the service did is then as if they had come one after the other
 * (linearizable). Nothing when there is none.
 */
export const explain = (
  world: World,
  exchanges: ReadonlyArray<Exchange>,
  afterwards: ReadonlyArray<Exchange> = []
): World | undefined => {
  let courses = 0
  const search = (from: World, open: ReadonlyArray<Exchange>): World | undefined => {
    if (open.length === 0) {
      let end: World | undefined = from
      for (const exchange of afterwards) end = end && follow(end, exchange)
      return end
    }
    for (const exchange of open) {
      if (++courses > MOST_COURSES) return undefined
      const next = follow(from, exchange)
      const rest = open.filter((other) => other !== exchange)
      const end = next && search(next, rest)
      if (end !== undefined) return end
    }
    return undefined
  }
  return search(world, exchanges)
}
