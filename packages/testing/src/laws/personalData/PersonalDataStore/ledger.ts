/** Laws of the ledger of erasures: it says by how much totals became smaller. */
import { OrganizationId, PersonSubject, UserSubject, wholeSeconds } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import { anOrganization, aUserLinkedTo, deleted, enter, aPerson, timesIn } from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { aResident, aTown, entry, erase, ledgerOf, type Town } from "./residents.ts"

/** The sum of the report of a town's place. */
const reported = ({ place, ground }: Town) =>
  Effect.map(timesIn(place.id, ground), (people) =>
    people.reduce((sum, { milliseconds }) => sum + wholeSeconds(milliseconds), 0)
  )

export const ledgerLaws: Laws = (it) => {
  it.effect("the ledger says by how much erasures lowered the totals of a day, all people together", () =>
    Effect.gen(function* () {
      const town = yield* aTown
      const { id } = town.ground.organization
      same(yield* ledgerOf(id), [])
      const residents = yield* Effect.all(times(3, () => aResident(town)))
      const before = yield* reported(town)
      yield* erase(UserSubject(residents[0]!.user))
      yield* erase(PersonSubject(id, residents[1]!.person), after(NOW, 3_600_000))
      const lost = before - (yield* reported(town))
      assert.strictEqual(lost, 242)
      const today = entry(id, { people: 2, accesses: 8, openStays: 4, totalTime: lost })
      same(yield* ledgerOf(id), [today])
      yield* erase(UserSubject(residents[2]!.user), after(NOW, 86_400_000))
      const tomorrow = entry(id, { day: "2026-03-02", accesses: 4, openStays: 2, totalTime: 121 })
      same(yield* ledgerOf(id), [today, tomorrow])
    })
  )

  it.effect("an erasure is entered where it took anything that is counted, once, and nowhere else", () =>
    Effect.gen(function* () {
      const [town, other] = [yield* aTown, yield* aTown]
      const { id } = town.ground.organization
      const [idle, inside] = [aPerson(), aPerson()]
      const user = yield* aUserLinkedTo(id, idle)
      yield* erase(UserSubject(user))
      same(yield* ledgerOf(id), [])
      const visitor = yield* aUserLinkedTo(id, inside)
      yield* enter(town.inPlace, { by: visitor })
      yield* aUserLinkedTo(other.ground.organization.id, aPerson(), visitor)
      yield* erase(UserSubject(visitor))
      yield* erase(UserSubject(visitor))
      yield* erase(PersonSubject(id, inside))
      same(yield* ledgerOf(id), [entry(id, { openStays: 1 })])
      same(yield* ledgerOf(other.ground.organization.id), [])
    })
  )

  it.effect("the ledger of an organization ends with it, and there is none where there is no organization", () =>
    Effect.gen(function* () {
      const town = yield* aTown
      yield* erase(UserSubject((yield* aResident(town)).user))
      yield* deleted(town.ground)
      yield* refused(ledgerOf(town.ground.organization.id), "OrganizationNotFound")
      yield* refused(ledgerOf(OrganizationId.make(9223372036854775807n)), "OrganizationNotFound")
      same(yield* ledgerOf((yield* anOrganization()).organization.id), [])
    })
  )
}
