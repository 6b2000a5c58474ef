/** The visits of a phone as they are: to an organization, and to its west and its east place. */
import type { Insist } from "./tabs.ts"
import type { World } from "./world.ts"

/** An entrance or an exit happened between these times. */
export type During = readonly [from: number, to: number]

/** A visit as it was. */
export interface TrueVisit {
  readonly entrance: During
  exit: During | undefined
}

export type Premises = { readonly organizationId: number } | { readonly placeId: number }

/** Where a phone is: outside, in the organization alone, in its west place or in its east one. */
const isInside = (place: number, where: number) => (place === 0 ? where > 0 : where === place + 1)

export const makeVisits = (world: World, premises: ReadonlyArray<Premises>) => {
  const truth: ReadonlyArray<Array<TrueVisit>> = premises.map(() => [])

  /** The premises that are entered and left: inner before outer to leave, outer before inner to enter. */
  const changes = (where: number, before: number) =>
    premises
      .flatMap((one, place) => {
        const [is, was] = [isInside(place, where), isInside(place, before)]
        return is === was ? [] : [{ one, place, is }]
      })
      .sort((a, b) => Number(a.is) - Number(b.is) || (a.is ? a.place - b.place : b.place - a.place))

  const add = (place: number, is: boolean, during: During) => {
    if (is) truth[place]!.push({ entrance: during, exit: undefined })
    else truth[place]!.at(-1)!.exit = during
  }

  return {
    truth,
    /** The user enters and leaves by hand, until a tracker has recorded it. */
    byHand: async (insist: Insist, where: number, before: number) => {
      for (const { one, place, is } of changes(where, before)) {
        const begun = world.now()
        await insist((tracker) => (is ? tracker.enter(one) : tracker.leave(one)))
        add(place, is, [begun, world.now()])
      }
    },
    /** The phone moves, and its positions show that some time between these. */
    byPosition: (where: number, before: number, during: During) => {
      for (const { place, is } of changes(where, before)) add(place, is, during)
    }
  }
}
