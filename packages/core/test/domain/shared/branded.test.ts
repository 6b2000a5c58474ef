import * as Core from "@sojourn/core"
import { assert, it } from "@effect/vitest"

/** What `Schema.brand` makes has the name of its brand. */
const brands = Object.entries(Core).filter(([, value]) => typeof value === "function" && "identifier" in value)

it.each<readonly [string, () => unknown, string]>([
  ["Mail", () => Core.Mail.make("ada"), 'Mail: Expected a mail address, got "ada"'],
  ["Mail", () => Core.Mail.make(undefined as never), "Mail: Expected string, got undefined"],
  ["UserId", () => Core.UserId.make(""), 'UserId: Expected text of 1 to 256 characters, got ""'],
  ["UserId", () => Core.UserId.make(new Date() as never), "UserId: Expected string, got a Date"],
  ["OrganizationId", () => Core.OrganizationId.make(5 as never), "OrganizationId: Expected bigint, got 5"],
  ["PlaceId", () => Core.PlaceId.make(-1n), "PlaceId: Expected a value between 0n and 9223372036854775807n, got -1n"],
  ["LongestStay", () => Core.LongestStay.make(0), "LongestStay: Expected a value between 60 and 31622400, got 0"],
  ["CellNumber", () => Core.CellNumber.make(256), "CellNumber: Expected a value between 0 and 255, got 256"]
])("%s says what it got and what it wants", (_, make, message) => {
  assert.throws(make, TypeError, message)
})

it("every branded schema says so", () => {
  const names = ["UserId", "AdministratorId", "OperatorId", "OrgAuthServerId", "Mail", "CellNumber", "LongestStay"]
  const silent = brands.flatMap(([name, schema]) => {
    const { make } = schema as unknown as { readonly make: (value: unknown) => unknown }
    try {
      make(Symbol("wrong"))
      return []
    } catch (error) {
      return (error as Error).message.includes(", got ") ? [] : [name]
    }
  })
  assert.includeMembers(
    brands.map(([name]) => name),
    names
  )
  assert.deepStrictEqual(silent, [])
})
