/** Laws of `PersonalDataStore` for the data about users and persons. */
import {
  ClosedStayOrder,
  NOTHING_STORED,
  OrganizationId,
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
  deleted,
  enter,
  favoritesOf,
  leave,
  someUser,
  aPerson,
  timesIn
} from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { aResident, aTown, collect, erase, erased, RESIDENT, stayed } from "./residents.ts"

export const peopleErasureLaws: Laws = (it) => {
  it.effect("a long history is collected whole and in order, and erased whole", () =>
    Effect.gen(function* () {
      const { ground, inPlace } = yield* aTown
      const person = aPerson()
      const user = yield* aUserLinkedTo(ground.organization.id, person)
      const places = [inPlace]
      while (places.length < 25) places.push(PlacePremises((yield* aPlace(ground)).id))
      const histories = yield* Effect.forEach(
        [ground.premises, ...places],
        (premises, nth) =>
          Effect.forEach(times(nth === 0 ? 50 : 78, Number), (back) => stayed(premises, user, 1000 * back)),
        { concurrency: "unbounded" }
      )
      const subject = PersonSubject(ground.organization.id, person)
      // 2,000 accesses: a store that reads them in portions of any round number ends with a whole one.
      const accesses = histories.flat().sort(ClosedStayOrder)
      assert.strictEqual(accesses.length, 2_000)
      same((yield* collect(subject)).accesses, accesses)
      same((yield* erase(subject)).accesses, accesses.length)
      same((yield* collect(subject)).accesses, [])
    })
  )

  it.effect("everything that is stored about a user is collected, with that of every person they are linked to", () =>
    Effect.gen(function* () {
      const [town, other] = [yield* aTown, yield* aTown]
      const resident = yield* aResident(town)
      const elsewhere = aPerson()
      yield* aUserLinkedTo(other.ground.organization.id, elsewhere, resident.user)
      const access = yield* stayed(other.inPlace, resident.user, 1000)
      const data = yield* collect(UserSubject(resident.user))
      const links = [[town, resident.person] as const, [other, elsewhere] as const].map(
        ([{ ground }, orgAuthServerId]) => ({
          userId: resident.user,
          organizationId: ground.organization.id,
          orgAuthServerId
        })
      )
      same(data.accountLinks, links)
      same(data.favorites, [resident.favorite])
      same(data.accesses, [...resident.accesses, access].sort(ClosedStayOrder))
      same(
        data.openStays.map(({ id, premises, orgAuthServerId, recordedAt }) => [
          id,
          premises,
          orgAuthServerId,
          recordedAt
        ]),
        resident.openStays.map(({ id, premises }) => [id, premises, resident.person, NOW])
      )
      same(
        data.retriedEntrances.map(({ usedAt, entrance, orgAuthServerId }) => [usedAt, entrance, orgAuthServerId]),
        resident.openStays.map(() => [NOW, NOW, resident.person])
      )
      same(data.permissions, [resident.administrator])
      same([data.accounts, data.nominations, data.deletionRequests, data.deletionDecisions], [[], [], [], []])
      const person = PersonSubject(town.ground.organization.id, resident.person)
      same(yield* collect(person), {
        ...data,
        accountLinks: links.slice(0, 1),
        accesses: [...resident.accesses].sort(ClosedStayOrder)
      })
    })
  )

  for (const by of ["user", "person"] as const) {
    it.effect(`who is erased by their id as a ${by} is gone from everything, and no other is`, () =>
      Effect.gen(function* () {
        const town = yield* aTown
        const { ground, inPlace, place } = town
        const [resident, neighbour] = [yield* aResident(town), yield* aResident(town)]
        const person = PersonSubject(ground.organization.id, resident.person)
        const subject = by === "user" ? UserSubject(resident.user) : person
        const neighbours = UserSubject(neighbour.user)
        const before = yield* collect(neighbours)

        const expected = by === "user" ? { favorites: 1, mentions: 1 } : { mentions: 2 }
        same(yield* erase(subject), { ...RESIDENT, ...expected })

        same(yield* collect(subject), NOTHING_STORED)
        same(yield* collect(person), NOTHING_STORED)
        same(yield* collect(neighbours), before)
        for (const premises of [ground.premises, inPlace]) {
          assert.strictEqual(yield* countIn(premises, ground), 1)
          same(yield* closedBy(premises, ground, [resident.person]), [])
          same(yield* closedOf(premises, ground, resident.accesses), [])
        }
        same(yield* timesIn(place.id, ground), [{ orgAuthServerId: neighbour.person, milliseconds: 121_100 }])
        const favorites = yield* favoritesOf(resident.user)
        assert.strictEqual(favorites.length, by === "user" ? 0 : 1)
        const kept = yield* PermissionStore.use((store) =>
          store.listByAdministrator(resident.administrator.administratorId)
        )
        same(kept, [{ ...resident.administrator, orgAuthServerId: undefined }])

        same(yield* erase(subject), erased({}))
        same(yield* erase(person), erased({}))
      })
    )
  }

  it.effect("the tokens of stays that were erased are unknown, and so are their retry keys", () =>
    Effect.gen(function* () {
      const town = yield* aTown
      const resident = yield* aResident(town)
      yield* erase(UserSubject(resident.user))
      for (const stay of resident.openStays) yield* refused(leave(stay, { by: resident.user }), "ExitNotMatched")
      yield* refused(enter(town.inPlace, { by: resident.user }), "NotLinked")
      yield* aUserLinkedTo(town.ground.organization.id, resident.person, resident.user)
      const fresh = yield* enter(town.inPlace, { by: resident.user })
      assert.isAbove(Number(fresh.id), Math.max(...resident.openStays.map(({ id }) => Number(id))))
      same((yield* collect(UserSubject(resident.user))).accesses, [])
    })
  )

  it.effect(
    "a user is erased with the people they are linked to now, and not with those they were linked to before",
    () =>
      Effect.gen(function* () {
        const { ground, inPlace } = yield* aTown
        const { id } = ground.organization
        const user = someUser()
        const [before, now] = [aPerson(), aPerson()]
        yield* aUserLinkedTo(id, before, user)
        const earlier = yield* stayed(inPlace, user, 1000)
        yield* aUserLinkedTo(id, now, user)
        yield* stayed(inPlace, user, 2000)
        same(yield* erase(UserSubject(user)), erased({ accountLinks: 1, accesses: 1 }))
        same(yield* closedBy(inPlace, ground, [before, now]), [earlier])
        same(yield* erase(PersonSubject(id, before)), erased({ accesses: 1 }))
        same(yield* closedBy(inPlace, ground, [before, now]), [])
      })
  )

  it.effect("anonymous stays are not erased with any person", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const user = someUser()
      const open = yield* enter(ground.premises, { by: user })
      const closed = yield* stayed(ground.premises, user, 5000)
      same(yield* collect(UserSubject(user)), NOTHING_STORED)
      same(yield* erase(UserSubject(user)), erased({}))
      assert.strictEqual(yield* countIn(ground.premises, ground), 1)
      same(yield* closedOf(ground.premises, ground, [open, closed]), [closed])
    })
  )

  it.effect("about whom nothing is known nothing is stored, and nothing is erased", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization({ trackingMode: "authenticated" })
      const person = aPerson()
      yield* aUserLinkedTo(ground.organization.id, person)
      yield* deleted(ground)
      for (const subject of [
        UserSubject(someUser()),
        PersonSubject(ground.organization.id, person),
        PersonSubject(OrganizationId.make(9223372036854775807n), person)
      ]) {
        same(yield* collect(subject), NOTHING_STORED)
        same(yield* erase(subject), erased({}))
      }
    })
  )
}
