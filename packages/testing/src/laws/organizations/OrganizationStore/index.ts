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
import { anOrganization, deleted, someAdministrator, someMail, unused } from "../../shared/fixtures.ts"
import { organizationUpdateLaws } from "./updates.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import { generated, type Laws, type LawOptions, suite } from "../../shared/suite.ts"

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

const creationLaws: Laws = (it, options) => {
  it.effect.prop(
    "an organization is kept exactly as it was given",
    { organization: newOrganization },
    ({ organization }) =>
      Effect.gen(function* () {
        const name = `${[...organization.name].slice(0, 60).join("")} ${unused("o")}`
        const ground = yield* anOrganization({
          ...organization,
          name,
          authenticationServer: organization.authenticationServer
        })
        const expected = {
          ...organization,
          name,
          id: ground.organization.id,
          creationDate: NOW,
          lastChangeDate: NOW
        }
        same(ground.organization, expected)
        const read = yield* OrganizationStore.use((store) => store.get(ground.organization.id))
        same(Option.getOrUndefined(read), expected)
      }),
    generated(options)
  )

  it.effect("the owner is bound as an owner, nominated by themselves, with the account that was decided", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const permissions = yield* PermissionStore.use((store) => store.listByOrganization(ground.organization.id))
      same(permissions, [
        {
          administratorId: ground.owner,
          organizationId: ground.organization.id,
          level: "owner",
          mail: ground.ownerMail,
          nominatedBy: ground.owner
        }
      ])
      yield* refused(
        AdministratorAccounts.use((accounts) =>
          accounts.register({ administratorId: someAdministrator(), mail: ground.ownerMail })
        ),
        "AdministratorExists"
      )
    })
  )

  it.effect("a creation is decided on the accounts that the owner's id and mail address lead to", () =>
    Effect.gen(function* () {
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
  )

  it.effect("a creation that is refused leaves nothing: neither name nor account", () =>
    Effect.gen(function* () {
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
  )

  it.effect("of 20 organizations that take one name at the same moment one gets it", () =>
    Effect.gen(function* () {
      const name = unused("organization")
      const { succeeded, refusals } = yield* race(times(20, () => create(name)))
      assert.strictEqual(succeeded.length, 1)
      same(refusals, { OrganizationNameTaken: 19 })
    })
  )

  it.effect("20 organizations of one new owner at the same moment make one account", () =>
    Effect.gen(function* () {
      const [administratorId, mail] = [someAdministrator(), someMail()]
      const { succeeded, refusals } = yield* race(
        times(20, () => create(unused("organization"), administratorId, mail))
      )
      same(refusals, {})
      const ids = succeeded.map(({ id }) => id).sort((one, other) => (one < other ? -1 : 1))
      const permissions = yield* PermissionStore.use((store) => store.listByAdministrator(administratorId))
      same(
        permissions.map(({ organizationId }) => organizationId),
        ids
      )
      for (const permission of permissions) assert.strictEqual(permission.mail, mail)
    })
  )

  it.effect("ids rise, the list is in their order, and the id of a deleted organization is never used again", () =>
    Effect.gen(function* () {
      const store = yield* OrganizationStore
      const [first, second, third] = [yield* anOrganization(), yield* anOrganization(), yield* anOrganization()]
      yield* deleted(third)
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
  )

  it.effect("a name finds the organization that has it, until it is renamed or deleted", () =>
    Effect.gen(function* () {
      const store = yield* OrganizationStore
      const found = (name: string) => Effect.map(store.findByName(name), Option.getOrUndefined)
      const [before, after] = [unused("organization"), unused("organization")]
      assert.isUndefined(yield* found(before))
      const ground = yield* anOrganization({ name: before })
      const { id } = ground.organization
      same(yield* found(before), ground.organization)
      const renamed = yield* store.update({
        organizationId: id,
        administratorId: Option.none(),
        withPlaces: false,
        decide: ({ organization }) => Result.succeed({ ...organization, name: after })
      })
      assert.isUndefined(yield* found(before))
      same(yield* found(after), renamed)
      yield* deleted(ground)
      assert.isUndefined(yield* found(after))
    })
  )

  it.effect("an organization that was never created is not there", () =>
    Effect.gen(function* () {
      for (const id of [9007199254740991n, 9223372036854775807n]) {
        const found = yield* OrganizationStore.use((store) => store.get(OrganizationId.make(id)))
        assert.isTrue(Option.isNone(found))
      }
    })
  )
}

/** The laws of `OrganizationStore`. */
export const organizationStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: OrganizationStore`, stores, [creationLaws, organizationUpdateLaws], options)
