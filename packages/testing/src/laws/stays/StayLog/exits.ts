/** Laws of `StayLog` for exits: the stay that each closes, repetitions and refusals. */
import { PlacePremises, StayId } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPlace,
  closedOf,
  countIn,
  enter,
  leave,
  leaveAt,
  locate,
  premisesOf,
  KIND,
  NEVER_ISSUED
} from "../../shared/fixtures.ts"
import { refused, same } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

export const exitLaws: Laws = (law) => {
  for (const kind of ["organization", "place"] as const) {
    law(
      `the same exit of ${KIND[kind]} again, at its time or without one, answers the same and changes nothing`,
      function* () {
        const { fixture, premises } = yield* premisesOf(kind)
        yield* enter(premises)
        const opened = yield* enter(premises, { timestamp: NOW })
        const closed = yield* leave(opened, { timestamp: after(NOW, 10) })
        same(yield* leave(opened, { timestamp: after(NOW, 10) }), closed)
        same(yield* leave(opened, { now: after(NOW, 99_000) }), closed)
        same(yield* closedOf(premises, fixture, [opened]), [closed])
        assert.strictEqual(yield* countIn(premises, fixture), 1)
      }
    )

    law(`an exit of ${KIND[kind]} at another time than the first is not matched, and the first stands`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      yield* enter(premises)
      const opened = yield* enter(premises, { timestamp: NOW })
      const closed = yield* leave(opened, { timestamp: after(NOW, 10) })
      for (const distance of [9, 11, -1, 5000]) {
        yield* refused(leave(opened, { timestamp: after(NOW, distance), now: after(NOW, 5000) }), "ExitNotMatched")
      }
      same(yield* closedOf(premises, fixture, [opened]), [closed])
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })
  }

  law("an exit before its entrance is refused, and a later one works", function* () {
    const fixture = yield* anOrganization()
    const opened = yield* enter(fixture.premises, { timestamp: NOW })
    const error = yield* refused(leave(opened, { timestamp: after(NOW, -1) }), "ExitBeforeEntrance")
    assert.strictEqual(error.entrance, NOW)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    assert.strictEqual((yield* leave(opened, { timestamp: NOW })).exit, NOW)
  })

  law("a stay is left at its own premises alone", function* () {
    const one = yield* anOrganization()
    const other = yield* anOrganization()
    const place = PlacePremises((yield* aPlace(one, { left: 0, bottom: 0, right: 1, top: 1 })).id)
    const otherPlace = PlacePremises((yield* aPlace(one, { left: 1, bottom: 0, right: 2, top: 1 })).id)
    const inOne = yield* enter(one.premises)
    const inPlace = yield* enter(place)
    yield* refused(leaveAt(place, locate(inOne)), "ExitNotMatched")
    yield* refused(leaveAt(one.premises, locate(inPlace)), "ExitNotMatched")
    yield* refused(leaveAt(otherPlace, locate(inPlace)), "ExitNotMatched")
    yield* refused(leaveAt(other.premises, locate(inOne)), "ExitNotMatched")
    yield* refused(
      leaveAt(other.premises, { ...locate(inOne), organizationId: other.organization.id }),
      "ExitNotMatched"
    )
    assert.strictEqual(yield* countIn(one.premises, one), 1)
    assert.strictEqual(yield* countIn(place, one), 1)
    yield* leave(inOne)
    yield* leave(inPlace)
    yield* refused(leaveAt(place, locate(inOne)), "ExitNotMatched")
    yield* refused(leaveAt(one.premises, locate(inPlace)), "ExitNotMatched")
  })

  law("a stay that is not there, or not of the organization that its token says, is not matched", function* () {
    const fixture = yield* anOrganization()
    const other = yield* anOrganization()
    const opened = yield* enter(fixture.premises)
    yield* refused(
      leaveAt(fixture.premises, { ...locate(opened), stayId: StayId.make(NEVER_ISSUED) }),
      "ExitNotMatched"
    )
    yield* refused(
      leaveAt(fixture.premises, { ...locate(opened), organizationId: other.organization.id }),
      "ExitNotMatched"
    )
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
  })
}
