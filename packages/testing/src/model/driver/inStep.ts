/** Drives two services as one, so that a run compares them with each other as well as with the model. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Request } from "../commands.ts"
import type { Driver, StartDriver } from "../Driver.ts"
import { sameButForTies, sameJson, type Seen } from "../outcomes.ts"

/** Tokens are each service's own: the same one always answers where the other answers its own. */
const makePairs = () => {
  const pairs = new Map<string, string>()
  const partners = new Map<string, string>()
  return (one: string, other: string): boolean => {
    if (!pairs.has(one) && !partners.has(other)) {
      pairs.set(one, other)
      partners.set(other, one)
    }
    return pairs.get(one) === other && partners.get(other) === one
  }
}

const nameOf = (seen: Seen) => ("name" in seen ? seen.name : seen.status)

/** Accesses of one entrance are listed by their ids, which are each service's own: they come in any order. */
const tiesOf = ({ _tag }: Request, { value }: Seen): ReadonlyArray<string> | undefined =>
  (_tag === "ReadAccessesByToken" || _tag === "ReadAccessesOfPeople") && Array.isArray(value)
    ? value.map(({ entrance }) => String(entrance))
    : undefined

/**
 * Two services in step: each request is asked of both, one request after the other, and answered as the first does; where
 * the second answers anything else, the answer is a name that tells both, which no model expects. Requests at one moment
 * follow each other in one order on both.
 */
export const inStep = (first: StartDriver, second: StartDriver): StartDriver =>
  Effect.gen(function* () {
    const one = yield* first
    const other = yield* second
    const turns = yield* Semaphore.make(1)
    const arePartners = makePairs()
    const perform: Driver["perform"] = (request) =>
      Semaphore.withPermit(
        turns,
        Effect.gen(function* () {
          const seen = yield* one.perform(request)
          const answered = yield* other.perform(request)
          const ties = tiesOf(request, seen)
          const isSame =
            nameOf(seen) === nameOf(answered) &&
            (ties === undefined
              ? sameJson(seen.value, answered.value) &&
                seen.tokens.length === answered.tokens.length &&
                seen.tokens.every((token, index) => arePartners(token, answered.tokens[index] ?? ""))
              : sameButForTies(ties, seen, answered, arePartners))
          return isSame ? seen : { name: `differs: ${JSON.stringify([seen, answered])}`, tokens: [] }
        })
      )
    return {
      wire: one.wire,
      feed: one.feed && other.feed,
      perform,
      advance: (milliseconds) => Effect.andThen(one.advance(milliseconds), other.advance(milliseconds)),
      sweep: Effect.andThen(one.sweep, other.sweep)
    }
  })
