/** Laws of `OrganizationStore` for creating and listing organizations; it also runs the laws for updates. */
import {
  AdministratorAccounts,
  Mail,
  type NewOrganization,
  OrganizationId,
  OrganizationStore,
  PermissionStore,
  type Stores,
  allPages
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { rectangleArea, wholeGrid } from "../../../arbitraries/areas.ts"
import { newOrganization } from "../../../arbitraries/organizations.ts"
import { NOW } from "../../../arbitraries/times.ts"
import {
  anOrganization,
  deleteOrganization,
  someAdministrator,
  someMail,
  unused,
  NEVER_ISSUED
} from "../../shared/fixtures.ts"
import { organizationUpdateLaws } from "./updates.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import { type Laws, type LawOptions, suite } from "../../shared/suite.ts"

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

const creationLaws: Laws = (law) => {
  law.prop(
    "an organization is kept exactly as it was given",
    { organization: newOrganization },
    function* ({ organization }) {
      const name = `${[...organization.name].slice(0, 60).join("")} ${unused("o")}`
      const fixture = yield* anOrganization({
        ...organization,
        name,
        authenticationServer: organization.authenticationServer
      })
      const expected = {
        ...organization,
        name,
        id: fixture.id,
        creationDate: NOW,
        lastChangeDate: NOW
      }
      same(fixture.organization, expected)
      const read = yield* OrganizationStore.use((store) => store.get(fixture.id))
      same(Option.getOrUndefined(read), expected)
    }
  )

  law("the owner is bound as an owner, nominated by themselves, with the account that was decided", function* () {
    const fixture = yield* anOrganization()
    const permissions = yield* PermissionStore.use((store) => store.listByOrganization(fixture.id))
    same(permissions, [
      {
        administratorId: fixture.owner,
        organizationId: fixture.id,
        level: "owner",
        mail: fixture.ownerMail,
        nominatedBy: fixture.owner
      }
    ])
    yield* refused(
      AdministratorAccounts.use((accounts) =>
        accounts.register({ administratorId: someAdministrator(), mail: fixture.ownerMail })
      ),
      "AdministratorExists"
    )
  })

  law("a creation is decided on the accounts that the owner's id and mail address lead to", function* () {
    const store = yield* OrganizationStore
    const { owner, ownerMail } = yield* anOrganization()
    const other = yield* anOrganization()
    const mail = Mail.make(other.ownerMail.toUpperCase())
    const seen = yield* Effect.flip(
      store.create({
        organization: fields(unused("organization")),
        owner: { administratorId: owner, mail },
        now: NOW,
        decide: ({ byId, byMail }) =>
          Result.fail({
            _tag: "Seen" as const,
            byId: Option.getOrUndefined(byId),
            byMail: Option.getOrUndefined(byMail)
          })
      })
    )
    same(seen, {
      _tag: "Seen",
      byId: { administratorId: owner, mail: ownerMail },
      byMail: { administratorId: other.owner, mail: other.ownerMail }
    })
  })

  law("a creation that is refused leaves nothing: neither name nor account", function* () {
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
    yield* AdministratorAccounts.use((accounts) => accounts.register({ administratorId, mail }))
  })

  law("of 20 organizations that take one name at the same moment one gets it", function* () {
    const name = unused("organization")
    const { succeeded, refusals } = yield* race(times(20, () => create(name)))
    assert.strictEqual(succeeded.length, 1)
    same(refusals, { OrganizationNameTaken: 19 })
  })

  law("20 organizations of one new owner at the same moment make one account", function* () {
    const [administratorId, mail] = [someAdministrator(), someMail()]
    const { succeeded, refusals } = yield* race(times(20, () => create(unused("organization"), administratorId, mail)))
    same(refusals, {})
    const ids = succeeded.map(({ id }) => id).sort((one, other) => (one < other ? -1 : 1))
    const permissions = yield* PermissionStore.use((store) => store.listByAdministrator(administratorId))
    same(
      permissions.map(({ organizationId }) => organizationId),
      ids
    )
    for (const permission of permissions) assert.strictEqual(permission.mail, mail)
  })

  law("ids rise, the list is in their order, and the id of a deleted organization is never used again", function* () {
    const store = yield* OrganizationStore
    const [first, second, third] = [yield* anOrganization(), yield* anOrganization(), yield* anOrganization()]
    yield* deleteOrganization(third)
    const fourth = yield* anOrganization()
    const ids = [first, second, third, fourth].map(({ organization }) => organization.id)
    assert.isTrue(ids.every((id, index) => id > (ids[index - 1] ?? 0n)))
    const listed = (yield* allPages(store.list)).map(({ id }) => id)
    assert.deepStrictEqual(
      listed,
      [...listed].sort((one, other) => (one < other ? -1 : 1))
    )
    assert.deepStrictEqual(
      listed.filter((id) => ids.includes(id)),
      [ids[0]!, ids[1]!, ids[3]!]
    )
    same(
      (yield* allPages(store.list)).find(({ id }) => id === second.organization.id),
      second.organization
    )
  })

  law("an organization that was never created is not there", function* () {
    for (const id of [9007199254740991n, NEVER_ISSUED]) {
      const found = yield* OrganizationStore.use((store) => store.get(OrganizationId.make(id)))
      assert.isTrue(Option.isNone(found))
    }
  })
}

/** The laws of `OrganizationStore`. */
export const organizationStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: OrganizationStore`, stores, [creationLaws, organizationUpdateLaws], options)
