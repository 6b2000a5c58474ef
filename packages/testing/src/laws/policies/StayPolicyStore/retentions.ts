/** Laws of `StayPolicyStore` for forgetting accesses past their retention. */
import { PlacePremises, isPastRetention } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import { integer } from "../../../arbitraries/choice.ts"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  aPlace,
  aUserLinkedTo,
  closedBy,
  closedOf,
  countIn,
  enter,
  leave,
  KIND,
  premisesOf,
  aPerson,
  timesIn
} from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import { type Laws } from "../../shared/suite.ts"
import { DAY, forgetBatch, HOUR, NINETY_DAYS, changePolicy } from "./fixtures.ts"

export const retentionLaws: Laws = (law) => {
  for (const kind of ["organization", "place"] as const) {
    law(`an access of ${KIND[kind]} is forgotten when its exit lies further back than the retention`, function* () {
      const { fixture, premises } = yield* premisesOf(kind)
      yield* changePolicy(fixture, { retention: NINETY_DAYS })
      const [short, long, open] = [yield* enter(premises), yield* enter(premises), yield* enter(premises)]
      yield* leave(short, { timestamp: after(NOW, 1000), now: after(NOW, 1000) })
      const closed = yield* leave(long, { timestamp: after(NOW, 1001), now: after(NOW, 1001) })
      assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 90 * DAY + 1000)), 0)
      assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 90 * DAY + 1001)), 1)
      same(yield* closedOf(premises, fixture, [short, long, open]), [closed])
      yield* refused(leave(short, { timestamp: after(NOW, 1000) }), "ExitNotMatched")
      assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 400 * DAY)), 1)
      same(yield* closedOf(premises, fixture, [short, long, open]), [])
      assert.strictEqual(yield* countIn(premises, fixture), 1)
    })
  }

  law("nothing of a person's forgotten accesses is listed or summed", function* () {
    const { fixture, premises } = yield* premisesOf("place", { trackingMode: "authenticated" })
    const [one, other] = [aPerson(), aPerson()]
    yield* changePolicy(fixture, { retention: NINETY_DAYS })
    const users = new Map([
      [one, yield* aUserLinkedTo(fixture.id, one)],
      [other, yield* aUserLinkedTo(fixture.id, other)]
    ])
    const lasting = Effect.fnUntraced(function* (person: typeof one, from: number) {
      const options = { by: users.get(person)!, now: after(NOW, from) }
      return yield* leave(yield* enter(premises, options), { ...options, now: after(options.now, HOUR) })
    })
    yield* lasting(one, 0)
    yield* lasting(other, HOUR)
    const kept = yield* lasting(one, 30 * DAY)
    assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 100 * DAY)), 2)
    same(yield* closedBy(premises, fixture, [one, other]), [kept])
    assert.strictEqual(premises._tag, "PlacePremises")
    if (premises._tag === "PlacePremises")
      same(yield* timesIn(premises.placeId, fixture), [{ orgAuthServerId: one, milliseconds: HOUR }])
  })

  law("a retention is one organization's, and none keeps everything", function* () {
    const [fixture, other] = [yield* anOrganization(), yield* anOrganization()]
    const closed = yield* leave(yield* enter(other.premises))
    yield* leave(yield* enter(fixture.premises))
    const now = after(NOW, 400 * DAY)
    assert.strictEqual(yield* forgetBatch(fixture, now), 0)
    yield* changePolicy(fixture, { retention: NINETY_DAYS })
    assert.strictEqual(yield* forgetBatch(other, now), 0)
    assert.strictEqual(yield* forgetBatch(fixture, now), 1)
    same(yield* closedOf(other.premises, other, [closed]), [closed])
  })

  law("an access that was reported late is kept until the retention has passed since its report at most", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { retention: NINETY_DAYS })
    const timely = yield* leave(yield* enter(fixture.premises))
    const timestamp = after(NOW, -200 * DAY)
    const late = yield* leave(yield* enter(fixture.premises, { timestamp }), { timestamp })
    const atOnce = yield* forgetBatch(fixture, NOW)
    assert.isAtMost(atOnce, 1)
    same(yield* closedOf(fixture.premises, fixture, [timely]), [timely])
    assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 90 * DAY + 1)), 2 - atOnce)
    same(yield* closedOf(fixture.premises, fixture, [timely, late]), [])
  })

  law.prop(
    "of any accesses that were reported in time those are forgotten that are past retention, batch by batch",
    {
      stays: Arbitrary.array(Arbitrary.all({ place: integer(0, 1), entered: integer(0, 5), lasted: integer(0, 100) }), {
        maxLength: 12
      }),
      waited: integer(60, 120),
      most: integer(1, 5)
    },
    function* ({ stays, waited, most }) {
      const fixture = yield* anOrganization()
      const premises = [fixture.premises, PlacePremises((yield* aPlace(fixture)).id)]
      const policy = yield* changePolicy(fixture, { retention: NINETY_DAYS })
      const opened = yield* Effect.forEach(
        stays.toSorted((one, other) => one.entered - other.entered),
        ({ place, entered, lasted }) =>
          Effect.map(enter(premises[place]!, { now: after(NOW, entered * DAY) }), (stay) => ({
            stay,
            now: after(NOW, (entered + lasted) * DAY)
          }))
      )
      const closed = yield* Effect.forEach(opened, ({ stay, now }) => leave(stay, { now }))
      const now = after(NOW, waited * DAY)
      const kept = closed.filter(({ exit }) => !isPastRetention(policy, exit, now))
      const batches = yield* Effect.all(times(13, () => forgetBatch(fixture, now, most)))
      assert.isTrue(batches.every((swept) => swept <= most))
      assert.strictEqual(
        batches.reduce((sum, swept) => sum + swept, 0),
        closed.length - kept.length
      )
      const found = yield* Effect.forEach(premises, (one) => closedOf(one, fixture, closed))
      const ids = (some: ReadonlyArray<{ readonly id: bigint }>) => some.map(({ id }) => String(id)).sort()
      same(ids(found.flat()), ids(kept))
    }
  )
}
