import type { Census } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { State } from "./State.ts"

export const makeCensus = (state: State): Census["Service"] => ({
  take: (most) =>
    Effect.sync(() => {
      const crowds = [...state.organizations].flatMap(([organizationId, { stays, places }]) => {
        const open = [...places.values()].reduce((sum, place) => sum + place.stays.open.size, stays.open.size)
        return open === 0 ? [] : [{ organizationId, open }]
      })
      crowds.sort((one, other) => other.open - one.open || (one.organizationId < other.organizationId ? -1 : 1))
      return {
        open: crowds.reduce((sum, crowd) => sum + crowd.open, 0),
        organizations: crowds.length,
        largest: crowds.slice(0, most)
      }
    })
})
