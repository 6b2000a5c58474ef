/** Laws of `StayPolicyStore` on policies themselves: how they are kept, read and listed. */
import { OrganizationId, Retention, StayPolicyStore } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { anOrganization, deleted, type Ground } from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { NINETY_DAYS, rules, takesLease, TWELVE_HOURS } from "./fixtures.ts"

const read = ({ organization }: Ground) => StayPolicyStore.use((store) => store.get(organization.id))

/** Those of some organizations that have a policy, in the order in which they are listed. */
const listed = (grounds: ReadonlyArray<Ground>) => {
  const ids = grounds.map(({ organization }) => organization.id)
  return StayPolicyStore.use((store) => Effect.map(store.list, (all) => all.filter((id) => ids.includes(id))))
}

export const policyLaws: Laws = (it) => {
  it.effect("an organization has no policy until it is given one, and none again when all of it is lifted", () =>
    Effect.gen(function* () {
      const [one, other, third] = yield* Effect.all(times(3, () => anOrganization()))
      const grounds = [one!, other!, third!]
      same(yield* read(one!), {})
      same(yield* listed(grounds), [])
      same(yield* rules(third!, { retention: NINETY_DAYS }), { retention: NINETY_DAYS })
      same(yield* rules(one!, { longestStay: TWELVE_HOURS }), { longestStay: TWELVE_HOURS })
      same(yield* rules(one!, { retention: NINETY_DAYS }), { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
      same(yield* read(one!), { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
      same(yield* read(other!), {})
      same(yield* listed(grounds), [one!.organization.id, third!.organization.id])
      same(yield* rules(one!, { longestStay: null }), { retention: NINETY_DAYS })
      same(yield* rules(one!, { retention: null }), {})
      same(yield* read(one!), {})
      same(yield* listed(grounds), [third!.organization.id])
      assert.strictEqual((yield* takesLease(one!))._tag, "None")
    })
  )

  it.effect("the longest retention is kept to the second", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const retention = Retention.make(36_525 * 86_400)
      yield* rules(ground, { retention })
      same(yield* read(ground), { retention })
    })
  )

  it.effect("changes of one policy at one moment all count", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      yield* Effect.all([rules(ground, { longestStay: TWELVE_HOURS }), rules(ground, { retention: NINETY_DAYS })], {
        concurrency: "unbounded"
      })
      same(yield* read(ground), { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    })
  )

  it.effect("an organization that does not exist, or no longer, has no policy to read, to change or to follow", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      yield* rules(ground, { longestStay: TWELVE_HOURS })
      yield* deleted(ground)
      const nowhere = { organization: { ...ground.organization, id: OrganizationId.make(9_007_199_254_740_991n) } }
      for (const gone of [ground, { ...ground, ...nowhere }]) {
        yield* refused(read(gone), "OrganizationNotFound")
        yield* refused(rules(gone, { retention: NINETY_DAYS }), "OrganizationNotFound")
        assert.strictEqual((yield* takesLease(gone))._tag, "None")
      }
      same(yield* listed([ground]), [])
    })
  )
}
