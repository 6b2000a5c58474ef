/** Laws of `OrganizationStore`: creating, listing and changing organizations. */
import { assert } from "@effect/vitest"
import {
  AdministratorAccounts,
  invitedOwner,
  Mail,
  type NewOrganization,
  type Organization,
  OrganizationId,
  OrganizationStore,
  PAGE_TEXT,
  PlacePremises,
  allPages
} from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import { rectangleArea, wholeGrid } from "../../arbitraries/areas.ts"
import { newOrganization } from "../../arbitraries/organizations.ts"
import { NOW, after } from "../../arbitraries/times.ts"
import {
  NEVER_ISSUED,
  type OrganizationFixture,
  aBoundAdministrator,
  aPart,
  aPlace,
  anOrganization,
  changeOrganization,
  deleteOrganization,
  enter,
  leave,
  neverCreated,
  someAdministrator,
  someMail,
  unused,
  cell
} from "../shared/fixtures.ts"
import { aDevice, reading, send } from "../shared/devices.ts"
import { seen, allSucceed, refused, same, times, concurrently, expectRefusals, race, pluck } from "../shared/outcome.ts"
import { withdraw, permissionsIn, permissionsOf, anAccount, register } from "../shared/permissions.ts"
import { type Laws, suite } from "../shared/suite.ts"

const fields = (name: string): NewOrganization => ({
  name,
  trackingArea: rectangleArea(wholeGrid(2)),
  trackingMode: "anonymous"
})

/** Creates an organization with a new owner, whose account is stored as given. */
const create = (name: string, administratorId = someAdministrator(), mail = someMail()) =>
  OrganizationStore.use((store) =>
    store.create({
      organization: fields(name),
      owner: { administratorId, mail },
      now: NOW,
      decide: () => Result.succeed({ _tag: "Kept", account: { administratorId, mail } })
    })
  )

const read = ({ id }: OrganizationFixture) =>
  OrganizationStore.use((store) => Effect.map(store.get(id), Option.getOrUndefined))

