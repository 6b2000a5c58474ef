import { assert, describe, it } from "@effect/vitest"
import { LARGEST_ISSUED_ID, type AccessId } from "@sojourn/core"
import { accessId, timestamp } from "@sojourn/core/testing"
import * as Schema from "effect/Schema"
import { stayAsJson, WireOrganizationAccess } from "../src/wire/reading.ts"

const { id, entranceTimestamp, exitTimestamp } = WireOrganizationAccess.fields
const encode = Schema.encodeSync(Schema.Struct({ id, entranceTimestamp, exitTimestamp }))

describe("a stay in a list of accesses", () => {
  it.prop(
    "is written as the schema writes it",
    { issued: accessId, entrance: timestamp, exit: timestamp },
    ({ issued, entrance, exit }) => {
      const stay = {
        id: (issued > LARGEST_ISSUED_ID ? LARGEST_ISSUED_ID : issued) as AccessId,
        entranceTimestamp: entrance,
        exitTimestamp: exit
      }
      assert.deepStrictEqual(stayAsJson(stay), encode(stay))
    }
  )
})
