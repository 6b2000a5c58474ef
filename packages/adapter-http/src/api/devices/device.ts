import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import {
  WireAccepted,
  WireCountedCorrection,
  WireCreatedDevice,
  WireDevice,
  WireDeviceDraft,
  WireOrganizationCounted,
  WirePlaceCounted,
  WireReadings
} from "../../wire/devices/device.ts"
import { PathDeviceId, PathOrganizationId, PathPlaceId } from "../../wire/shared/fields.ts"
import { Administrators, Devices, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const refusals = [Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable] as const

/** Devices of organizations, such as door counters and displays: an extension of the interface. */
export class DeviceGroup extends HttpApiGroup.make("device")
  .annotate(
    OpenApi.Description,
    "Door counters, cameras and badge readers, and what they count; displays, which show it."
  )
  .add(
    HttpApiEndpoint.post("create", "/device/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      payload: WireDeviceDraft,
      success: WireCreatedDevice.pipe(HttpApiSchema.status(201)),
      error: [Refusals.badRequest, Refusals.conflict, ...refusals]
    })
      .annotate(OpenApi.Summary, "Make a device")
      .annotate(
        OpenApi.Description,
        "For managers and owners. A `counter` may send readings of these premises, and do nothing else; a `display` may read the organization, its places, floor plans, counters, capacities, histories and the stream, and do nothing else. The token is answered this once. 409 when the organization has 500 devices."
      )
      .middleware(Administrators),
    HttpApiEndpoint.get("list", "/device/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      success: [Schema.Array(WireDevice), EmptyList],
      error: refusals
    })
      .annotate(OpenApi.Summary, "List the devices of an organization")
      .annotate(
        OpenApi.Description,
        "For administrators of any level, in the order of creation, without tokens. `kind` is answered of displays alone. `drift` is how many more people a device counted out than were counted inside; those whom readings count in within 2 minutes are taken off. `state` is `silent` where it sent nothing for a while, `behind` where its totals have been below its highest ones for 5 minutes. 204 when there is none."
      )
      .middleware(Administrators),
    HttpApiEndpoint.post("rotate", "/device/:deviceId/token", {
      params: { deviceId: PathDeviceId },
      success: WireCreatedDevice,
      error: refusals
    })
      .annotate(OpenApi.Summary, "Give a device another token")
      .annotate(
        OpenApi.Description,
        "For managers and owners. The token is answered this once. The former one is valid for 60 seconds more, and the one before it no longer."
      )
      .middleware(Administrators),
    HttpApiEndpoint.delete("remove", "/device/:deviceId", {
      params: { deviceId: PathDeviceId },
      success: HttpApiSchema.NoContent,
      error: refusals
    })
      .annotate(OpenApi.Summary, "Remove a device")
      .annotate(OpenApi.Description, "For managers and owners. What the device counted stays counted.")
      .middleware(Administrators),
    HttpApiEndpoint.post("count", "/device/count", {
      payload: WireReadings,
      success: WireAccepted,
      error: [Refusals.badRequest, Refusals.forbidden, Refusals.conflict, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Send readings")
      .annotate(
        OpenApi.Description,
        "For devices that are no displays. `in` and `out` are totals since the `epoch` began: a reading counts by how much they are above the highest ones, so that one that is sent again changes nothing. All readings are counted, or none. `accepted` is how many changed anything. 403 for premises of which the device was not made, 400 for a total that grew by more than 10,000, 409 where new epochs count more than 100,000 people within a minute, or are more than 20,000."
      )
      .middleware(Devices)
  )
  .middleware(WellFormed)
  .annotate(OpenApi.Title, "device (extension)") {}

const correction = [Refusals.badRequest, ...refusals] as const

const CORRECT =
  "For managers and owners. Sets the number of people whom devices count inside. The difference is published as a `presence.changed` that is `corrected`."
const READ = "For administrators of any level. `inside` is the sum of the open stays and of the people counted."

/** The people whom devices count: an extension of the interface. */
export class CountedGroup extends HttpApiGroup.make("counted")
  .annotate(OpenApi.Description, "The people whom devices count inside of premises.")
  .add(
    HttpApiEndpoint.put("correctOrganization", "/presence/organization/:organizationId/counted", {
      params: { organizationId: PathOrganizationId },
      payload: WireCountedCorrection,
      success: WireOrganizationCounted,
      error: correction
    })
      .annotate(OpenApi.Summary, "Correct how many people are counted in an organization")
      .annotate(OpenApi.Description, CORRECT),
    HttpApiEndpoint.get("organization", "/presence/organization/:organizationId/counted", {
      params: { organizationId: PathOrganizationId },
      success: WireOrganizationCounted,
      error: refusals
    })
      .annotate(OpenApi.Summary, "Read how many people are counted in an organization")
      .annotate(OpenApi.Description, READ),
    HttpApiEndpoint.put("correctPlace", "/presence/place/:placeId/counted", {
      params: { placeId: PathPlaceId },
      payload: WireCountedCorrection,
      success: WirePlaceCounted,
      error: correction
    })
      .annotate(OpenApi.Summary, "Correct how many people are counted in a place")
      .annotate(OpenApi.Description, CORRECT),
    HttpApiEndpoint.get("place", "/presence/place/:placeId/counted", {
      params: { placeId: PathPlaceId },
      success: WirePlaceCounted,
      error: refusals
    })
      .annotate(OpenApi.Summary, "Read how many people are counted in a place")
      .annotate(OpenApi.Description, READ)
  )
  .middleware(WellFormed)
  .middleware(Administrators)
  .annotate(OpenApi.Title, "counted (extension)") {}
