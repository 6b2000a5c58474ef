/** Laws of `StayPolicyStore` on policies themselves: how they are kept, read and listed. */
import { Retention, StayPolicyStore } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { anOrganization, deleteOrganization, type OrganizationFixture, neverCreated } from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { NINETY_DAYS, changePolicy, takeLease, TWELVE_HOURS } from "./fixtures.ts"

const read = ({ id }: OrganizationFixture) => StayPolicyStore.use((store) => store.get(id))

/** Those of some organizations that have a policy, in the order in which they are listed. */
const listed = (fixtures: ReadonlyArray<OrganizationFixture>) => {
  const ids = fixtures.map(({ organization }) => organization.id)
  return StayPolicyStore.use((store) => Effect.map(store.list, (all) => all.filter((id) => ids.includes(id))))
}

export const policyLaws: Laws = (law) => {
  law("an organization has no policy until it is given one, and none again when all of it is lifted", function* () {
    const [one, other, third] = yield* Effect.all(times(3, () => anOrganization()))
    const fixtures = [one!, other!, third!]
    same(yield* read(one!), {})
    same(yield* listed(fixtures), [])
    same(yield* changePolicy(third!, { retention: NINETY_DAYS }), { retention: NINETY_DAYS })
    same(yield* changePolicy(one!, { longestStay: TWELVE_HOURS }), { longestStay: TWELVE_HOURS })
    same(yield* changePolicy(one!, { retention: NINETY_DAYS }), { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    same(yield* read(one!), { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    same(yield* read(other!), {})
    same(yield* listed(fixtures), [one!.organization.id, third!.organization.id])
    same(yield* changePolicy(one!, { longestStay: null }), { retention: NINETY_DAYS })
    same(yield* changePolicy(one!, { retention: null }), {})
    same(yield* read(one!), {})
    same(yield* listed(fixtures), [third!.organization.id])
    assert.strictEqual((yield* takeLease(one!))._tag, "None")
  })

  law("the longest retention is kept to the second", function* () {
    const fixture = yield* anOrganization()
    const retention = Retention.make(36_525 * 86_400)
    yield* changePolicy(fixture, { retention })
    same(yield* read(fixture), { retention })
  })

  law("changes of one policy at one moment all count", function* () {
    const fixture = yield* anOrganization()
    yield* Effect.all(
      [changePolicy(fixture, { longestStay: TWELVE_HOURS }), changePolicy(fixture, { retention: NINETY_DAYS })],
      {
        concurrency: "unbounded"
      }
    )
    same(yield* read(fixture), { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
  })

  law("an organization that does not exist, or no longer, has no policy to read, to change or to follow", function* () {
    const fixture = yield* anOrganization()
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    yield* deleteOrganization(fixture)
    for (const gone of [fixture, neverCreated(fixture)]) {
      yield* refused(read(gone), "OrganizationNotFound")
      yield* refused(changePolicy(gone, { retention: NINETY_DAYS }), "OrganizationNotFound")
      assert.strictEqual((yield* takeLease(gone))._tag, "None")
    }
    same(yield* listed([fixture]), [])
  })
}
