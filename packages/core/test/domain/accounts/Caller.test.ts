/** Callers by kind, the subjects of requests for personal data, and tracking modes. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import {
  Administrator,
  AdministratorId,
  AdministratorSubject,
  CallerOfAnotherKind,
  type DataSubject,
  Mail,
  MailSubject,
  NOTHING_STORED,
  Operator,
  OperatorId,
  OperatorSubject,
  OrganizationId,
  OrgAuthServerId,
  PersonSubject,
  requireAdministrator,
  requireOperator,
  requireUser,
  TrackingMode,
  User,
  UserId,
  UserSubject
} from "../../../src/index.ts"
import { words } from "../../trials.ts"

describe("an authenticated caller", () => {
  it("is required to be of the kind that a use case takes", () => {
    const callers = [
      User(UserId.make("ada")),
      Administrator(AdministratorId.make("ada")),
      Operator(OperatorId.make("ada"))
    ]
    const requires = [requireUser, requireAdministrator, requireOperator]
    for (const [i, caller] of callers.entries()) {
      for (const [j, require] of requires.entries()) {
        const required = callers[j]!._tag
        const expected =
          i === j ? Result.succeed(caller) : Result.fail(new CallerOfAnotherKind({ required, kind: caller._tag }))
        assert.deepStrictEqual<unknown>(require(caller), expected)
      }
    }
  })
})

describe("a subject whose data is asked for", () => {
  it("is a user, a person of an organization, an administrator by id or mail address, or an operator", () => {
    const [organizationId, orgAuthServerId] = [OrganizationId.make(7n), OrgAuthServerId.make("uid=ada")]
    const [userId, administratorId, operatorId] = [
      UserId.make("ada"),
      AdministratorId.make("ada"),
      OperatorId.make("ada")
    ]
    const mail = Mail.make("ada@example.org")
    const cases: ReadonlyArray<readonly [DataSubject, object]> = [
      [UserSubject(userId), { _tag: "UserSubject", userId }],
      [PersonSubject(organizationId, orgAuthServerId), { _tag: "PersonSubject", organizationId, orgAuthServerId }],
      [AdministratorSubject(administratorId), { _tag: "AdministratorSubject", administratorId }],
      [MailSubject(mail), { _tag: "MailSubject", mail }],
      [OperatorSubject(operatorId), { _tag: "OperatorSubject", operatorId }]
    ]
    for (const [subject, expected] of cases) assert.deepStrictEqual<unknown>(subject, expected)
  })
})

describe("nothing stored about a subject", () => {
  it("is an empty list of every kind", () => {
    const kinds = words(`
      accountLinks favorites accesses openStays retriedEntrances musterEntries accounts permissions nominations deletionRequests
      deletionDecisions startedMusters sweptPlaces createdWebhooks auditEntries
    `)
    assert.deepStrictEqual<unknown>(NOTHING_STORED, Object.fromEntries(kinds.map((kind) => [kind, []])))
  })
})

describe("a tracking mode", () => {
  it("is anonymous or authenticated, and nothing else", () => {
    const isMode = Schema.is(TrackingMode)
    for (const mode of ["anonymous", "authenticated"]) assert.isTrue(isMode(mode), mode)
    for (const mode of ["", "Anonymous", "none", 0, null]) assert.isFalse(isMode(mode), String(mode))
  })
})
