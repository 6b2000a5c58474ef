/** Laws of `PermissionStore`: changes and lists of permissions, also concurrent ones. */
import { assert } from "@effect/vitest"
import { Mail, OrgAuthServerId, PermissionStore, PlacePremises } from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import {
  NO_ORGANIZATION,
  aBoundAdministrator,
  aPlace,
  anOrganization,
  deleteOrganization,
  someAdministrator,
  someMail,
  MISSING_PREMISES,
  displayOf
} from "../shared/fixtures.ts"
import { race, refused, same, times, concurrently, expectRefusals, pluck } from "../shared/outcome.ts"
import {
  createAccount,
  factsOf,
  grant,
  setLevel,
  withdraw,
  anAccount,
  permissionsIn,
  changePermission,
  permissionsOf,
  register
} from "../shared/permissions.ts"
import { type Laws, suite } from "../shared/suite.ts"

const permissionRecordLaws: Laws = (it) => {
  it("a permission is kept as it was granted, with the mail address of its administrator's account", function* (fixture) {
    const account = anAccount()
    yield* register(account)
    const orgAuthServerId = OrgAuthServerId.make("uid=a%2Cb,ou=people/漢")
    const other = yield* aBoundAdministrator(fixture, "manager")
    const nominatedBy = other.administratorId
    const granted = yield* grant(fixture, account.administratorId, { orgAuthServerId, nominatedBy })
    const organizationId = fixture.id
    const expected = { ...account, organizationId, level: "viewer", orgAuthServerId, nominatedBy }
    same(granted, expected)
    const [owner, ...others] = yield* permissionsIn(organizationId)
    assert.strictEqual(owner?.administratorId, fixture.owner)
    same(others, [other, expected])
    same((yield* factsOf(fixture, {})).permissions, [owner, other, expected])
  })

  it("an account is registered together with its permission, or not at all", function* (fixture) {
    const account = anAccount()
    const refuse = () => Result.fail({ _tag: "No" as const })
    yield* refused(changePermission(fixture.id, account, refuse), "No")
    same((yield* factsOf(fixture, account)).byId, undefined)
    yield* createAccount(fixture, account)
    const { byId, byMail } = yield* factsOf(fixture, { ...account, mail: Mail.make(account.mail.toLowerCase()) })
    same([byId, byMail], [account, account])
    yield* refused(createAccount(fixture, account), "AdministratorExists")
  })

  it("a change is decided on the accounts that the name leads to, mail addresses without regard to case", function* (fixture, other) {
    const upperCase = Mail.make(other.ownerMail.toUpperCase())
    const owner = { administratorId: fixture.owner, mail: fixture.ownerMail }
    const otherOwner = { administratorId: other.owner, mail: other.ownerMail }
    const cases = [
      [{ administratorId: fixture.owner }, owner, undefined],
      [{ mail: upperCase }, undefined, otherOwner],
      [{ administratorId: fixture.owner, mail: upperCase }, owner, otherOwner],
      [anAccount(), undefined, undefined],
      [{}, undefined, undefined]
    ] as const
    for (const [name, byId, byMail] of cases) {
      const facts = yield* factsOf(fixture, name)
      same([facts.byId, facts.byMail], [byId, byMail])
    }
  })

  it("a change of the level changes the level alone, and the order of permissions stays", function* (fixture) {
    const viewer = yield* aBoundAdministrator(fixture, "viewer", { orgAuthServerId: OrgAuthServerId.make("a,b") })
    const manager = yield* aBoundAdministrator(fixture, "manager")
    const changed = yield* setLevel(fixture.id, fixture.owner, viewer.administratorId, "owner")
    same(changed, { ...viewer, level: "owner" })
    same((yield* permissionsIn(fixture.id)).slice(1), [changed, manager])
  })

  it("a permission that was withdrawn is gone, its account stays, and it may be granted again", function* (fixture) {
    const viewer = yield* aBoundAdministrator(fixture, "viewer")
    const manager = yield* aBoundAdministrator(fixture, "manager")
    const { administratorId, mail } = viewer
    same(yield* withdraw(fixture.id, fixture.owner, administratorId), viewer)
    same((yield* permissionsIn(fixture.id)).slice(1), [manager])
    same(yield* permissionsOf(administratorId), [])
    same((yield* factsOf(fixture, { administratorId })).byId, { administratorId, mail })
    const again = yield* grant(fixture, administratorId, { level: "owner" })
    same((yield* permissionsIn(fixture.id)).slice(1), [manager, again])
  })

  it("an administrator's permissions are listed in the order of organizations' ids", function* () {
    const fixtures = [yield* anOrganization(), yield* anOrganization(), yield* anOrganization()]
    const { administratorId, mail } = yield* aBoundAdministrator(fixtures[1]!, "owner")
    yield* grant(fixtures[2]!, administratorId, { level: "manager" })
    yield* grant(fixtures[0]!, administratorId, { level: "viewer" })
    const mine = yield* permissionsOf(administratorId)
    same(
      mine.map((permission) => [permission.organizationId, permission.level, permission.mail]),
      fixtures.map(({ organization }, index) => [
        organization.id,
        (["viewer", "owner", "manager"] as const)[index],
        mail
      ])
    )
    same(yield* permissionsOf(someAdministrator()), [])
  })

  it("lists of permissions that are asked for at one moment are answered each with its own, and the newest", function* () {
    const { administratorId: shared } = yield* aBoundAdministrator(yield* anOrganization(), "viewer")
    const owners = yield* concurrently(
      times(12, () =>
        Effect.gen(function* () {
          const fixture = yield* anOrganization()
          same(pluck(yield* permissionsOf(fixture.owner), "organizationId"), [fixture.id])
          const granted = yield* grant(fixture, shared, { level: "manager" })
          const listed = yield* permissionsOf(shared)
          same(
            listed.find(({ organizationId }) => organizationId === fixture.id),
            granted
          )
          return fixture.owner
        })
      )
    )
    const lists = yield* concurrently([...owners, shared, ...owners, shared].map((id) => permissionsOf(id)))
    const lengths = [...owners.map(() => 1), 13]
    same(pluck(lists, "length"), [...lengths, ...lengths])
  })

  it("a permission for one organization never acts on another", function* (fixture, other) {
    const { administratorId } = yield* aBoundAdministrator(fixture, "viewer")
    yield* grant(other, administratorId, { level: "owner" })
    yield* setLevel(fixture.id, fixture.owner, administratorId, "manager")
    yield* withdraw(other.id, other.owner, administratorId)
    same(pluck(yield* permissionsIn(fixture.id), "level"), ["owner", "manager"])
    same(pluck(yield* permissionsIn(other.id), "level"), ["owner"])
  })

  it("an administrator stands towards premises where their organization bound them, or nowhere", function* (fixture, other) {
    const permissions = yield* PermissionStore
    const place = yield* aPlace(fixture)
    const { administratorId } = yield* aBoundAdministrator(fixture, "manager")
    for (const premises of [fixture.premises, PlacePremises(place.id)]) {
      for (const [who, level] of [
        [administratorId, "manager"],
        [fixture.owner, "owner"],
        [other.owner, undefined],
        [displayOf(fixture), "viewer"],
        [displayOf(other), undefined]
      ] as const) {
        const membership = Option.getOrUndefined(yield* permissions.membership(premises, who))
        assert.strictEqual(membership?.organizationId, fixture.id)
        assert.strictEqual(Option.getOrUndefined(membership!.level), level)
      }
    }
    yield* deleteOrganization(fixture)
    for (const premises of [fixture.premises, PlacePremises(place.id), ...MISSING_PREMISES]) {
      for (const reader of [fixture.owner, displayOf(fixture)]) {
        assert.isTrue(Option.isNone(yield* permissions.membership(premises, reader)))
      }
    }
  })

  it("memberships of several administrators are read together, in the order asked", function* (fixture, other, ended) {
    const permissions = yield* PermissionStore
    const { administratorId } = yield* aBoundAdministrator(fixture, "viewer")
    yield* deleteOrganization(ended)
    const [one, two, three] = [fixture.id, other.id, ended.organization.id]
    const requested = [
      [two, fixture.owner, Option.none()],
      [one, administratorId, Option.some("viewer")],
      [three, ended.owner, undefined],
      [one, fixture.owner, Option.some("owner")],
      [NO_ORGANIZATION, fixture.owner, undefined],
      [one, fixture.owner, Option.some("owner")],
      [one, someAdministrator(), Option.none()],
      [one, displayOf(fixture), Option.some("viewer")],
      [two, displayOf(fixture), Option.none()],
      [three, displayOf(ended.organization), undefined]
    ] as const
    const read = yield* permissions.memberships(
      requested.map(([organizationId, reader]) => ({ organizationId, reader }))
    )
    same(
      read.map(Option.getOrUndefined),
      requested.map(([organizationId, , level]) => (level === undefined ? undefined : { organizationId, level }))
    )
    same(yield* permissions.memberships([]), [])
  })

  it("nothing is granted in an organization that is not there", function* (fixture) {
    yield* deleteOrganization(fixture)
    yield* refused(grant(fixture, fixture.owner), "OrganizationNotFound")
    same(yield* permissionsIn(fixture.id), [])
  })
}

