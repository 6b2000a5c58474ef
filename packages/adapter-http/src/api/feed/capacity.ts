import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  WireCapacityChange,
  WireOrganizationCapacity,
  WireOrganizationCapacityReading,
  WirePlaceCapacity,
  WirePlaceCapacityReading
} from "../../wire/feed/capacity.ts"
import { PathOrganizationId, PathPlaceId } from "../../wire/shared/fields.ts"
import { Administrators, AdministratorsAndDisplays, WellFormed } from "../shared/callers.ts"
import { Refusals } from "../shared/refusals.ts"

const reading = [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const
const change = [Refusals.badRequest, ...reading] as const

const SET =
  "For managers. `null` lifts the capacity; `warnAt` is the part of it from which a warning is given, 0.8 when left out. No entrance is refused for it."
const GET =
  "For administrators of any level, and for displays: the capacity, the number of people inside now (with a publishing interval: as of the last event), and the level: `none` without a capacity, else `normal`, `warning`, `full` or `over`."

/** Capacities of organizations and places: an extension of the interface. */
export class CapacityGroup extends HttpApiGroup.make("capacity")
  .annotate(OpenApi.Description, "How many people premises hold, and how full they are.")
  .add(
    HttpApiEndpoint.put("setOrganizationCapacity", "/capacity/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      payload: WireCapacityChange,
      success: WireOrganizationCapacity,
      error: change
    })
      .annotate(OpenApi.Summary, "Set the capacity of an organization")
      .annotate(OpenApi.Description, SET)
      .middleware(Administrators),
    HttpApiEndpoint.get("organizationCapacity", "/capacity/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      success: WireOrganizationCapacityReading,
      error: reading
    })
      .annotate(OpenApi.Summary, "Read the capacity of an organization, and how full it is")
      .annotate(OpenApi.Description, GET)
      .middleware(AdministratorsAndDisplays),
    HttpApiEndpoint.put("setPlaceCapacity", "/capacity/place/:placeId", {
      params: { placeId: PathPlaceId },
      payload: WireCapacityChange,
      success: WirePlaceCapacity,
      error: change
    })
      .annotate(OpenApi.Summary, "Set the capacity of a place")
      .annotate(OpenApi.Description, SET)
      .middleware(Administrators),
    HttpApiEndpoint.get("placeCapacity", "/capacity/place/:placeId", {
      params: { placeId: PathPlaceId },
      success: WirePlaceCapacityReading,
      error: reading
    })
      .annotate(OpenApi.Summary, "Read the capacity of a place, and how full it is")
      .annotate(OpenApi.Description, GET)
      .middleware(AdministratorsAndDisplays)
  )
  .middleware(WellFormed)
  .annotate(OpenApi.Title, "capacity (extension)") {}
