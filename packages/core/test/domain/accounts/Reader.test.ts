/** The level of readers in an organization. */
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import {
  Administrator,
  AdministratorId,
  administratorOf,
  DeviceId,
  DisplayCaller,
  levelOfReader,
  nameOfReader,
  OrganizationId,
  readerOf
} from "@sojourn/core"

const [own, other] = [OrganizationId.make(1n), OrganizationId.make(2n)]
const ada = AdministratorId.make("display 1")
const display = DisplayCaller(DeviceId.make(7n), own)

describe("a reader", () => {
  it("that is an administrator has the level that is stored", () => {
    const reader = readerOf(Administrator(ada))
    assert.strictEqual(administratorOf(reader), ada)
    for (const stored of [Option.none(), Option.some("owner" as const)]) {
      assert.deepStrictEqual(levelOfReader(reader, own, stored), stored)
    }
  })

  it("that is a display is a viewer of its organization alone, whatever is stored", () => {
    const reader = readerOf(display)
    assert.isUndefined(administratorOf(reader))
    for (const stored of [Option.none(), Option.some("owner" as const)]) {
      assert.deepStrictEqual(levelOfReader(reader, own, stored), Option.some("viewer"))
      assert.deepStrictEqual(levelOfReader(reader, other, stored), Option.none())
    }
  })

  it("has the name of no reader who may read something else, whatever an administrator's id is", () => {
    const names = [display, DisplayCaller(DeviceId.make(7n), other), ada, AdministratorId.make("1")].map(nameOfReader)
    assert.strictEqual(new Set(names).size, 4)
    assert.strictEqual(nameOfReader(DisplayCaller(DeviceId.make(8n), own)), nameOfReader(display))
  })
})