const permissionRaceLaws: Laws = (it) => {
  const ways = {
    withdraw,
    demote: (...[organizationId, owner, other]: Parameters<typeof withdraw>) =>
      setLevel(organizationId, owner, other, "viewer")
  }
  for (const [name, act] of Object.entries(ways)) {
    it(`two owners who ${name} each other at the same moment leave one owner`, function* () {
      for (const _ of times(3, (n) => n)) {
        const { organization, owner, ...fixture } = yield* anOrganization()
        const other = yield* aBoundAdministrator({ organization, owner, ...fixture }, "owner")
        const { succeeded } = yield* race([
          act(organization.id, owner, other.administratorId),
          act(organization.id, other.administratorId, owner)
        ])
        assert.strictEqual(succeeded.length, 1)
        const permissions = yield* permissionsIn(organization.id)
        assert.strictEqual(permissions.filter(({ level }) => level === "owner").length, 1)
      }
    })

    it(`ten owners who all ${name} themselves at the same moment leave one owner`, function* (fixture) {
      const { id } = fixture
      const others = yield* Effect.all(times(9, () => aBoundAdministrator(fixture, "owner")))
      const owners = [fixture.owner, ...others.map(({ administratorId }) => administratorId)]
      yield* expectRefusals(race(owners.map((owner) => act(id, owner, owner))), { LastOwnerStays: 1 })
      const permissions = yield* permissionsIn(id)
      assert.strictEqual(permissions.filter(({ level }) => level === "owner").length, 1)
    })
  }

  it("of 20 grants to one administrator at the same moment one is kept", function* (fixture, other) {
    yield* expectRefusals(race(times(20, () => grant(fixture, other.owner))), { AlreadyBound: 19 })
    const permissions = yield* permissionsIn(fixture.id)
    assert.strictEqual(permissions.length, 2)
  })

  it("grants to different administrators at the same moment are all kept", function* (fixture) {
    yield* concurrently(times(20, () => aBoundAdministrator(fixture, "viewer")))
    const permissions = yield* permissionsIn(fixture.id)
    assert.strictEqual(permissions.length, 21)
  })

  it("an account that organizations create at the same moment is created by one of them", function* () {
    const fixtures = yield* Effect.all(times(10, () => anOrganization()))
    const account = anAccount()
    const succeeded = yield* expectRefusals(race(fixtures.map((fixture) => createAccount(fixture, account))), {
      AdministratorExists: 9
    })
    const mine = yield* permissionsOf(account.administratorId)
    same(mine, succeeded)
  })

  it("a mail address that organizations give to different new accounts at the same moment is one's", function* () {
    const fixtures = yield* Effect.all(times(10, () => anOrganization()))
    const mail = someMail()
    const succeeded = yield* expectRefusals(
      race(fixtures.map((fixture) => createAccount(fixture, { administratorId: someAdministrator(), mail }))),
      { AdministratorExists: 9 }
    )
    const { byMail } = yield* factsOf(fixtures[0]!, { mail })
    assert.strictEqual(byMail?.administratorId, succeeded[0]?.administratorId)
  })
}

/** What every `PermissionStore` promises. */
export const permissionStoreLaws = suite("PermissionStore", [permissionRecordLaws, permissionRaceLaws])
