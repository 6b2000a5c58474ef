/** The laws of `PermissionStore` on concurrent changes: no interleaving breaks a rule. */
import { PermissionStore } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { aBoundAdministrator, anOrganization, someAdministrator, someMail } from "../../shared/fixtures.ts"
import { race, same, times } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { createAccount, factsOf, grant, setLevel, withdraw } from "./changes.ts"

export const permissionRaceLaws: Laws = (law) => {
  const ways = {
    withdraw,
    demote: (...[organizationId, owner, other]: Parameters<typeof withdraw>) =>
      setLevel(organizationId, owner, other, "viewer")
  }
  for (const [name, act] of Object.entries(ways)) {
    law(`two owners who ${name} each other at the same moment leave one owner`, function* () {
      for (const _ of times(10, (n) => n)) {
        const { organization, owner, ...fixture } = yield* anOrganization()
        const other = yield* aBoundAdministrator({ organization, owner, ...fixture }, "owner")
        const { succeeded } = yield* race([
          act(organization.id, owner, other.administratorId),
          act(organization.id, other.administratorId, owner)
        ])
        assert.strictEqual(succeeded.length, 1)
        const permissions = yield* PermissionStore.use((store) => store.listByOrganization(organization.id))
        assert.strictEqual(permissions.filter(({ level }) => level === "owner").length, 1)
      }
    })

    law(`ten owners who all ${name} themselves at the same moment leave one owner`, function* () {
      const fixture = yield* anOrganization()
      const { id } = fixture.organization
      const others = yield* Effect.all(times(9, () => aBoundAdministrator(fixture, "owner")))
      const owners = [fixture.owner, ...others.map(({ administratorId }) => administratorId)]
      const { succeeded, refusals } = yield* race(owners.map((owner) => act(id, owner, owner)))
      assert.strictEqual(succeeded.length, 9)
      same(refusals, { LastOwnerStays: 1 })
      const permissions = yield* PermissionStore.use((store) => store.listByOrganization(id))
      assert.strictEqual(permissions.filter(({ level }) => level === "owner").length, 1)
    })
  }

  law("of 20 grants to one administrator at the same moment one is kept", function* () {
    const [fixture, other] = [yield* anOrganization(), yield* anOrganization()]
    const { succeeded, refusals } = yield* race(times(20, () => grant(fixture, other.owner)))
    assert.strictEqual(succeeded.length, 1)
    same(refusals, { AlreadyBound: 19 })
    const permissions = yield* PermissionStore.use((store) => store.listByOrganization(fixture.id))
    assert.strictEqual(permissions.length, 2)
  })

  law("grants to different administrators at the same moment are all kept", function* () {
    const fixture = yield* anOrganization()
    yield* Effect.all(
      times(20, () => aBoundAdministrator(fixture, "viewer")),
      { concurrency: "unbounded" }
    )
    const permissions = yield* PermissionStore.use((store) => store.listByOrganization(fixture.id))
    assert.strictEqual(permissions.length, 21)
  })

  law("an account that organizations create at the same moment is created by one of them", function* () {
    const fixtures = yield* Effect.all(times(10, () => anOrganization()))
    const account = { administratorId: someAdministrator(), mail: someMail() }
    const { succeeded, refusals } = yield* race(fixtures.map((fixture) => createAccount(fixture, account)))
    assert.strictEqual(succeeded.length, 1)
    same(refusals, { AdministratorExists: 9 })
    const mine = yield* PermissionStore.use((store) => store.listByAdministrator(account.administratorId))
    same(mine, succeeded)
  })

  law("a mail address that organizations give to different new accounts at the same moment is one's", function* () {
    const fixtures = yield* Effect.all(times(10, () => anOrganization()))
    const mail = someMail()
    const { succeeded, refusals } = yield* race(
      fixtures.map((fixture) => createAccount(fixture, { administratorId: someAdministrator(), mail }))
    )
    assert.strictEqual(succeeded.length, 1)
    same(refusals, { AdministratorExists: 9 })
    const { byMail } = yield* factsOf(fixtures[0]!, { mail })
    assert.strictEqual(byMail?.administratorId, succeeded[0]?.administratorId)
  })
}
