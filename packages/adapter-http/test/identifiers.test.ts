/** Identifiers of people with commas and reserved characters in paths of requests, for users and for administrators. */
import { assert, describe, it } from "@effect/vitest"
import type { OrgAuthServerId } from "@sojourn/core"
import { Redacted } from "effect"
import { AREA, compose, DIRECTORY } from "./composed.ts"

/** Identifiers as directories have them: with commas, slashes, escapes, quotes, and parts that are people themselves. */
const PEOPLE = [
  "uid=ada,ou=people",
  "a,b",
  "a",
  "b",
  "50%",
  "a/b",
  "a%2Cb",
  "x;y",
  "é 😀",
  "*",
  "(uid=*)",
  "..",
  "a?b#c",
  ","
]
const directories = new Map([
  [
    DIRECTORY,
    new Map(
      PEOPLE.map(
        (id) => [id as OrgAuthServerId, { name: "N", surname: "S", password: Redacted.make("secret") }] as const
      )
    )
  ]
])
const { call } = await compose({ directories })

let serial = 0
const populated = (async () => {
  const owner = { administratorId: "owner", mail: "owner@example.test" }
  const draft = {
    name: "Works",
    trackingArea: AREA,
    trackingMode: "authenticated",
    authenticationServerURL: DIRECTORY,
    owner
  }
  const { id } = (await call("operator:op", "POST", "/operator/organization", draft)).json
  const users = new Map<string, string>()
  for (const person of PEOPLE) {
    const user = `user:u${++serial}`
    users.set(person, user)
    const link = { organizationId: id, username: person, password: "secret" }
    assert.strictEqual((await call(user, "POST", "/authenticationserver/link", link)).json.orgAuthServerId, person)
    const track = (over: object) => call(user, "POST", "/movement/track/organization", { organizationId: id, ...over })
    const { exitToken } = (await track({ movementType: 1 })).json
    assert.strictEqual((await track({ movementType: -1, exitToken })).status, 202)
  }
  return { id, users }
})()
const list = async (who: string, segment: string) => {
  const { id } = await populated
  return call(who, "GET", `/access/organization/${id}/authenticated/${segment}`)
}
const found = (answer: { readonly json: any }): ReadonlyArray<string> =>
  (answer.json ?? []).map((access: any) => access.orgAuthServerId).sort()

describe("an identifier may itself hold a comma (spec: http#path-lists)", () => {
  it.each(PEOPLE.filter((person) => person !== ".."))("a user reads their own accesses: %j", async (person) => {
    const user = (await populated).users.get(person)!
    assert.deepStrictEqual(found(await list(user, encodeURIComponent(person))), [person])
  })

  it("for a user, an element with a comma is one identifier, which must be their own", async () => {
    const { users } = await populated
    assert.strictEqual((await list(users.get("a,b")!, "a,b")).status, 403)
    assert.strictEqual((await list(users.get("a")!, "a%2Cb")).status, 403)
    assert.strictEqual((await list(users.get("a,b")!, "a")).status, 403)
    assert.strictEqual((await list(users.get("a%2Cb")!, "a%2Cb")).status, 403)
    assert.strictEqual((await list(users.get("a%2Cb")!, "a%252Cb")).status, 200)
  })

  it("for an administrator it also stands for its comma-separated parts", async () => {
    assert.deepStrictEqual(found(await list("administrator:owner", "a%2Cb")), ["a", "a,b", "b"])
    assert.deepStrictEqual(found(await list("administrator:owner", "a,b")), ["a", "b"])
    assert.deepStrictEqual(found(await list("administrator:owner", "uid%3Dada%2Cou%3Dpeople")), ["uid=ada,ou=people"])
    assert.deepStrictEqual(found(await list("administrator:owner", "a%252Cb")), ["a%2Cb"])
    assert.deepStrictEqual(found(await list("administrator:owner", "%2C")), [","])
    assert.deepStrictEqual(found(await list("administrator:owner", "*")), ["*"])
  })
})
