/** Laws of `PersonalDataStore` for the data about users and persons. */
import {
  ClosedStayOrder,
  NOTHING_STORED,
  PermissionStore,
  PersonSubject,
  PlacePremises,
  UserSubject
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPlace,
  aUserLinkedTo,
  closedBy,
  closedOf,
  countIn,
  deleteOrganization,
  enter,
  favoritesOf,
  leave,
  someUser,
  aPerson,
  timesIn,
  NO_ORGANIZATION
} from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { aKnownPerson, anOrganizationWithPlace, collect, erase, erased, ERASED_PERSON, stayed } from "./fixtures.ts"

export const peopleErasureLaws: Laws = (law) => {
  law("a long history is collected whole and in order, and erased whole", function* () {
    const { fixture, inPlace } = yield* anOrganizationWithPlace
    const person = aPerson()
    const user = yield* aUserLinkedTo(fixture.id, person)
    const places = [inPlace]
    while (places.length < 25) places.push(PlacePremises((yield* aPlace(fixture)).id))
    const histories = yield* Effect.forEach(
      [fixture.premises, ...places],
      (premises, nth) =>
        Effect.forEach(times(nth === 0 ? 50 : 78, Number), (back) => stayed(premises, user, 1000 * back)),
      { concurrency: "unbounded" }
    )
    const subject = PersonSubject(fixture.id, person)
    // 2,000 accesses: a store that reads them in portions of any round number ends with a whole one.
    const accesses = histories.flat().sort(ClosedStayOrder)
    assert.strictEqual(accesses.length, 2_000)
    same((yield* collect(subject)).accesses, accesses)
    same((yield* erase(subject)).accesses, accesses.length)
    same((yield* collect(subject)).accesses, [])
  })

  law(
    "everything that is stored about a user is collected, with that of every person they are linked to",
    function* () {
      const [site, other] = [yield* anOrganizationWithPlace, yield* anOrganizationWithPlace]
      const known = yield* aKnownPerson(site)
      const elsewhere = aPerson()
      yield* aUserLinkedTo(other.fixture.id, elsewhere, known.user)
      const access = yield* stayed(other.inPlace, known.user, 1000)
      const data = yield* collect(UserSubject(known.user))
      const links = [[site, known.person] as const, [other, elsewhere] as const].map(
        ([{ fixture }, orgAuthServerId]) => ({
          userId: known.user,
          organizationId: fixture.id,
          orgAuthServerId
        })
      )
      same(data.accountLinks, links)
      same(data.favorites, [known.favorite])
      same(data.accesses, [...known.accesses, access].sort(ClosedStayOrder))
      same(
        data.openStays.map(({ id, premises, orgAuthServerId, recordedAt }) => [
          id,
          premises,
          orgAuthServerId,
          recordedAt
        ]),
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
    }
  )

  for (const by of ["user", "person"] as const) {
    law(`who is erased by their id as a ${by} is gone from everything, and no other is`, function* () {
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
      const kept = yield* PermissionStore.use((store) => store.listByAdministrator(known.administrator.administratorId))
      same(kept, [{ ...known.administrator, orgAuthServerId: undefined }])

      same(yield* erase(subject), erased({}))
      same(yield* erase(person), erased({}))
    })
  }

  law("the tokens of stays that were erased are unknown, and so are their retry keys", function* () {
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

  law(
    "a user is erased with the people they are linked to now, and not with those they were linked to before",
    function* () {
      const { fixture, inPlace } = yield* anOrganizationWithPlace
      const { id } = fixture.organization
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
    }
  )

  law("anonymous stays are not erased with any person", function* () {
    const fixture = yield* anOrganization()
    const user = someUser()
    const open = yield* enter(fixture.premises, { by: user })
    const closed = yield* stayed(fixture.premises, user, 5000)
    same(yield* collect(UserSubject(user)), NOTHING_STORED)
    same(yield* erase(UserSubject(user)), erased({}))
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    same(yield* closedOf(fixture.premises, fixture, [open, closed]), [closed])
  })

  law("about whom nothing is known nothing is stored, and nothing is erased", function* () {
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
