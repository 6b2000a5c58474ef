/** Bounds on images: each waits in memory until it was stored, or until its client has read it. */
import { type AnyCaller, nameOfCaller } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { PROBLEM_URIS } from "../api/shared/problems.ts"
import { ServiceUnavailable } from "../api/shared/refusals.ts"
import { CurrentRequest } from "./failure.ts"
import { countOverload } from "./overload.ts"

/** How many images of a caller, and of all, are underway at once. Each has a megabyte at most. */
const MOST_OF_CALLER = 8
const MOST = 64

const tooMany = () => {
  countOverload("images")
  return new ServiceUnavailable({
    type: PROBLEM_URIS.ServerUnavailable,
    detail: "There are too many images underway: try again later."
  })
}

/** Makes what bounds the images of one direction: it takes room for one until the current request is closed, or answers 503. */
export const makeImageBounds = () => {
  const byCaller = new Map<string, number>()
  let all = 0
  return (caller: AnyCaller): Effect.Effect<void, ServiceUnavailable> =>
    Effect.withFiber((fiber) => {
      const request = fiber.getRef(CurrentRequest)
      if (request === undefined) return Effect.void
      const name = nameOfCaller(caller)
      const own = byCaller.get(name) ?? 0
      if (own >= MOST_OF_CALLER || all >= MOST) return Effect.fail(tooMany())
      byCaller.set(name, own + 1)
      all++
      request.closed = () => {
        all--
        const rest = byCaller.get(name)! - 1
        if (rest === 0) byCaller.delete(name)
        else byCaller.set(name, rest)
      }
      return Effect.void
    })
}
