/** Laws of `PermissionStore` for adding, changing, removing and listing permissions. */
import {
  AdministratorAccounts,
  Mail,
  OrgAuthServerId,
  OrganizationId,
  OrganizationPremises,
  PermissionStore,
  PlaceId,
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
  deleted,
  someAdministrator,
  someMail
} from "../../shared/fixtures.ts"
import { refused, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { createAccount, factsOf, grant, setLevel, withdraw } from "./changes.ts"

const listOf = (organizationId: OrganizationId) =>
  PermissionStore.use((store) => store.listByOrganization(organizationId))

export const permissionRecordLaws: Laws = (it) => {
  it.effect("a permission is kept as it was granted, with the mail address of its administrator's account", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const account = { administratorId: someAdministrator(), mail: someMail() }
      yield* AdministratorAccounts.use((accounts) => accounts.register(account))
      const orgAuthServerId = OrgAuthServerId.make("uid=a%2Cb,ou=people/漢")
      const other = yield* aBoundAdministrator(ground, "manager")
      const nominatedBy = other.administratorId
      const granted = yield* grant(ground, account.administratorId, { orgAuthServerId, nominatedBy })
      const organizationId = ground.organization.id
      const expected = { ...account, organizationId, level: "viewer", orgAuthServerId, nominatedBy }
      same(granted, expected)
      const [owner, ...others] = yield* listOf(organizationId)
      assert.strictEqual(owner?.administratorId, ground.owner)
      same(others, [other, expected])
      same((yield* factsOf(ground, {})).permissions, [owner, other, expected])
    })
  )

  it.effect("an account is registered together with its permission, or not at all", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const account = { administratorId: someAdministrator(), mail: someMail() }
      const refusal = PermissionStore.use((store) =>
        store.change({
          organizationId: ground.organization.id,
          administrator: account,
          decide: () => Result.fail({ _tag: "No" as const })
        })
      )
      yield* refused(refusal, "No")
      same((yield* factsOf(ground, account)).byId, undefined)
      yield* createAccount(ground, account)
      const { byId, byMail } = yield* factsOf(ground, { ...account, mail: Mail.make(account.mail.toLowerCase()) })
      same([byId, byMail], [account, account])
      yield* refused(createAccount(ground, account), "AdministratorExists")
    })
  )

  it.effect("a change is decided on the accounts that the name leads to, mail addresses without regard to case", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const other = yield* anOrganization()
      const shouted = Mail.make(other.ownerMail.toUpperCase())
      const owner = { administratorId: ground.owner, mail: ground.ownerMail }
      const otherOwner = { administratorId: other.owner, mail: other.ownerMail }
      const cases = [
        [{ administratorId: ground.owner }, owner, undefined],
        [{ mail: shouted }, undefined, otherOwner],
        [{ administratorId: ground.owner, mail: shouted }, owner, otherOwner],
        [{ administratorId: someAdministrator(), mail: someMail() }, undefined, undefined],
        [{}, undefined, undefined]
      ] as const
      for (const [name, byId, byMail] of cases) {
        const facts = yield* factsOf(ground, name)
        same([facts.byId, facts.byMail], [byId, byMail])
      }
    })
  )

  it.effect("a change of the level changes the level alone, and the order of permissions stays", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const viewer = yield* aBoundAdministrator(ground, "viewer", { orgAuthServerId: OrgAuthServerId.make("a,b") })
      const manager = yield* aBoundAdministrator(ground, "manager")
      const changed = yield* setLevel(ground.organization.id, ground.owner, viewer.administratorId, "owner")
      same(changed, { ...viewer, level: "owner" })
      same((yield* listOf(ground.organization.id)).slice(1), [changed, manager])
    })
  )

  it.effect("a permission that was withdrawn is gone, its account stays, and it may be granted again", () =>
    Effect.gen(function* () {
      const permissions = yield* PermissionStore
      const ground = yield* anOrganization()
      const viewer = yield* aBoundAdministrator(ground, "viewer")
      const manager = yield* aBoundAdministrator(ground, "manager")
      const { administratorId, mail } = viewer
      same(yield* withdraw(ground.organization.id, ground.owner, administratorId), viewer)
      same((yield* listOf(ground.organization.id)).slice(1), [manager])
      same(yield* permissions.listByAdministrator(administratorId), [])
      same((yield* factsOf(ground, { administratorId })).byId, { administratorId, mail })
      const again = yield* grant(ground, administratorId, { level: "owner" })
      same((yield* listOf(ground.organization.id)).slice(1), [manager, again])
    })
  )

  it.effect("an administrator's permissions are listed in the order of organizations' ids", () =>
    Effect.gen(function* () {
      const permissions = yield* PermissionStore
      const grounds = [yield* anOrganization(), yield* anOrganization(), yield* anOrganization()]
      const { administratorId, mail } = yield* aBoundAdministrator(grounds[1]!, "owner")
      yield* grant(grounds[2]!, administratorId, { level: "manager" })
      yield* grant(grounds[0]!, administratorId, { level: "viewer" })
      const mine = yield* permissions.listByAdministrator(administratorId)
      same(
        mine.map((permission) => [permission.organizationId, permission.level, permission.mail]),
        grounds.map(({ organization }, index) => [
          organization.id,
          (["viewer", "owner", "manager"] as const)[index],
          mail
        ])
      )
      same(yield* permissions.listByAdministrator(someAdministrator()), [])
    })
  )

  it.effect(
    "lists of permissions that are asked for at one moment are answered each with its own, and the newest",
    () =>
      Effect.gen(function* () {
        const permissions = yield* PermissionStore
        const { administratorId: shared } = yield* aBoundAdministrator(yield* anOrganization(), "viewer")
        const owners = yield* Effect.all(
          times(12, () =>
            Effect.gen(function* () {
              const ground = yield* anOrganization()
              same(
                (yield* permissions.listByAdministrator(ground.owner)).map(({ organizationId }) => organizationId),
                [ground.organization.id]
              )
              const granted = yield* grant(ground, shared, { level: "manager" })
              const listed = yield* permissions.listByAdministrator(shared)
              same(
                listed.find(({ organizationId }) => organizationId === ground.organization.id),
                granted
              )
              return ground.owner
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
      })
  )

  it.effect("a permission for one organization never acts on another", () =>
    Effect.gen(function* () {
      const [ground, other] = [yield* anOrganization(), yield* anOrganization()]
      const { administratorId } = yield* aBoundAdministrator(ground, "viewer")
      yield* grant(other, administratorId, { level: "owner" })
      yield* setLevel(ground.organization.id, ground.owner, administratorId, "manager")
      yield* withdraw(other.organization.id, other.owner, administratorId)
      same(
        (yield* listOf(ground.organization.id)).map(({ level }) => level),
        ["owner", "manager"]
      )
      same(
        (yield* listOf(other.organization.id)).map(({ level }) => level),
        ["owner"]
      )
    })
  )

  it.effect("an administrator stands towards premises where their organization bound them, or nowhere", () =>
    Effect.gen(function* () {
      const permissions = yield* PermissionStore
      const [ground, other] = [yield* anOrganization(), yield* anOrganization()]
      const place = yield* aPlace(ground)
      const { administratorId } = yield* aBoundAdministrator(ground, "manager")
      for (const premises of [ground.premises, PlacePremises(place.id)]) {
        for (const [who, level] of [
          [administratorId, "manager"],
          [ground.owner, "owner"],
          [other.owner, undefined]
        ] as const) {
          const membership = Option.getOrUndefined(yield* permissions.membership(premises, who))
          assert.strictEqual(membership?.organizationId, ground.organization.id)
          assert.strictEqual(Option.getOrUndefined(membership!.level), level)
        }
      }
      yield* deleted(ground)
      const never = [
        OrganizationPremises(OrganizationId.make(9223372036854775807n)),
        PlacePremises(PlaceId.make(9223372036854775807n))
      ]
      for (const premises of [ground.premises, PlacePremises(place.id), ...never]) {
        assert.isTrue(Option.isNone(yield* permissions.membership(premises, ground.owner)))
      }
    })
  )

  it.effect("memberships of several administrators are read together, in the order asked", () =>
    Effect.gen(function* () {
      const permissions = yield* PermissionStore
      const [ground, other, ended] = [yield* anOrganization(), yield* anOrganization(), yield* anOrganization()]
      const { administratorId } = yield* aBoundAdministrator(ground, "viewer")
      yield* deleted(ended)
      const [one, two, three] = [ground.organization.id, other.organization.id, ended.organization.id]
      const asked = [
        [two, ground.owner, Option.none()],
        [one, administratorId, Option.some("viewer")],
        [three, ended.owner, undefined],
        [one, ground.owner, Option.some("owner")],
        [OrganizationId.make(9223372036854775807n), ground.owner, undefined],
        [one, ground.owner, Option.some("owner")],
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
  )

  it.effect("nothing is granted in an organization that is not there", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      yield* deleted(ground)
      yield* refused(grant(ground, ground.owner), "OrganizationNotFound")
      same(yield* listOf(ground.organization.id), [])
    })
  )
}
