/** Laws of `OpenStayStatistics`. Suites share a database, so they hold whatever else is stored. */
import { OpenStayStatistics, PlacePremises } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { aDevice, reading, send } from "../shared/devices.ts"
import { anOrganization, aPlace, enter, leave } from "../shared/fixtures.ts"
import { type Laws, suite } from "../shared/suite.ts"
import { total, pluck } from "../shared/outcome.ts"

/** More organizations than a suite makes. */
const ALL = 1_000_000

const read = (most: number) => OpenStayStatistics.use((statistics) => statistics.read(most))

const countLaws: Laws = (it) => {
  it("open stays are counted, of the organization and its places together, until they are closed", function* (fixture) {
    const place = yield* aPlace(fixture)
    const openHere = Effect.map(read(ALL), ({ largest }) =>
      largest.find(({ organizationId }) => organizationId === fixture.id)
    )
    assert.strictEqual(yield* openHere, undefined)
    const first = yield* enter(fixture.premises)
    yield* enter(fixture.premises)
    yield* enter(PlacePremises(place.id))
    assert.deepStrictEqual(yield* openHere, { organizationId: fixture.id, open: 3 })
    yield* leave(first)
    assert.deepStrictEqual(yield* openHere, { organizationId: fixture.id, open: 2 })
  })

  it("devices and people counted are counted by state and in all", function* (fixture) {
    const before = yield* read(0)
    const { device } = yield* aDevice(fixture)
    yield* aDevice(fixture)
    yield* send(device, [reading(fixture.premises, 7, 2)])
    const after = yield* read(0)
    assert.strictEqual(after.counted - before.counted, 5)
    assert.strictEqual(after.devices.new - before.devices.new, 1)
    assert.strictEqual(after.devices.ok - before.devices.ok, 1)
  })

  it("the sums are of all organizations, the list of the largest", function* () {
    for (const crowd of [1, 3, 2, 3]) {
      const { premises } = yield* anOrganization()
      for (let i = 0; i < crowd; i++) yield* enter(premises)
    }
    const { open, organizations, largest } = yield* read(ALL)
    assert.strictEqual(largest.length, organizations)
    assert.strictEqual(total(pluck(largest, "open")), open)
    const sorted = largest.toSorted(
      (one, other) => other.open - one.open || (one.organizationId < other.organizationId ? -1 : 1)
    )
    assert.deepStrictEqual(largest, sorted)
    assert.lengthOf((yield* read(2)).largest, 2)
    assert.lengthOf((yield* read(0)).largest, 0)
    assert.isAtLeast((yield* read(0)).open, 9)
  })
}

/** The laws of `OpenStayStatistics`. */
export const openStayStatisticsLaws = suite("OpenStayStatistics", [countLaws])
