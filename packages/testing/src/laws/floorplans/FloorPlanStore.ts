/** Laws of `FloorPlanStore`: one plan for each floor, kept to the byte, published by the feed. */
import { assert } from "@effect/vitest"
import {
  type AdministratorId,
  decideFloorPlan,
  type FloorPlanImage,
  FloorPlanStore,
  MAX_FLOOR_PLANS,
  type Reader
} from "@sojourn/core"
import { Effect, Result } from "effect"
import {
  aBoundAdministrator,
  anOrganization,
  deleteOrganization,
  neverCreated,
  type OrganizationFixture,
  someAdministrator,
  displayOf
} from "../shared/fixtures.ts"
import { pluck, expectRefusals, race, refused, same, times } from "../shared/outcome.ts"
import { eventsSince, versionOf } from "../shared/presenceFeed.ts"
import { type Laws, suite } from "../shared/suite.ts"

const image = Uint8Array.from({ length: 300 }, (_, n) => n % 256)

/** A plan of a floor, whose image the store takes as it is. */
const planOf = ({ id }: OrganizationFixture, level: number, over: Partial<FloorPlanImage> = {}): FloorPlanImage => ({
  organizationId: id,
  level,
  west: 0.1,
  south: -12.5,
  east: 0.30000000000000004,
  north: 45,
  rotation: 12.5,
  type: "image/png",
  bytes: image.length,
  image,
  digest: "9f".repeat(32),
  ...over
})

const put = (plan: FloorPlanImage, administratorId: AdministratorId) =>
  FloorPlanStore.use((store) => store.put({ plan, administratorId, decide: decideFloorPlan }))

/** An organization, and who reads in it. */
interface ReaderIn extends Pick<OrganizationFixture, "id"> {
  readonly owner: Reader
}

const get = ({ id, owner }: ReaderIn, level: number) =>
  FloorPlanStore.use((store) => store.get({ organizationId: id, reader: owner, level }))

const digestOf = ({ id, owner }: ReaderIn, level: number) =>
  FloorPlanStore.use((store) => store.digest({ organizationId: id, reader: owner, level }))

const list = ({ id, owner }: ReaderIn) =>
  FloorPlanStore.use((store) => store.list({ organizationId: id, reader: owner }))

const remove = ({ id }: OrganizationFixture, level: number, administratorId: AdministratorId) =>
  FloorPlanStore.use((store) => store.remove({ organizationId: id, administratorId, level }))

const withoutImage = ({ image: _, digest: __, ...plan }: FloorPlanImage) => plan

const laws: Laws = (it) => {
  it("a plan is kept as it was given, in place of the floor's own", function* (fixture, other) {
    const before = yield* versionOf(fixture)
    const plan = planOf(fixture, 0)
    same(yield* put(plan, fixture.owner), withoutImage(plan))
    const kept = yield* get(fixture, 0)
    same(withoutImage(kept), withoutImage(plan))
    assert.deepStrictEqual([...kept.image], [...image])
    same([kept.digest, yield* digestOf(fixture, 0)], [plan.digest, plan.digest])
    const empty = new Uint8Array(0)
    const digest = "07".repeat(32)
    const later = planOf(fixture, 0, { type: "image/webp", image: empty, digest, bytes: 0, rotation: 0, west: -180 })
    yield* put(later, fixture.owner)
    same(yield* list(fixture), [withoutImage(later)])
    assert.strictEqual((yield* get(fixture, 0)).image.length, 0)
    assert.strictEqual(yield* digestOf(fixture, 0), digest)
    same(yield* list(other), [])
    const updated = { _tag: "OrganizationChanged", changed: "updated" }
    same(yield* eventsSince(fixture, before), [updated, updated])
  })

  it("plans are listed from the lowest floor, and removed one by one", function* (fixture) {
    for (const level of [3, -2, 0]) yield* put(planOf(fixture, level), fixture.owner)
    const levels = Effect.map(list(fixture), (plans) => pluck(plans, "level"))
    same(yield* levels, [-2, 0, 3])
    yield* remove(fixture, 0, fixture.owner)
    same(yield* levels, [-2, 3])
    yield* refused(remove(fixture, 0, fixture.owner), "FloorPlanNotFound")
    yield* refused(get(fixture, 0), "FloorPlanNotFound")
    yield* refused(digestOf(fixture, 0), "FloorPlanNotFound")
  })

  it("of racing plans no more are kept than are allowed", function* (fixture) {
    const allowed = 3
    const racing = times(8, (level) =>
      FloorPlanStore.use((store) =>
        store.put({
          plan: planOf(fixture, level),
          administratorId: fixture.owner,
          decide: (others) => (others < allowed ? Result.void : Result.fail({ _tag: "TooManyFloorPlans" } as const))
        })
      )
    )
    yield* expectRefusals(race(racing), { TooManyFloorPlans: 5 })
    assert.strictEqual((yield* list(fixture)).length, allowed)
  })

  it("a refusal changes nothing", function* (fixture, other) {
    for (let level = 0; level < MAX_FLOOR_PLANS; level++) yield* put(planOf(fixture, level), fixture.owner)
    const before = [yield* list(fixture), yield* versionOf(fixture)] as const
    const viewer = yield* aBoundAdministrator(fixture, "viewer")
    yield* refused(put(planOf(fixture, MAX_FLOOR_PLANS), fixture.owner), "TooManyFloorPlans")
    yield* refused(put(planOf(fixture, 0), viewer.administratorId), "PermissionTooLow")
    yield* refused(remove(fixture, 0, viewer.administratorId), "PermissionTooLow")
    yield* refused(remove(fixture, 0, someAdministrator()), "PermissionTooLow")
    yield* refused(remove(fixture, -1, fixture.owner), "FloorPlanNotFound")
    same([yield* list(fixture), yield* versionOf(fixture)], before)
    for (const owner of [viewer.administratorId, displayOf(fixture)]) {
      const reader = { ...fixture, owner }
      same([yield* list(reader), (yield* get(reader, 0)).digest], [before[0], yield* digestOf(reader, 0)])
    }
    for (const owner of [someAdministrator(), displayOf(other)]) {
      const stranger = { ...fixture, owner }
      yield* refused(list(stranger), "PermissionTooLow")
      yield* refused(get(stranger, 0), "PermissionTooLow")
      yield* refused(digestOf(stranger, -1), "PermissionTooLow")
    }
    // A plan that takes the place of one needs no room.
    yield* put(planOf(fixture, 0, { rotation: 90 }), fixture.owner)
  })

  it("plans end with their organization", function* () {
    const fixture = yield* anOrganization()
    yield* put(planOf(fixture, 0), fixture.owner)
    yield* deleteOrganization(fixture)
    for (const gone of [fixture, neverCreated(fixture)]) {
      yield* refused(put(planOf(gone, 0), fixture.owner), "OrganizationNotFound")
      yield* refused(get(gone, 0), "OrganizationNotFound")
      yield* refused(list({ ...gone, owner: displayOf(gone) }), "OrganizationNotFound")
      yield* refused(digestOf(gone, 0), "OrganizationNotFound")
      yield* refused(list(gone), "OrganizationNotFound")
      yield* refused(remove(gone, 0, fixture.owner), "OrganizationNotFound")
    }
  })
}

/** What every adapter of `FloorPlanStore` promises. */
export const floorPlanStoreLaws = suite("FloorPlanStore", [laws])
