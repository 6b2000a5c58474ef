/** Laws of `PersonalDataStore` on exports beside movements of their person. */
import { PersonSubject, PlacePremises, type Premises, type StayId, UserSubject } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { aPlace, aPerson, aUserLinkedTo, enter, leave } from "../../shared/fixtures.ts"
import { concurrently, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { collect } from "../../shared/personalData.ts"

export const collectingLaws: Laws = (it) => {
  it("data is collected as of one moment: a stay that ends meanwhile is open or closed, and none is left out", function* (fixture) {
    const { id } = fixture
    const person = aPerson()
    const by = yield* aUserLinkedTo(id, person)
    const places = yield* Effect.all(times(6, () => aPlace(fixture)))
    /** The stays of each place in the order of their entrances. */
    const staysOf = places.map((): Array<StayId> => [])
    const walks = { open: places.length }
    const walkers = places.map((place, n) =>
      Effect.gen(function* () {
        const premises: Premises = PlacePremises(place.id)
        for (let walk = 0; walk < 20; walk++) {
          const stay = yield* enter(premises, { by })
          staysOf[n]!.push(stay.id)
          yield* Effect.yieldNow
          yield* leave(stay, { by })
        }
      }).pipe(Effect.ensuring(Effect.sync(() => walks.open--)))
    )
    let collected = 0
    const collecting = (subject: UserSubject | PersonSubject) =>
      Effect.gen(function* () {
        while (walks.open > 0) {
          const { accesses, openStays } = yield* collect(subject)
          for (const [n, place] of places.entries()) {
            const ids = [...accesses, ...openStays]
              .filter(({ premises }) => premises._tag === "PlacePremises" && premises.placeId === place.id)
              .map((stay) => stay.id)
              .sort((one, other) => Number(one - other))
            // The answer to the last entrance may come after it was collected.
            const known = staysOf[n]!.slice(0, ids.length)
            same(ids.slice(0, known.length), known)
            assert.isAtMost(ids.length, known.length + 1)
          }
          collected++
          yield* Effect.yieldNow
        }
      })
    const collections = times(4, (n) => collecting(n % 2 === 0 ? UserSubject(by) : PersonSubject(id, person)))
    yield* concurrently([...walkers, ...collections])
    assert.isAbove(collected, 4)
  })
}