const creationLaws: Laws = (it) => {
  it.prop(
    "an organization is kept exactly as it was given",
    { organization: newOrganization },
    function* ({ organization }) {
      const name = `${[...organization.name].slice(0, 60).join("")} ${unused("o")}`
      const fixture = yield* anOrganization({ authenticationServer: undefined, ...organization, name })
      const expected = { ...organization, name, id: fixture.id, creationDate: NOW, lastChangeDate: NOW }
      same(fixture.organization, expected)
      same(yield* read(fixture), expected)
    }
  )

  it("the owner is bound as an owner, nominated by themselves, with the account that was decided", function* (fixture) {
    const permissions = yield* permissionsIn(fixture.id)
    same(permissions, [
      {
        administratorId: fixture.owner,
        organizationId: fixture.id,
        level: "owner",
        mail: fixture.ownerMail,
        nominatedBy: fixture.owner
      }
    ])
    yield* refused(register({ ...anAccount(), mail: fixture.ownerMail }), "AdministratorExists")
  })

  it("a creation is decided on the accounts that the owner's id and mail address lead to", function* ({
    owner,
    ownerMail
  }, other) {
    const store = yield* OrganizationStore
    const mail = Mail.make(other.ownerMail.toUpperCase())
    const creation = { organization: fields(unused("organization")), owner: { administratorId: owner, mail }, now: NOW }
    const { facts } = yield* refused(store.create({ ...creation, decide: seen }), "Seen")
    same(Option.getOrUndefined(facts.byId), { administratorId: owner, mail: ownerMail })
    same(Option.getOrUndefined(facts.byMail), { administratorId: other.owner, mail: other.ownerMail })
  })

  it("a creation that is refused leaves nothing: neither name nor account", function* () {
    const store = yield* OrganizationStore
    const [name, administratorId, mail] = [unused("organization"), someAdministrator(), someMail()]
    const refusal = store.create({
      organization: fields(name),
      owner: { administratorId, mail },
      now: NOW,
      decide: () => Result.fail({ _tag: "No" as const })
    })
    yield* refused(refusal, "No")
    yield* anOrganization({ name })
    yield* refused(create(name, administratorId, mail), "OrganizationNameTaken")
    yield* register({ administratorId, mail })
  })

  it("an owner who is invited is found by the first who proves the mail address, and nominated themselves", function* () {
    const mail = someMail()
    const invite = () => {
      const invitation = { administratorId: someAdministrator(), mail }
      return OrganizationStore.use((store) =>
        store.create({
          organization: fields(unused("organization")),
          owner: { mail },
          now: NOW,
          decide: (accounts) => Result.succeed(invitedOwner(invitation, accounts))
        })
      )
    }
    const [one, other, ...racing] = yield* allSucceed(times(5, () => invite()))
    const invited = (yield* permissionsIn(one!.id))[0]!
    same(invited, {
      administratorId: invited.administratorId,
      organizationId: one!.id,
      level: "owner",
      mail,
      nominatedBy: invited.administratorId
    })
    same(pluck(yield* permissionsIn(other!.id), "administratorId"), [invited.administratorId])
    const administratorId = someAdministrator()
    const signedIn = AdministratorAccounts.use((accounts) => accounts.recordSignIn({ administratorId, mail }))
    // Of an organization that is made meanwhile as well.
    const [late] = yield* concurrently([invite(), signedIn])
    for (const { id } of [one!, other!, ...racing, late, yield* invite()]) {
      same(yield* permissionsIn(id), [
        { administratorId, organizationId: id, level: "owner", mail, nominatedBy: administratorId }
      ])
    }
    same(yield* permissionsOf(invited.administratorId), [])
  })

  it("organizations are listed with the numbers of their places, administrators and people inside", function* (first, second, third) {
    const store = yield* OrganizationStore
    const place = yield* aPlace(first, wholeGrid(4))
    yield* aPart(first, place, cell(0))
    yield* aPlace(first, cell(5))
    yield* aBoundAdministrator(first, "viewer")
    const numbersOf = (fixture: OrganizationFixture) =>
      Effect.gen(function* () {
        const { items } = yield* store.overview({ after: OrganizationId.make(fixture.id - 1n), limit: 1 })
        const { organization, ...numbers } = items[0]!
        same(organization, fixture.organization)
        return numbers
      })
    const inside = Effect.map(numbersOf(first), (numbers) => numbers.inside)
    same(yield* numbersOf(first), { places: 3, administrators: 2, inside: 0 })
    same(yield* numbersOf(second), { places: 0, administrators: 1, inside: 0 })
    yield* enter(PlacePremises(place.id))
    same(yield* inside, 1)
    const stay = yield* enter(first.premises)
    same(yield* inside, 1)
    const { device } = yield* aDevice(first)
    yield* send(device, [reading(first.premises, 3, 1)])
    same(yield* inside, 3)
    yield* leave(stay)
    same(yield* inside, 2)

    yield* deleteOrganization(second)
    const ids: Array<OrganizationId> = []
    let hasMore = true
    while (hasMore) {
      const page = yield* store.overview({ after: ids.at(-1), limit: 2 })
      assert.isAtMost(page.items.length, 2)
      ids.push(...page.items.map(({ organization }) => organization.id))
      hasMore = page.hasMore
    }
    same(ids, pluck(yield* allPages(store.list), "id"))
    assert.includeMembers(ids, [first.id, third.id])
    const area = rectangleArea(wholeGrid(2))
    const large = { ...area, text: area.text + " ".repeat(PAGE_TEXT) }
    const wide = yield* Effect.all(times(3, () => anOrganization({ trackingArea: large })))
    const pages = yield* store.overview({ after: OrganizationId.make(wide[0]!.id - 1n), limit: 1_000 })
    assert.isTrue(pages.hasMore)
  })

  it("of 20 organizations that take one name at the same moment one gets it", function* () {
    const name = unused("organization")
    yield* expectRefusals(race(times(20, () => create(name))), { OrganizationNameTaken: 19 })
  })

  it("20 organizations of one new owner at the same moment make one account", function* () {
    const [administratorId, mail] = [someAdministrator(), someMail()]
    const succeeded = yield* allSucceed(times(20, () => create(unused("organization"), administratorId, mail)))
    const ids = succeeded.map(({ id }) => id).sort((one, other) => (one < other ? -1 : 1))
    const permissions = yield* permissionsOf(administratorId)
    same(pluck(permissions, "organizationId"), ids)
    for (const permission of permissions) assert.strictEqual(permission.mail, mail)
  })

  it("the list is in the order of ids, and the id of a deleted organization is never used again", function* (first, second, third, fourth) {
    const store = yield* OrganizationStore
    yield* deleteOrganization(third)
    const ids = [first, second, third, fourth].map(({ organization }) => organization.id)
    assert.strictEqual(new Set([...ids, (yield* anOrganization()).id]).size, 5)
    const listed = (yield* allPages(store.list)).map(({ id }) => id)
    assert.deepStrictEqual(
      listed,
      [...listed].sort((one, other) => (one < other ? -1 : 1))
    )
    assert.sameMembers(
      listed.filter((id) => ids.includes(id)),
      [ids[0]!, ids[1]!, ids[3]!]
    )
    same(
      (yield* allPages(store.list)).find(({ id }) => id === second.id),
      second.organization
    )
  })

  it("a name finds the organization that has it, until it is renamed or deleted", function* (fixture) {
    const store = yield* OrganizationStore
    const found = (name: string) => Effect.map(store.findByName(name), Option.getOrUndefined)
    const { name } = fixture.organization
    const another = unused("organization")
    same(yield* found(name), fixture.organization)
    assert.isUndefined(yield* found(another))
    const renamed = yield* changeOrganization(fixture.id, (organization) => ({ ...organization, name: another }))
    assert.isUndefined(yield* found(name))
    same(yield* found(another), renamed)
    yield* deleteOrganization(fixture)
    assert.isUndefined(yield* found(another))
  })

  it("an organization that was never created is not there", function* () {
    for (const id of [9007199254740991n, NEVER_ISSUED]) {
      const found = yield* OrganizationStore.use((store) => store.get(OrganizationId.make(id)))
      assert.isTrue(Option.isNone(found))
    }
  })
}

