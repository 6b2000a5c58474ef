import { assert, describe, it } from "@effect/vitest"
import { type ExitToken, makeExitTokenScheme, premisesId, type TrackedMovement } from "@sojourn/core"
import { anyOf, exitTokenKey, maybe, orgAuthServerId, premises, stayLocator, timestamp } from "@sojourn/core/testing"
import * as Arbitrary from "effect/Arbitrary"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import {
  trackedAsJson,
  WireOrganizationEntrance,
  WireOrganizationExit,
  WirePlaceEntrance,
  WirePlaceExit
} from "../src/wire/movement.ts"
import { jsonPremises } from "./jsonIds.ts"

const exitToken = Arbitrary.map(
  Arbitrary.all({ key: exitTokenKey, premises, stay: stayLocator }),
  ({ key, premises: where, stay }): ExitToken =>
    Option.getOrThrow(makeExitTokenScheme([key]).derive(key.id, where, stay))
)

const tracked: Arbitrary.Arbitrary<TrackedMovement> = Arbitrary.all({
  _tag: anyOf(["Entrance", "Exit"]),
  premises: jsonPremises,
  timestamp,
  exitToken,
  orgAuthServerId: maybe(orgAuthServerId)
})

const SCHEMAS = {
  OrganizationPremises: { Entrance: WireOrganizationEntrance, Exit: WireOrganizationExit },
  PlacePremises: { Entrance: WirePlaceEntrance, Exit: WirePlaceExit }
}

describe("a movement that was tracked", () => {
  it.prop("is written letter by letter as its schema writes it", { movement: tracked }, ({ movement }) => {
    const { _tag, premises: where, ...rest } = movement
    const name = where._tag === "OrganizationPremises" ? "organizationId" : "placeId"
    const wire = { movementType: _tag === "Entrance" ? 1 : -1, [name]: premisesId(where), ...rest }
    const encode = Schema.encodeUnknownSync(SCHEMAS[where._tag][_tag] as Schema.Codec<unknown>)
    assert.strictEqual(trackedAsJson(movement), JSON.stringify(encode(wire)))
  })
})
