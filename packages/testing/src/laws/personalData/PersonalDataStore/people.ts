/** Laws of `PersonalDataStore` for users and persons, and of the ledger of their erasures. */
import { assert } from "@effect/vitest"
import { ClosedStayOrder, NOTHING_STORED, PersonSubject, PlacePremises, UserSubject, wholeSeconds } from "@sojourn/core"
import { Effect } from "effect"
import { NOW, after } from "../../../arbitraries/times.ts"
import {
  NO_ORGANIZATION,
  aPerson,
  aPlace,
  aUserLinkedTo,
  anOrganization,
  closedBy,
  closedOf,
  countIn,
  deleteOrganization,
  enter,
  favoritesOf,
  leave,
  someUser,
  timesIn,
  aLinkedPerson
} from "../../shared/fixtures.ts"
import { concurrently, refused, same, times } from "../../shared/outcome.ts"
import {
  type OrganizationWithPlace,
  aKnownPerson,
  anOrganizationWithPlace,
  collect,
  entry,
  erase,
  erased,
  ledgerOf,
  stayed,
  ERASED_PERSON
} from "../../shared/personalData.ts"
import type { Laws } from "../../shared/suite.ts"
import { permissionsOf } from "../../shared/permissions.ts"

export const peopleErasureLaws: Laws = (it) => {
  it("a long history is collected whole and in order, and erased whole", function* () {
    const { fixture, inPlace } = yield* anOrganizationWithPlace
    const { person, user } = yield* aLinkedPerson(fixture)
    const places = [inPlace]
    while (places.length < 25) places.push(PlacePremises((yield* aPlace(fixture)).id))
    const histories = yield* concurrently(
      [fixture.premises, ...places].map((premises, nth) =>
        Effect.all(times(nth === 0 ? 50 : 78, (back) => stayed(premises, user, 1000 * back)))
      )
    )
    const subject = PersonSubject(fixture.id, person)
    // 2,000 accesses: a store that reads them in portions of any round number ends with a whole one.
    const accesses = histories.flat().sort(ClosedStayOrder)
    assert.strictEqual(accesses.length, 2_000)
    same((yield* collect(subject)).accesses, accesses)
    same((yield* erase(subject)).accesses, accesses.length)
    same((yield* collect(subject)).accesses, [])
  })

  it("everything that is stored about a user is collected, with that of every person they are linked to", function* () {
    const [site, other] = [yield* anOrganizationWithPlace, yield* anOrganizationWithPlace]
    const known = yield* aKnownPerson(site)
    const elsewhere = aPerson()
    yield* aUserLinkedTo(other.fixture.id, elsewhere, known.user)
    const access = yield* stayed(other.inPlace, known.user, 1000)
    const data = yield* collect(UserSubject(known.user))
    const links = [[site, known.person] as const, [other, elsewhere] as const].map(
      ([{ fixture }, orgAuthServerId]) => ({ userId: known.user, organizationId: fixture.id, orgAuthServerId })
    )
    same(data.accountLinks, links)
    same(data.favorites, [known.favorite])
    same(data.accesses, [...known.accesses, access].sort(ClosedStayOrder))
    same(
      data.openStays.map((stay) => [stay.id, stay.premises, stay.orgAuthServerId, stay.recordedAt]),
      known.openStays.map(({ id, premises }) => [id, premises, known.person, NOW])
    )
    same(
      data.retriedEntrances.map(({ usedAt, entrance, orgAuthServerId }) => [usedAt, entrance, orgAuthServerId]),
      known.openStays.map(() => [NOW, NOW, known.person])
    )
    same(data.permissions, [known.administrator])
    same([data.accounts, data.nominations, data.deletionRequests, data.deletionDecisions], [[], [], [], []])
    const person = PersonSubject(site.fixture.id, known.person)
    same(yield* collect(person), {
      ...data,
      accountLinks: links.slice(0, 1),
      accesses: [...known.accesses].sort(ClosedStayOrder)
    })
  })

  for (const by of ["user", "person"] as const) {
    it(`who is erased by their id as a ${by} is gone from everything, and no other is`, function* () {
      const site = yield* anOrganizationWithPlace
      const { fixture, inPlace, place } = site
      const [known, other] = [yield* aKnownPerson(site), yield* aKnownPerson(site)]
      const person = PersonSubject(fixture.id, known.person)
      const subject = by === "user" ? UserSubject(known.user) : person
      const otherUser = UserSubject(other.user)
      const before = yield* collect(otherUser)

      const expected = by === "user" ? { favorites: 1, mentions: 1 } : { mentions: 2 }
      same(yield* erase(subject), { ...ERASED_PERSON, ...expected })

      same(yield* collect(subject), NOTHING_STORED)
      same(yield* collect(person), NOTHING_STORED)
      same(yield* collect(otherUser), before)
      for (const premises of [fixture.premises, inPlace]) {
        assert.strictEqual(yield* countIn(premises, fixture), 1)
        same(yield* closedBy(premises, fixture, [known.person]), [])
        same(yield* closedOf(premises, fixture, known.accesses), [])
      }
      same(yield* timesIn(place.id, fixture), [{ orgAuthServerId: other.person, milliseconds: 121_100 }])
      const favorites = yield* favoritesOf(known.user)
      assert.strictEqual(favorites.length, by === "user" ? 0 : 1)
      const kept = yield* permissionsOf(known.administrator.administratorId)
      same(kept, [{ ...known.administrator, orgAuthServerId: undefined }])

      same(yield* erase(subject), erased({}))
      same(yield* erase(person), erased({}))
    })
  }

  it("the tokens of stays that were erased are unknown, and so are their retry keys", function* () {
    const site = yield* anOrganizationWithPlace
    const known = yield* aKnownPerson(site)
    yield* erase(UserSubject(known.user))
    for (const stay of known.openStays) yield* refused(leave(stay, { by: known.user }), "ExitNotMatched")
    yield* refused(enter(site.inPlace, { by: known.user }), "NotLinked")
    yield* aUserLinkedTo(site.fixture.id, known.person, known.user)
    const fresh = yield* enter(site.inPlace, { by: known.user })
    assert.isAbove(Number(fresh.id), Math.max(...known.openStays.map(({ id }) => Number(id))))
    same((yield* collect(UserSubject(known.user))).accesses, [])
  })

  it("a user is erased with the people they are linked to now, and not with those they were linked to before", function* () {
    const { fixture, inPlace } = yield* anOrganizationWithPlace
    const { id } = fixture
    const user = someUser()
    const [before, now] = [aPerson(), aPerson()]
    yield* aUserLinkedTo(id, before, user)
    const earlier = yield* stayed(inPlace, user, 1000)
    yield* aUserLinkedTo(id, now, user)
    yield* stayed(inPlace, user, 2000)
    same(yield* erase(UserSubject(user)), erased({ accountLinks: 1, accesses: 1 }))
    same(yield* closedBy(inPlace, fixture, [before, now]), [earlier])
    same(yield* erase(PersonSubject(id, before)), erased({ accesses: 1 }))
    same(yield* closedBy(inPlace, fixture, [before, now]), [])
  })

  it("anonymous stays are not erased with any person", function* (fixture) {
    const user = someUser()
    const open = yield* enter(fixture.premises, { by: user })
    const closed = yield* stayed(fixture.premises, user, 5000)
    same(yield* collect(UserSubject(user)), NOTHING_STORED)
    same(yield* erase(UserSubject(user)), erased({}))
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    same(yield* closedOf(fixture.premises, fixture, [open, closed]), [closed])
  })

  it("about whom nothing is known nothing is stored, and nothing is erased", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    const person = aPerson()
    yield* aUserLinkedTo(fixture.id, person)
    yield* deleteOrganization(fixture)
    for (const subject of [
      UserSubject(someUser()),
      PersonSubject(fixture.id, person),
      PersonSubject(NO_ORGANIZATION, person)
    ]) {
      same(yield* collect(subject), NOTHING_STORED)
      same(yield* erase(subject), erased({}))
    }
  })
}

/** The sum of the report of a town's place. */
const reported = ({ place, fixture }: OrganizationWithPlace) =>
  Effect.map(timesIn(place.id, fixture), (people) =>
    people.reduce((sum, { milliseconds }) => sum + wholeSeconds(milliseconds), 0)
  )

export const ledgerLaws: Laws = (it) => {
  it("the ledger says by how much erasures lowered the totals of a day, all people together", function* () {
    const site = yield* anOrganizationWithPlace
    const { id } = site.fixture
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

  it("an erasure is entered where it took anything that is counted, once, and nowhere else", function* () {
    const [site, other] = [yield* anOrganizationWithPlace, yield* anOrganizationWithPlace]
    const { id } = site.fixture
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

  it("the ledger of an organization ends with it, and there is none where there is no organization", function* () {
    const site = yield* anOrganizationWithPlace
    yield* erase(UserSubject((yield* aKnownPerson(site)).user))
    yield* deleteOrganization(site.fixture)
    yield* refused(ledgerOf(site.fixture.id), "OrganizationNotFound")
    yield* refused(ledgerOf(NO_ORGANIZATION), "OrganizationNotFound")
    same(yield* ledgerOf((yield* anOrganization()).organization.id), [])
  })
}