const change = ({ id }: OrganizationFixture, by: (organization: Organization) => Organization) =>
  changeOrganization(id, by)

/** The facts that an administrator's update is decided on. The decision refuses, so nothing changes. They are the same without the lock. */
const factsFor = Effect.fnUntraced(function* (
  { id }: OrganizationFixture,
  administratorId: Option.Option<ReturnType<typeof someAdministrator>>,
  withPlaces = false
) {
  const store = yield* OrganizationStore
  const query = { organizationId: id, administratorId, withPlaces }
  const { facts } = yield* refused(store.update({ ...query, decide: seen }), "Seen")
  same((yield* store.preview(query)).facts, facts)
  return facts
})

const organizationUpdateLaws: Laws = (it) => {
  it.prop(
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

  it("an update that is refused changes nothing", function* (fixture) {
    same((yield* factsFor(fixture, Option.none())).organization, fixture.organization)
    same(yield* read(fixture), fixture.organization)
  })

  it("an organization that is not there, or no longer, is not updated", function* (gone) {
    yield* deleteOrganization(gone)
    const unchanged = (organization: Organization) => organization
    for (const one of [gone, neverCreated(gone)]) yield* refused(change(one, unchanged), "OrganizationNotFound")
    const store = yield* OrganizationStore
    const query = { organizationId: gone.id, administratorId: Option.none(), withPlaces: true }
    yield* refused(store.preview(query), "OrganizationNotFound")
  })

  it("a name is taken while another organization has it, and free again after", function* (one, other) {
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

  it("of 10 organizations that are renamed alike at the same moment one gets the name", function* () {
    const name = unused("organization")
    const fixtures = yield* Effect.all(times(10, () => anOrganization()))
    yield* expectRefusals(race(fixtures.map((fixture) => change(fixture, (before) => ({ ...before, name })))), {
      OrganizationNameTaken: 9
    })
  })

  it("30 updates of one organization at the same moment follow each other: none is lost", function* () {
    const fixture = yield* anOrganization({ description: "" })
    yield* concurrently(
      times(30, () => change(fixture, (before) => ({ ...before, description: `${before.description}x` })))
    )
    assert.strictEqual((yield* read(fixture))?.description, "x".repeat(30))
  })

  it("an update is decided on the administrator's level in this organization, in that moment", function* (fixture, other) {
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

  it("an update is not decided on a preview after a change", function* (fixture) {
    const store = yield* OrganizationStore
    const { administratorId } = yield* aBoundAdministrator(fixture, "manager")
    const query = { organizationId: fixture.id, administratorId: Option.some(administratorId), withPlaces: true }
    const changes: ReadonlyArray<() => Effect.Effect<unknown, unknown, any>> = [
      () => Effect.void,
      () => aPlace(fixture),
      () => change(fixture, (before) => ({ ...before, description: "another" })),
      () => withdraw(fixture.id, fixture.owner, administratorId)
    ]
    for (const make of changes) {
      const preview = yield* store.preview(query)
      yield* Effect.orDie(make())
      const { facts } = yield* refused(store.update({ ...query, preview, decide: seen }), "Seen")
      same(facts, (yield* store.preview(query)).facts)
    }
  })

  it("an update is decided on the organization's places when it asks for them", function* (fixture, other) {
    const one = yield* aPlace(fixture, cell(0))
    const two = yield* aPlace(fixture, cell(1))
    yield* aPlace(other)
    const { places } = yield* factsFor(fixture, Option.none(), true)
    same(
      places.map(({ id, trackingArea: { text } }) => [id, text]),
      [one, two].map(({ id, trackingArea: { text } }) => [id, text])
    )
    same((yield* factsFor(fixture, Option.none(), false)).places, [])
  })
}

/** The laws of `OrganizationStore`. */
export const organizationStoreLaws = suite("OrganizationStore", [creationLaws, organizationUpdateLaws])
