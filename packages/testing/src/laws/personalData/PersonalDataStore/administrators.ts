/** Laws of `PersonalDataStore` on administrators and operators. */
import {
  AdministratorAccounts,
  AdministratorSubject,
  DeletionRequestStore,
  ERASED,
  Mail,
  MailSubject,
  NOTHING_STORED,
  OperatorId,
  OperatorSubject,
  type PasswordHash
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import { NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  aDeletionRequest,
  anOrganization,
  someAdministrator,
  someMail,
  unused,
  conclude
} from "../../shared/fixtures.ts"
import { refused, same } from "../../shared/outcome.ts"
import { grant, setLevel, permissionsIn, changePermission, grantOf, register } from "../../shared/permissions.ts"
import type { Laws } from "../../shared/suite.ts"
import { collect, erase, erased } from "../../shared/personalData.ts"

const requestOf = (organizationId: unknown) =>
  DeletionRequestStore.use((store) =>
    Effect.map(store.list(Option.none()), (requests) =>
      requests.find((request) => request.organizationId === organizationId)
    )
  )

/** An owner beside another, with a password, who asked for a deletion and nominated a viewer. */
const aBusyOwner = Effect.gen(function* () {
  const fixture = yield* anOrganization()
  const { id } = fixture
  const account = { administratorId: fixture.owner, mail: fixture.ownerMail }
  const other = yield* aBoundAdministrator(fixture, "owner")
  const viewer = yield* aBoundAdministrator(fixture, "viewer")
  yield* aDeletionRequest(fixture, "we close, says ada")
  return { fixture, id, account, other, viewer }
})

export const administratorErasureLaws: Laws = (it) => {
  it("everything that is stored about an administrator is collected, by id and by mail address", function* () {
    const { fixture, id, account } = yield* aBusyOwner
    const data = yield* collect(AdministratorSubject(account.administratorId))
    same(data.accounts, [{ ...account, hasPassword: false }])
    same(data.permissions, (yield* permissionsIn(id)).slice(0, 1))
    same(data.nominations, [
      { organizationId: id, level: "owner" },
      { organizationId: id, level: "viewer" }
    ])
    same(data.deletionRequests, [yield* requestOf(id)])
    same(yield* collect(MailSubject(Mail.make(fixture.ownerMail.toUpperCase()))), data)
  })

  for (const by of ["id", "mail address"] as const) {
    it(`an administrator who is erased by their ${by} is gone, and what they did for others has no name`, function* () {
      const { id, account, other, viewer } = yield* aBusyOwner
      const subject =
        by === "id" ? AdministratorSubject(account.administratorId) : MailSubject(Mail.make(account.mail.toUpperCase()))
      same(yield* erase(subject), erased({ accounts: 1, permissions: 1, mentions: 3 }))
      same(yield* collect(subject), NOTHING_STORED)
      same(
        yield* permissionsIn(id),
        [other, viewer].map((permission) => ({ ...permission, nominatedBy: ERASED }))
      )
      const request = yield* requestOf(id)
      same([request?.administratorId, request?.reason, request?.status], [ERASED, undefined, "pending"])
      same(yield* erase(subject), erased({}))
      // Id and address are free again.
      yield* register(account)
      same((yield* collect(AdministratorSubject(account.administratorId))).permissions, [])
    })
  }

  it("an administrator who is an organization's only owner is not erased at all", function* () {
    const fixtures = [yield* anOrganization(), yield* anOrganization(), yield* anOrganization()]
    const [shared, first, second] = fixtures.map(({ organization }) => organization.id)
    const { administratorId, ...permission } = yield* aBoundAdministrator(fixtures[0]!, "owner")
    for (const fixture of fixtures.slice(1)) {
      yield* grant(fixture, administratorId, { level: "owner" })
      yield* setLevel(fixture.id, administratorId, fixture.owner, "manager")
    }
    const before = yield* collect(AdministratorSubject(administratorId))
    for (const subject of [AdministratorSubject(administratorId), MailSubject(permission.mail!)]) {
      same((yield* refused(erase(subject), "OnlyOwner")).organizationIds, [first, second])
    }
    same(yield* collect(AdministratorSubject(administratorId)), before)
    for (const [i, id] of [first, second].entries())
      yield* setLevel(id!, administratorId, fixtures[i + 1]!.owner, "owner")
    same(yield* erase(AdministratorSubject(administratorId)), erased({ accounts: 1, permissions: 3, mentions: 3 }))
    assert.strictEqual((yield* permissionsIn(shared!)).length, 1)
  })

  it("what a password is compared with goes with its account, and is never collected", function* (fixture) {
    const account = { administratorId: someAdministrator(), mail: someMail(), isMailUnproved: true }
    const passwordHash = unused("hash") as PasswordHash
    yield* changePermission(fixture.id, account, () =>
      Result.succeed(grantOf(fixture, account.administratorId, { mail: account.mail }, { ...account, passwordHash }))
    )
    const data = yield* collect(MailSubject(account.mail))
    same(data.accounts, [{ ...account, hasPassword: true }])
    assert.notInclude(JSON.stringify(data.accounts), passwordHash)
    yield* erase(MailSubject(account.mail))
    const credential = yield* AdministratorAccounts.use((accounts) => accounts.credential(account))
    assert.isTrue(Option.isNone(credential))
    yield* register(account)
    assert.isTrue(Option.isNone(yield* AdministratorAccounts.use((accounts) => accounts.credential(account))))
  })

  it("an operator's name goes from what they decided, and the decisions stay", function* (one, other) {
    const operator = OperatorId.make(unused("operator"))
    for (const [fixture, verdict] of [
      [one, "rejected"],
      [other, "approved"]
    ] as const) {
      yield* conclude(yield* aDeletionRequest(fixture), verdict, operator)
    }
    const { deletionDecisions, ...rest } = yield* collect(OperatorSubject(operator))
    same(
      deletionDecisions.map(({ organizationId, status, decisionDate }) => [organizationId, status, decisionDate]),
      [
        [one.id, "rejected", NOW],
        [other.id, "approved", NOW]
      ]
    )
    same(rest, { ...NOTHING_STORED, deletionDecisions: undefined })
    same(yield* erase(OperatorSubject(operator)), erased({ mentions: 2 }))
    same(yield* collect(OperatorSubject(operator)), NOTHING_STORED)
    const request = yield* requestOf(one.id)
    same(request?.status === "rejected" && request.decidedBy, ERASED)
    same(yield* erase(OperatorSubject(operator)), erased({}))
  })
}
