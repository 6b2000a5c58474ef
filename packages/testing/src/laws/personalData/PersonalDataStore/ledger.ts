/** Laws of the ledger of erasures: it says by how much totals became smaller. */
import { PersonSubject, UserSubject, wholeSeconds } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aUserLinkedTo,
  deleteOrganization,
  enter,
  aPerson,
  timesIn,
  NO_ORGANIZATION
} from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import {
  aKnownPerson,
  anOrganizationWithPlace,
  entry,
  erase,
  ledgerOf,
  type OrganizationWithPlace
} from "./fixtures.ts"

/** The sum of the report of a town's place. */
const reported = ({ place, fixture }: OrganizationWithPlace) =>
  Effect.map(timesIn(place.id, fixture), (people) =>
    people.reduce((sum, { milliseconds }) => sum + wholeSeconds(milliseconds), 0)
  )

export const ledgerLaws: Laws = (law) => {
  law("the ledger says by how much erasures lowered the totals of a day, all people together", function* () {
    const site = yield* anOrganizationWithPlace
    const { id } = site.fixture.organization
    same(yield* ledgerOf(id), [])
    const people = yield* Effect.all(times(3, () => aKnownPerson(site)))
    const before = yield* reported(site)
    yield* erase(UserSubject(people[0]!.user))
    yield* erase(PersonSubject(id, people[1]!.person), after(NOW, 3_600_000))
    const lost = before - (yield* reported(site))
    assert.strictEqual(lost, 242)
    const today = entry(id, { people: 2, accesses: 8, openStays: 4, totalTime: lost })
    same(yield* ledgerOf(id), [today])
    yield* erase(UserSubject(people[2]!.user), after(NOW, 86_400_000))
    const tomorrow = entry(id, { day: "2026-03-02", accesses: 4, openStays: 2, totalTime: 121 })
    same(yield* ledgerOf(id), [today, tomorrow])
  })

  law("an erasure is entered where it took anything that is counted, once, and nowhere else", function* () {
    const [site, other] = [yield* anOrganizationWithPlace, yield* anOrganizationWithPlace]
    const { id } = site.fixture.organization
    const [idle, inside] = [aPerson(), aPerson()]
    const user = yield* aUserLinkedTo(id, idle)
    yield* erase(UserSubject(user))
    same(yield* ledgerOf(id), [])
    const visitor = yield* aUserLinkedTo(id, inside)
    yield* enter(site.inPlace, { by: visitor })
    yield* aUserLinkedTo(other.fixture.id, aPerson(), visitor)
    yield* erase(UserSubject(visitor))
    yield* erase(UserSubject(visitor))
    yield* erase(PersonSubject(id, inside))
    same(yield* ledgerOf(id), [entry(id, { openStays: 1 })])
    same(yield* ledgerOf(other.fixture.id), [])
  })

  law("the ledger of an organization ends with it, and there is none where there is no organization", function* () {
    const site = yield* anOrganizationWithPlace
    yield* erase(UserSubject((yield* aKnownPerson(site)).user))
    yield* deleteOrganization(site.fixture)
    yield* refused(ledgerOf(site.fixture.id), "OrganizationNotFound")
    yield* refused(ledgerOf(NO_ORGANIZATION), "OrganizationNotFound")
    same(yield* ledgerOf((yield* anOrganization()).organization.id), [])
  })
}
