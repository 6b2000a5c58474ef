/** The rules that determine the kind of caller from the claims of a token, and the options that are refused. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as CallerKind from "../src/CallerKind.ts"
import { trials } from "./trials.ts"

const rule = (option: CallerKind.KindOption) => Result.getOrThrow(CallerKind.rule(option))
const read = (option: CallerKind.KindOption, payload: Record<string, unknown>): string => {
  const kind = rule(option).read(payload)
  return Result.isSuccess(kind) ? kind.success : kind.failure._tag
}
const refused = "NotAuthenticated"

const Name = Schema.Literals(CallerKind.NAMES)
/** Roles as tokens have them: those that mean a kind, and others. */
const Role = Schema.Union([
  Schema.Literals(["app", "person", "boss", "root", "__proto__", "constructor", "toString", "User", ""]),
  Schema.String
])
const MEANING: Readonly<Record<string, CallerKind.KindName>> = {
  app: "user",
  person: "user",
  boss: "administrator",
  root: "operator"
}
const option: CallerKind.KindClaim = {
  claim: "roles",
  values: { user: ["app", "person"], administrator: "boss", operator: ["root"] }
}
const meant = (roles: ReadonlyArray<string>) =>
  new Set(roles.flatMap((role) => (Object.hasOwn(MEANING, role) ? [MEANING[role]] : [])))

describe("the kind of a caller", () => {
  it.prop(
    "a caller has the one kind that the roles mean, the default without any, and none with several",
    { roles: Schema.Array(Role), fallback: Schema.UndefinedOr(Name) },
    ({ roles, fallback }) => {
      const kinds = meant(roles)
      const [only] = kinds
      const expected = kinds.size > 1 ? refused : (only ?? fallback ?? refused)
      assert.strictEqual(read({ ...option, default: fallback }, { roles }), expected)
    },
    trials()
  )

  it.prop(
    "a text means the same as an array of it, and an array the same as an object whose keys are its texts",
    [Schema.Array(Role), Schema.Union([Schema.Literals([true, 1, "x"]), Schema.Struct({ id: Schema.String })])],
    ([roles, value]) => {
      // JSON makes own members of all names, as a token does.
      const members = roles.map((role) => `${JSON.stringify(role)}:${JSON.stringify(value)}`)
      assert.strictEqual(read(option, { roles: JSON.parse(`{${members.join(",")}}`) }), read(option, { roles }))
      for (const role of roles) assert.strictEqual(read(option, { roles: role }), read(option, { roles: [role] }))
    },
    trials()
  )

  it.prop(
    "another value is refused, whatever the default, and so is a role that is false or null",
    {
      strange: Schema.Union([
        Schema.Null,
        Schema.Number,
        Schema.Boolean,
        Schema.Struct({ app: Schema.Literal(false) })
      ]),
      roles: Schema.Array(Role),
      fallback: Schema.UndefinedOr(Name)
    },
    ({ strange, roles, fallback }) => {
      const withDefault = { ...option, default: fallback }
      assert.strictEqual(read(withDefault, { roles: strange }), refused)
      assert.strictEqual(read(withDefault, { roles: [...roles, strange] }), refused)
      assert.strictEqual(read(withDefault, { roles: [strange, ...roles] }), refused)
      assert.strictEqual(read(withDefault, { roles: [roles] }), refused)
      assert.strictEqual(read(withDefault, { roles: { app: {}, boss: null } }), refused)
    },
    trials()
  )

  it.prop("one kind for all is the kind of all", [Name, Schema.Array(Role)], ([name, roles]) => {
    assert.strictEqual(read(name, { roles, sojourn_kind: "operator" }), name)
  })

  it("without values the kinds are known by their own names, in the claim sojourn_kind", () => {
    for (const name of CallerKind.NAMES) assert.strictEqual(read({}, { sojourn_kind: name }), name)
    assert.strictEqual(read({}, {}), refused)
  })

  it("a kind without configured values is never matched, not even by its own name", () => {
    const users: CallerKind.KindClaim = { values: { user: ["person"] } }
    assert.strictEqual(read(users, { sojourn_kind: "operator" }), refused)
    assert.strictEqual(read(users, { sojourn_kind: "user" }), refused)
    assert.strictEqual(read(users, { sojourn_kind: "person" }), "user")
  })

  it("the way to a claim through something else is malformed, and not an absent claim", () => {
    const nested: CallerKind.KindClaim = { claim: "/realm_access/roles", default: "user" }
    assert.strictEqual(read(nested, {}), "user")
    assert.strictEqual(read(nested, { realm_access: {} }), "user")
    assert.strictEqual(read(nested, { realm_access: "administrator" }), refused)
    assert.strictEqual(read(nested, { realm_access: [{ roles: "administrator" }] }), refused)
  })

  it("a rule lists the kinds that it can return", () => {
    assert.deepStrictEqual(rule("operator").kinds, ["operator"])
    assert.deepStrictEqual(rule({}).kinds, ["user", "administrator", "operator"])
    assert.deepStrictEqual(rule({ values: { administrator: "a" } }).kinds, ["administrator"])
    assert.deepStrictEqual(rule({ values: { administrator: "a" }, default: "user" }).kinds, ["user", "administrator"])
  })

  it("an option that can mean two things, or nothing, is refused", () => {
    const wrong: ReadonlyArray<CallerKind.KindOption> = [
      "root" as CallerKind.KindName,
      { default: "root" as CallerKind.KindName },
      { claim: "" },
      { values: {} },
      { values: { user: [] } },
      { values: { user: "" } },
      { values: { user: ["a", ""] } },
      { values: { user: "same", administrator: ["other", "same"] } }
    ]
    for (const one of wrong) assert.isTrue(Result.isFailure(CallerKind.rule(one)), JSON.stringify(one))
  })
})
