/** Movements (spec: stays#movements): 201 for an entrance, 202 for an exit. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import {
  WireOrganizationEntrance,
  WireOrganizationExit,
  WireOrganizationMovement,
  WirePlaceEntrance,
  WirePlaceExit,
  WirePlaceMovement
} from "../../wire/stays/movement.ts"
import { Users, WellFormed } from "../shared/callers.ts"
import { Refusals } from "../shared/refusals.ts"

const error = [Refusals.badRequest, Refusals.forbidden, Refusals.serviceUnavailable] as const

const TRACK =
  "For users. An entrance answers 201 with the token that its exit needs; an exit answers 202. The same exit sent again is accepted again."

/** With it, an entrance that the same user repeats within 24 hours opens no second stay (spec: stays#retry). */
const headers = { "idempotency-key": Schema.optional(Schema.String) }

export class MovementGroup extends HttpApiGroup.make("movement")
  .annotate(OpenApi.Description, "Entrances and exits, of an organization or a place.")
  .add(
    HttpApiEndpoint.post("trackOrganization", "/movement/track/organization", {
      headers,
      payload: WireOrganizationMovement,
      success: [
        WireOrganizationEntrance.pipe(HttpApiSchema.status(201)),
        WireOrganizationExit.pipe(HttpApiSchema.status(202))
      ],
      error
    })
      .annotate(OpenApi.Summary, "Enter or leave an organization")
      .annotate(OpenApi.Description, TRACK),
    HttpApiEndpoint.post("trackPlace", "/movement/track/place", {
      headers,
      payload: WirePlaceMovement,
      success: [WirePlaceEntrance.pipe(HttpApiSchema.status(201)), WirePlaceExit.pipe(HttpApiSchema.status(202))],
      error
    })
      .annotate(OpenApi.Summary, "Enter or leave a place")
      .annotate(OpenApi.Description, TRACK)
  )
  .middleware(WellFormed)
  .middleware(Users) {}
