/** Laws of `OrganizationStore` for changes of an organization. */
import { type Organization, type OrganizationFacts, OrganizationStore, PlaceStore, boundsOf } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { newOrganization } from "../../../arbitraries/organizations.ts"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  changeOrganization,
  deleteOrganization,
  type OrganizationFixture,
  someAdministrator,
  unused,
  neverCreated
} from "../../shared/fixtures.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import { withdraw } from "../../accounts/PermissionStore/changes.ts"
import { type Laws } from "../../shared/suite.ts"

const change = ({ id }: OrganizationFixture, by: (organization: Organization) => Organization) =>
  changeOrganization(id, by)

const read = ({ id }: OrganizationFixture) =>
  Effect.map(
    OrganizationStore.use((store) => store.get(id)),
    Option.getOrUndefined
  )

/** The facts that an administrator's update is decided on. The decision refuses, so nothing changes. They are the same without the lock. */
const factsFor = Effect.fnUntraced(function* (
  { id }: OrganizationFixture,
  administratorId: Option.Option<ReturnType<typeof someAdministrator>>,
  withPlaces = false
) {
  const store = yield* OrganizationStore
  const query = { organizationId: id, administratorId, withPlaces }
  const decide = (facts: OrganizationFacts) => Result.fail({ _tag: "Seen" as const, facts })
  const { facts } = yield* refused(store.update({ ...query, decide }), "Seen")
  same(yield* store.facts(query), facts)
  return facts
})

export const organizationUpdateLaws: Laws = (law) => {
  law.prop(
    "an update writes what was decided, cleared fields as well",
    { before: newOrganization, wanted: newOrganization },
    function* ({ before, wanted }) {
      const fixture = yield* anOrganization({ ...before, name: unused("before") })
      const { id, creationDate } = fixture.organization
      const decided = { ...wanted, name: unused("after"), id, creationDate, lastChangeDate: after(NOW, 1) }
      same(yield* change(fixture, () => decided), decided)
      same(yield* read(fixture), decided)
    }
  )

  law("an update that is refused changes nothing", function* () {
    const fixture = yield* anOrganization()
    same((yield* factsFor(fixture, Option.none())).organization, fixture.organization)
    same(yield* read(fixture), fixture.organization)
  })

  law("an organization that is not there, or no longer, is not updated", function* () {
    const gone = yield* anOrganization()
    yield* deleteOrganization(gone)
    yield* refused(
      change(gone, (same) => same),
      "OrganizationNotFound"
    )
    const never = neverCreated(gone)
    yield* refused(
      change(never, (same) => same),
      "OrganizationNotFound"
    )
    const store = yield* OrganizationStore
    const query = { organizationId: gone.organization.id, administratorId: Option.none(), withPlaces: true }
    yield* refused(store.facts(query), "OrganizationNotFound")
  })

  law("a name is taken while another organization has it, and free again after", function* () {
    const [one, other] = [yield* anOrganization(), yield* anOrganization()]
    const { name } = one.organization
    const rename = (fixture: OrganizationFixture, to: string) => change(fixture, (before) => ({ ...before, name: to }))
    assert.strictEqual((yield* refused(rename(other, name), "OrganizationNameTaken")).name, name)
    same(yield* read(other), other.organization)
    yield* rename(one, name)
    yield* rename(one, unused("organization"))
    assert.strictEqual((yield* rename(other, name)).name, name)
    yield* deleteOrganization(other)
    yield* rename(one, name)
  })

  law("of 10 organizations that are renamed alike at the same moment one gets the name", function* () {
    const name = unused("organization")
    const fixtures = yield* Effect.all(times(10, () => anOrganization()))
    const { succeeded, refusals } = yield* race(
      fixtures.map((fixture) => change(fixture, (before) => ({ ...before, name })))
    )
    assert.strictEqual(succeeded.length, 1)
    same(refusals, { OrganizationNameTaken: 9 })
  })

  law("30 updates of one organization at the same moment follow each other: none is lost", function* () {
    const fixture = yield* anOrganization({ description: "" })
    yield* Effect.all(
      times(30, () => change(fixture, (before) => ({ ...before, description: `${before.description}x` }))),
      { concurrency: "unbounded" }
    )
    assert.strictEqual((yield* read(fixture))?.description, "x".repeat(30))
  })

  law("an update is decided on the administrator's level in this organization, in that moment", function* () {
    const [fixture, other] = [yield* anOrganization(), yield* anOrganization()]
    const manager = yield* aBoundAdministrator(fixture, "manager")
    const levelOf = (id: typeof manager.administratorId) =>
      Effect.map(factsFor(fixture, Option.some(id)), ({ level }) => Option.getOrUndefined(level))
    assert.strictEqual(yield* levelOf(fixture.owner), "owner")
    assert.strictEqual(yield* levelOf(manager.administratorId), "manager")
    assert.strictEqual(yield* levelOf(other.owner), undefined)
    assert.strictEqual(yield* levelOf(someAdministrator()), undefined)
    assert.isTrue(Option.isNone((yield* factsFor(fixture, Option.none())).level))
    yield* withdraw(fixture.id, fixture.owner, manager.administratorId)
    assert.strictEqual(yield* levelOf(manager.administratorId), undefined)
  })

  law("an update is decided on the organization's places when it asks for them", function* () {
    const [fixture, other] = [yield* anOrganization(), yield* anOrganization()]
    const one = yield* aPlace(fixture, { left: 0, bottom: 0, right: 1, top: 1 })
    const two = yield* aPlace(fixture, { left: 1, bottom: 0, right: 2, top: 1 })
    yield* aPlace(other)
    const { places } = yield* factsFor(fixture, Option.none(), true)
    same(
      places.map(({ id, bounds }) => ({ id, bounds })),
      [one, two].map(({ id, trackingArea }) => ({ id, bounds: boundsOf(trackingArea) }))
    )
    const areas = yield* PlaceStore.use((store) => store.areas(fixture.id, [two.id, one.id]))
    same(
      areas.map(({ id, version, trackingArea: { text } }) => ({ id, version, text })),
      [one, two].map(({ id, trackingArea: { text } }, n) => ({ id, version: places[n]!.version, text }))
    )
    same((yield* factsFor(fixture, Option.none(), false)).places, [])
  })
}
