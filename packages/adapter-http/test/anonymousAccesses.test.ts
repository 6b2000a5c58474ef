import { assert, describe, it } from "@effect/vitest"
import { AccessId, type ExitToken, premisesId } from "@sojourn/core"
import { closedStay } from "@sojourn/core/testing"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { anonymousAsJson, WireOrganizationAccess, WirePlaceAccess } from "../src/wire/reading.ts"
import { asJsonId, jsonPremises } from "./jsonIds.ts"

const SCHEMAS = { OrganizationPremises: WireOrganizationAccess, PlacePremises: WirePlaceAccess }

describe("accesses by tokens", () => {
  it.prop(
    "are written letter by letter as their schema writes them",
    { where: jsonPremises, stays: Arbitrary.array(closedStay, { maxLength: 5 }) },
    ({ where, stays }) => {
      const accesses = stays.map((stay, nth) => ({
        id: AccessId.make(asJsonId(stay.id)),
        stay,
        exitToken: `${"A-_z".repeat(13)}${1000 + nth}` as ExitToken
      }))
      const name = where._tag === "OrganizationPremises" ? "organizationId" : "placeId"
      const wire = accesses.map(({ id, stay: { entrance, exit }, exitToken }) => ({
        [name]: premisesId(where),
        id,
        entranceTimestamp: entrance,
        exitTimestamp: exit,
        exitToken
      }))
      const encode = Schema.encodeUnknownSync(Schema.Array(SCHEMAS[where._tag] as Schema.Codec<unknown>))
      assert.strictEqual(anonymousAsJson(where, accesses), JSON.stringify(encode(wire)))
    }
  )
})
