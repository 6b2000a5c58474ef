/** All errors that core exports: each has its own name as tag, and a message without the values of its fields. */
import * as Core from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"

type ErrorClass = new (fields: object) => Error & { readonly _tag: string }

const isErrorClass = (value: unknown): value is ErrorClass =>
  typeof value === "function" && value.prototype instanceof Error

const errors = Object.entries<unknown>(Core).flatMap(([name, value]) =>
  isErrorClass(value) ? [[name, value] as const] : []
)

/** Fields with a value that messages must not contain. */
const FIELDS = { reason: "secret", mail: "secret", administratorId: "secret" }

describe("the exported errors of core", () => {
  it("include those of domain, ports and services", () => {
    const names = errors.map(([name]) => name)
    assert.includeMembers(names, ["ExitNotMatched", "StoreError", "SignInRefused"])
  })

  for (const [name, one] of errors) {
    it(`${name} has its name as tag, and a message without the values of its fields`, () => {
      const { _tag, message } = new one(FIELDS)
      assert.strictEqual(_tag, name)
      assert.match(message, /^\S+( \S+)+$/)
      assert.notInclude(message, "secret")
    })
  }
})
