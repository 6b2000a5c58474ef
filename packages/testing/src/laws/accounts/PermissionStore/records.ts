/** Laws of `PermissionStore` for adding, changing, removing and listing permissions. */
import {
  AdministratorAccounts,
  Mail,
  OrgAuthServerId,
  OrganizationId,
  PermissionStore,
  PlacePremises
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import {
  aBoundAdministrator,
  anOrganization,
  aPlace,
  deleteOrganization,
  someAdministrator,
  someMail,
  MISSING_PREMISES,
  NO_ORGANIZATION
} from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { createAccount, factsOf, grant, setLevel, withdraw } from "./changes.ts"

const listOf = (organizationId: OrganizationId) =>
  PermissionStore.use((store) => store.listByOrganization(organizationId))

export const permissionRecordLaws: Laws = (law) => {
  law("a permission is kept as it was granted, with the mail address of its administrator's account", function* () {
    const fixture = yield* anOrganization()
    const account = { administratorId: someAdministrator(), mail: someMail() }
    yield* AdministratorAccounts.use((accounts) => accounts.register(account))
    const orgAuthServerId = OrgAuthServerId.make("uid=a%2Cb,ou=people/漢")
    const other = yield* aBoundAdministrator(fixture, "manager")
    const nominatedBy = other.administratorId
    const granted = yield* grant(fixture, account.administratorId, { orgAuthServerId, nominatedBy })
    const organizationId = fixture.id
    const expected = { ...account, organizationId, level: "viewer", orgAuthServerId, nominatedBy }
    same(granted, expected)
    const [owner, ...others] = yield* listOf(organizationId)
    assert.strictEqual(owner?.administratorId, fixture.owner)
    same(others, [other, expected])
    same((yield* factsOf(fixture, {})).permissions, [owner, other, expected])
  })

  law("an account is registered together with its permission, or not at all", function* () {
    const fixture = yield* anOrganization()
    const account = { administratorId: someAdministrator(), mail: someMail() }
    const refusal = PermissionStore.use((store) =>
      store.change({
        organizationId: fixture.id,
        administrator: account,
        decide: () => Result.fail({ _tag: "No" as const })
      })
    )
    yield* refused(refusal, "No")
    same((yield* factsOf(fixture, account)).byId, undefined)
    yield* createAccount(fixture, account)
    const { byId, byMail } = yield* factsOf(fixture, { ...account, mail: Mail.make(account.mail.toLowerCase()) })
    same([byId, byMail], [account, account])
    yield* refused(createAccount(fixture, account), "AdministratorExists")
  })

  law(
    "a change is decided on the accounts that the name leads to, mail addresses without regard to case",
    function* () {
      const fixture = yield* anOrganization()
      const other = yield* anOrganization()
      const upperCase = Mail.make(other.ownerMail.toUpperCase())
      const owner = { administratorId: fixture.owner, mail: fixture.ownerMail }
      const otherOwner = { administratorId: other.owner, mail: other.ownerMail }
      const cases = [
        [{ administratorId: fixture.owner }, owner, undefined],
        [{ mail: upperCase }, undefined, otherOwner],
        [{ administratorId: fixture.owner, mail: upperCase }, owner, otherOwner],
        [{ administratorId: someAdministrator(), mail: someMail() }, undefined, undefined],
        [{}, undefined, undefined]
      ] as const
      for (const [name, byId, byMail] of cases) {
        const facts = yield* factsOf(fixture, name)
        same([facts.byId, facts.byMail], [byId, byMail])
      }
    }
  )

  law("a change of the level changes the level alone, and the order of permissions stays", function* () {
    const fixture = yield* anOrganization()
    const viewer = yield* aBoundAdministrator(fixture, "viewer", { orgAuthServerId: OrgAuthServerId.make("a,b") })
    const manager = yield* aBoundAdministrator(fixture, "manager")
    const changed = yield* setLevel(fixture.id, fixture.owner, viewer.administratorId, "owner")
    same(changed, { ...viewer, level: "owner" })
    same((yield* listOf(fixture.id)).slice(1), [changed, manager])
  })

  law("a permission that was withdrawn is gone, its account stays, and it may be granted again", function* () {
    const permissions = yield* PermissionStore
    const fixture = yield* anOrganization()
    const viewer = yield* aBoundAdministrator(fixture, "viewer")
    const manager = yield* aBoundAdministrator(fixture, "manager")
    const { administratorId, mail } = viewer
    same(yield* withdraw(fixture.id, fixture.owner, administratorId), viewer)
    same((yield* listOf(fixture.id)).slice(1), [manager])
    same(yield* permissions.listByAdministrator(administratorId), [])
    same((yield* factsOf(fixture, { administratorId })).byId, { administratorId, mail })
    const again = yield* grant(fixture, administratorId, { level: "owner" })
    same((yield* listOf(fixture.id)).slice(1), [manager, again])
  })

  law("an administrator's permissions are listed in the order of organizations' ids", function* () {
    const permissions = yield* PermissionStore
    const fixtures = [yield* anOrganization(), yield* anOrganization(), yield* anOrganization()]
    const { administratorId, mail } = yield* aBoundAdministrator(fixtures[1]!, "owner")
    yield* grant(fixtures[2]!, administratorId, { level: "manager" })
    yield* grant(fixtures[0]!, administratorId, { level: "viewer" })
    const mine = yield* permissions.listByAdministrator(administratorId)
    same(
      mine.map((permission) => [permission.organizationId, permission.level, permission.mail]),
      fixtures.map(({ organization }, index) => [
        organization.id,
        (["viewer", "owner", "manager"] as const)[index],
        mail
      ])
    )
    same(yield* permissions.listByAdministrator(someAdministrator()), [])
  })

  law(
    "lists of permissions that are asked for at one moment are answered each with its own, and the newest",
    function* () {
      const permissions = yield* PermissionStore
      const { administratorId: shared } = yield* aBoundAdministrator(yield* anOrganization(), "viewer")
      const owners = yield* Effect.all(
        times(12, () =>
          Effect.gen(function* () {
            const fixture = yield* anOrganization()
            same(
              (yield* permissions.listByAdministrator(fixture.owner)).map(({ organizationId }) => organizationId),
              [fixture.id]
            )
            const granted = yield* grant(fixture, shared, { level: "manager" })
            const listed = yield* permissions.listByAdministrator(shared)
            same(
              listed.find(({ organizationId }) => organizationId === fixture.id),
              granted
            )
            return fixture.owner
          })
        ),
        { concurrency: "unbounded" }
      )
      const lists = yield* Effect.forEach([...owners, shared, ...owners, shared], permissions.listByAdministrator, {
        concurrency: "unbounded"
      })
      same(
        lists.map((list) => list.length),
        [...owners.map(() => 1), 13, ...owners.map(() => 1), 13]
      )
    }
  )

  law("a permission for one organization never acts on another", function* () {
    const [fixture, other] = [yield* anOrganization(), yield* anOrganization()]
    const { administratorId } = yield* aBoundAdministrator(fixture, "viewer")
    yield* grant(other, administratorId, { level: "owner" })
    yield* setLevel(fixture.id, fixture.owner, administratorId, "manager")
    yield* withdraw(other.organization.id, other.owner, administratorId)
    same(
      (yield* listOf(fixture.id)).map(({ level }) => level),
      ["owner", "manager"]
    )
    same(
      (yield* listOf(other.organization.id)).map(({ level }) => level),
      ["owner"]
    )
  })

  law("an administrator stands towards premises where their organization bound them, or nowhere", function* () {
    const permissions = yield* PermissionStore
    const [fixture, other] = [yield* anOrganization(), yield* anOrganization()]
    const place = yield* aPlace(fixture)
    const { administratorId } = yield* aBoundAdministrator(fixture, "manager")
    for (const premises of [fixture.premises, PlacePremises(place.id)]) {
      for (const [who, level] of [
        [administratorId, "manager"],
        [fixture.owner, "owner"],
        [other.owner, undefined]
      ] as const) {
        const membership = Option.getOrUndefined(yield* permissions.membership(premises, who))
        assert.strictEqual(membership?.organizationId, fixture.id)
        assert.strictEqual(Option.getOrUndefined(membership!.level), level)
      }
    }
    yield* deleteOrganization(fixture)
    for (const premises of [fixture.premises, PlacePremises(place.id), ...MISSING_PREMISES]) {
      assert.isTrue(Option.isNone(yield* permissions.membership(premises, fixture.owner)))
    }
  })

  law("memberships of several administrators are read together, in the order asked", function* () {
    const permissions = yield* PermissionStore
    const [fixture, other, ended] = [yield* anOrganization(), yield* anOrganization(), yield* anOrganization()]
    const { administratorId } = yield* aBoundAdministrator(fixture, "viewer")
    yield* deleteOrganization(ended)
    const [one, two, three] = [fixture.id, other.organization.id, ended.organization.id]
    const asked = [
      [two, fixture.owner, Option.none()],
      [one, administratorId, Option.some("viewer")],
      [three, ended.owner, undefined],
      [one, fixture.owner, Option.some("owner")],
      [NO_ORGANIZATION, fixture.owner, undefined],
      [one, fixture.owner, Option.some("owner")],
      [one, someAdministrator(), Option.none()]
    ] as const
    const read = yield* permissions.memberships(
      asked.map(([organizationId, administratorId]) => ({ organizationId, administratorId }))
    )
    same(
      read.map(Option.getOrUndefined),
      asked.map(([organizationId, , level]) => (level === undefined ? undefined : { organizationId, level }))
    )
    same(yield* permissions.memberships([]), [])
  })

  law("nothing is granted in an organization that is not there", function* () {
    const fixture = yield* anOrganization()
    yield* deleteOrganization(fixture)
    yield* refused(grant(fixture, fixture.owner), "OrganizationNotFound")
    same(yield* listOf(fixture.id), [])
  })
}
