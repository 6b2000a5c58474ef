/** Laws of `StayLog` for entrances that end other stays. */
import {
  type Leaving,
  type Opened,
  PlacePremises,
  type Premises,
  type RetryKey,
  samePremises,
  StayLog
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPerson,
  aPlace,
  aUserLinkedTo,
  closedBy,
  countIn,
  enter,
  leave,
  someUser,
  type OrganizationFixture
} from "../../shared/fixtures.ts"
import { allSucceed, total, expectRefusals, race, refused, same, times } from "../../shared/outcome.ts"
import { changePolicy } from "../../shared/policies.ts"
import type { Laws } from "../../shared/suite.ts"

/** What the token of a stay says. */
const leaving = ({
  organizationId,
  id: stayId,
  premises
}: Pick<Opened, "id" | "organizationId" | "premises">): Leaving => ({
  stay: { organizationId, stayId },
  isOf: (found) => samePremises(found, premises)
})

const enterLeaving = (premises: Premises, stays: ReadonlyArray<Leaving>) =>
  StayLog.use((log) =>
    log.open({
      premises,
      userId: someUser(),
      claim: { timestamp: undefined, orgAuthServerId: undefined, now: after(NOW, 1_000) },
      keyId: 0,
      retryKey: Option.none(),
      leaves: stays
    })
  )

/** The premises of two places, each half of an organization. */
const halves = Effect.fnUntraced(function* (fixture: OrganizationFixture) {
  const half = (left: number) =>
    Effect.map(aPlace(fixture, { left, bottom: 0, right: left + 4, top: 8 }), ({ id }) => PlacePremises(id))
  return [yield* half(0), yield* half(4)] as const
})

/** How many are inside of each of some premises. */
const countsIn = (fixture: OrganizationFixture, ...premises: ReadonlyArray<Premises>) =>
  Effect.forEach(premises, (one) => countIn(one, fixture))

export const endingLaws: Laws = (it) => {
  it("an entrance ends the stays that it leaves, all or none", function* (fixture, other) {
    const [one, two] = yield* halves(fixture)
    const [first, whole] = [yield* enter(one), yield* enter(fixture.premises)]
    const foreign = yield* enter(other.premises)
    const gone = yield* enter(one)
    yield* leave(gone)
    const forged = { ...leaving(first), isOf: () => false }
    for (const bad of [leaving(foreign), leaving(gone), forged, { ...leaving(first), stay: leaving(foreign).stay }]) {
      yield* refused(enterLeaving(two, [leaving(whole), bad]), "ExitNotMatched")
    }
    same(yield* countsIn(fixture, one, two, fixture.premises), [1, 0, 1])
    const opened = yield* enterLeaving(two, [leaving(first), leaving(whole)])
    assert.strictEqual(opened.entrance, after(NOW, 1_000))
    same(yield* countsIn(fixture, one, two, fixture.premises), [0, 1, 0])
    yield* refused(enterLeaving(one, [leaving(first)]), "ExitNotMatched")
  })

  it("a stay that began after the entrance is not left by it", function* (fixture) {
    const later = yield* enter(fixture.premises, { now: after(NOW, 60_000) })
    const place = PlacePremises((yield* aPlace(fixture)).id)
    yield* refused(enterLeaving(place, [leaving(later)]), "ExitBeforeEntrance")
    same(yield* countsIn(fixture, fixture.premises, place), [1, 0])
  })

  it("of 10 entrances that leave one stay at the same moment one does", function* (fixture) {
    const place = PlacePremises((yield* aPlace(fixture)).id)
    const stay = yield* enter(fixture.premises)
    yield* expectRefusals(race(times(10, () => enterLeaving(place, [leaving(stay)]))), { ExitNotMatched: 9 })
    same(yield* countsIn(fixture, fixture.premises, place), [0, 1])
  })

  for (const trackingMode of ["anonymous", "authenticated"] as const) {
    it(`of 10 entrances at once with one retry key that leave a stay all answer one stay, ${trackingMode}`, function* () {
      const fixture = yield* anOrganization({ trackingMode })
      const by = trackingMode === "anonymous" ? someUser() : yield* aUserLinkedTo(fixture.id, aPerson())
      const place = PlacePremises((yield* aPlace(fixture)).id)
      for (const hour of [0, 25]) {
        const now = after(NOW, hour * 60 * 60_000)
        const stay = yield* enter(fixture.premises, { by, now })
        const opening = {
          premises: place,
          userId: by,
          claim: { timestamp: undefined, orgAuthServerId: undefined, now: after(now, 1_000) },
          keyId: 0,
          // The same key after its lifetime is a new one.
          retryKey: Option.some(`left at once ${fixture.id}` as RetryKey),
          leaves: [leaving(stay)]
        }
        const opened = yield* allSucceed(times(10, () => StayLog.use((log) => log.open(opening))))
        for (const one of opened) same(one.id, opened[0]!.id)
        same(yield* countsIn(fixture, fixture.premises, place), [0, 1])
        yield* leave(opened[0]!, { by, now: after(now, 2_000) })
      }
    })
  }

  it("where places are exclusive a person is in one of them, whatever races", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    yield* changePolicy(fixture, { exclusivePlaces: true })
    const places = yield* halves(fixture)
    const person = aPerson()
    const by = yield* aUserLinkedTo(fixture.id, person)
    yield* enter(fixture.premises, { by })
    for (const n of times(6, (index) => index)) yield* enter(places[n % 2]!, { by, now: after(NOW, n * 1_000) })
    same(yield* countsIn(fixture, ...places), [0, 1])
    same((yield* closedBy(places[0], fixture, [person])).length, 3)
    yield* race(times(10, (n) => enter(places[n % 2]!, { by, now: after(NOW, 60_000) })))
    same(total(yield* countsIn(fixture, ...places)), 1)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
  })
}
