import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import {
  Administrator,
  AdministratorId,
  Mail,
  Operator,
  OperatorId,
  TrackingMode,
  User,
  UserId
} from "../../src/index.ts"

describe("a caller", () => {
  it("is a user, an administrator or an operator, whose ids do not meet", () => {
    const mail = Mail.make("ada@example.org")
    assert.deepStrictEqual(User(UserId.make("ada")), { _tag: "User", userId: UserId.make("ada") })
    assert.deepStrictEqual(Administrator(AdministratorId.make("ada"), mail), {
      _tag: "Administrator",
      administratorId: AdministratorId.make("ada"),
      mail
    })
    assert.deepStrictEqual(Operator(OperatorId.make("ada")), { _tag: "Operator", operatorId: OperatorId.make("ada") })
  })
})

describe("a tracking mode", () => {
  it("is anonymous or authenticated, and nothing else", () => {
    const isMode = Schema.is(TrackingMode)
    for (const mode of ["anonymous", "authenticated"]) assert.isTrue(isMode(mode), mode)
    for (const mode of ["", "Anonymous", "none", 0, null]) assert.isFalse(isMode(mode), String(mode))
  })
})
