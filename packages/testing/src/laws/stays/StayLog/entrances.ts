/** Laws of `StayLog` for entrances: the stay that each opens, its person and its times. */
import { LARGEST_LEAD, PlacePremises, StayId } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { after, EARLIEST, LATEST, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPerson,
  aPlace,
  aUserLinkedTo,
  closedOf,
  countIn,
  enter,
  leave,
  leaveAt,
  locate,
  premisesOf,
  KIND,
  MISSING_PREMISES,
  NO_ORGANIZATION
} from "../../shared/fixtures.ts"
import { refused, same } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

export const entranceLaws: Laws = (law) => {
  for (const kind of ["organization", "place"] as const) {
    law(`an entrance of an anonymous ${kind} opens an anonymous stay, at the time it claims`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const opened = yield* enter(premises, { timestamp: after(NOW, -1234), keyId: 7 })
      const { id, organizationId, entrance, keyId, orgAuthServerId } = opened
      same(opened.premises, premises)
      same(
        { organizationId, entrance, keyId, orgAuthServerId },
        { organizationId: fixture.id, entrance: after(NOW, -1234), keyId: 7 }
      )
      assert.isTrue(id >= 1n)
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })

    law(`every entrance of an anonymous ${kind} opens a stay of its own, also of one user at one moment`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const first = yield* enter(premises, { timestamp: NOW })
      const second = yield* enter(premises, { timestamp: NOW })
      assert.isTrue(second.id > first.id)
      assert.strictEqual(yield* countIn(premises, fixture), 2)
    })

    law(`an exit of ${KIND[kind]} closes the stay, which is counted no more and listed from then on`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const opened = yield* enter(premises, { timestamp: NOW })
      const other = yield* enter(premises, { timestamp: NOW })
      same(yield* closedOf(premises, fixture, [opened, other]), [])
      const closed = yield* leave(opened, { timestamp: after(NOW, 5000), now: after(NOW, 5000) })
      const expected = {
        _tag: "ClosedStay",
        id: opened.id,
        organizationId: fixture.id,
        premises,
        entrance: NOW,
        exit: after(NOW, 5000)
      }
      same(closed, expected)
      same(yield* closedOf(premises, fixture, [opened, other]), [expected])
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })
  }

  law("a movement without a timestamp happens now", function* () {
    const { premises } = yield* anOrganization()
    const opened = yield* enter(premises, { now: after(NOW, 17) })
    assert.strictEqual(opened.entrance, after(NOW, 17))
    assert.strictEqual((yield* leave(opened, { now: after(NOW, 18) })).exit, after(NOW, 18))
  })

  law("stays of the first and the last instant are kept as they are", function* () {
    const fixture = yield* anOrganization()
    const opened = yield* enter(fixture.premises, { timestamp: EARLIEST })
    assert.strictEqual(opened.entrance, EARLIEST)
    yield* leave(opened, { timestamp: LATEST, now: LATEST })
    const [listed] = yield* closedOf(fixture.premises, fixture, [opened])
    same([listed?.entrance, listed?.exit], [EARLIEST, LATEST])
  })

  law("the ids of stays rise, whatever organization and premises they are of", function* () {
    const one = yield* anOrganization()
    const other = yield* anOrganization()
    const place = PlacePremises((yield* aPlace(one)).id)
    let last = 0n
    for (const premises of [one.premises, other.premises, place, one.premises, place]) {
      const { id } = yield* enter(premises)
      assert.isTrue(id > last)
      last = id
    }
  })

  law("being in a place and being in its organization are two stays", function* () {
    const fixture = yield* anOrganization()
    const place = PlacePremises((yield* aPlace(fixture)).id)
    const inPlace = yield* enter(place)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    yield* enter(fixture.premises)
    yield* leave(inPlace)
    assert.strictEqual(yield* countIn(place, fixture), 0)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    same(yield* closedOf(fixture.premises, fixture, [inPlace]), [])
  })

  law("premises that do not exist cannot be entered or left", function* () {
    for (const premises of MISSING_PREMISES) {
      yield* refused(enter(premises), "PremisesNotFound")
      const stay = { organizationId: NO_ORGANIZATION, stayId: StayId.make(1n) }
      yield* refused(leaveAt(premises, stay), "PremisesNotFound")
    }
  })

  law("a timestamp lies at most five minutes ahead; one that is refused changes nothing", function* () {
    const fixture = yield* anOrganization()
    const ahead = after(NOW, LARGEST_LEAD)
    const error = yield* refused(enter(fixture.premises, { timestamp: after(ahead, 1) }), "TimestampInFuture")
    same([error.timestamp, error.now], [after(ahead, 1), NOW])
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    const opened = yield* enter(fixture.premises, { timestamp: ahead })
    yield* refused(leave(opened, { timestamp: after(ahead, 1) }), "TimestampInFuture")
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    assert.strictEqual((yield* leave(opened, { timestamp: ahead })).exit, ahead)
  })

  for (const trackingMode of ["anonymous", "authenticated"] as const) {
    law(`an entrance by a clock ahead of ours is followed at once by an exit now: ${trackingMode}`, function* () {
      const { organization, premises } = yield* anOrganization({ trackingMode })
      const by = yield* aUserLinkedTo(organization.id, aPerson())
      const ahead = after(NOW, 60_000)
      const opened = yield* enter(premises, { by, timestamp: ahead })
      assert.strictEqual((yield* leaveAt(premises, locate(opened), { by })).exit, ahead)
    })
  }
}
