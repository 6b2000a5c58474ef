/** Laws of `StayLog` for retry keys: a repeated entrance opens no second stay. */
import { PlacePremises, RETRY_KEY_LIFETIME, type RetryKey } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPlace,
  closedOf,
  countIn,
  enter,
  leave,
  premisesOf,
  unused,
  KIND
} from "../../shared/fixtures.ts"
import { race, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"

const someKey = () => unused("retry") as RetryKey

export const retryLaws: Laws = (law) => {
  for (const kind of ["organization", "place"] as const) {
    law(
      `an entrance of ${KIND[kind]} that is repeated with its retry key answers the stay that it opened`,
      function* () {
        const { fixture, premises } = yield* premisesOf(kind)
        const key = someKey()
        const first = yield* enter(premises, { key, timestamp: after(NOW, -5), keyId: 1 })
        const again = yield* enter(premises, { key, timestamp: NOW, keyId: 2 })
        same([again.id, again.entrance, again.keyId], [first.id, after(NOW, -5), 1])
        assert.strictEqual(yield* countIn(premises, fixture), 1)
        assert.notStrictEqual((yield* enter(premises, { key: someKey() })).id, first.id)
        assert.notStrictEqual((yield* enter(premises)).id, first.id)
      }
    )

    law(
      `an entrance of ${KIND[kind]} that is repeated after its exit answers the same stay and changes no counter`,
      function* () {
        const { fixture, premises } = yield* premisesOf(kind)
        const key = someKey()
        const first = yield* enter(premises, { key, timestamp: NOW })
        const closed = yield* leave(first, { timestamp: after(NOW, 1) })
        const again = yield* enter(premises, { key })
        same([again.id, again.entrance], [first.id, NOW])
        assert.strictEqual(yield* countIn(premises, fixture), 0)
        same(yield* closedOf(premises, fixture, [first]), [closed])
      }
    )

    law(`50 entrances of ${KIND[kind]} race with one retry key: one stay`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      const key = someKey()
      const { succeeded, refusals } = yield* race(times(50, (n) => enter(premises, { key, timestamp: after(NOW, -n) })))
      same(refusals, {})
      assert.strictEqual(new Set(succeeded.map((stay) => stay.id)).size, 1)
      assert.strictEqual(new Set(succeeded.map((stay) => stay.entrance)).size, 1)
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })
  }

  law("a retry key stands for its stay for 24 hours, and for another one after", function* () {
    const fixture = yield* anOrganization()
    const key = someKey()
    const first = yield* enter(fixture.premises, { key })
    const inTime = yield* enter(fixture.premises, { key, now: after(NOW, RETRY_KEY_LIFETIME - 1) })
    assert.strictEqual(inTime.id, first.id)
    const late = after(NOW, RETRY_KEY_LIFETIME + 1)
    const second = yield* enter(fixture.premises, { key, now: late })
    assert.isTrue(second.id > first.id)
    assert.strictEqual(second.entrance, late)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 2)
    const again = yield* enter(fixture.premises, { key, now: after(late, RETRY_KEY_LIFETIME - 1) })
    assert.strictEqual(again.id, second.id)
  })

  law("a retry key belongs to its premises", function* () {
    const one = yield* anOrganization()
    const other = yield* anOrganization()
    const place = PlacePremises((yield* aPlace(one)).id)
    const key = someKey()
    const ids = new Set<bigint>()
    for (const premises of [one.premises, other.premises, place]) ids.add((yield* enter(premises, { key })).id)
    assert.strictEqual(ids.size, 3)
  })
}
