import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { WireImportedAccesses, WireImportedPlaces } from "../../wire/imports/imports.ts"
import { PathOrganizationId } from "../../wire/shared/fields.ts"
import { Administrators, Operators, WellFormed } from "../shared/callers.ts"
import { LargestBody } from "../shared/largestBody.ts"
import { Refusals } from "../shared/refusals.ts"

/** How large a collection of features and a file of accesses may be, in bytes. */
const LARGEST_COLLECTION = 8 * 1024 * 1024
const LARGEST_FILE = 16 * 1024 * 1024

const bytesOf = (contentType: string) => HttpApiSchema.asUint8Array({ contentType })(Schema.Uint8Array)

const refusals = [
  Refusals.badRequest,
  Refusals.forbidden,
  Refusals.notFound,
  Refusals.payloadTooLarge,
  Refusals.unsupportedMediaType,
  Refusals.serviceUnavailable
] as const

/** Imports (spec: imports): an extension of the interface. */
export const ImportGroup = HttpApiGroup.make("import")
  .annotate(OpenApi.Description, "What is there already: places that are drawn elsewhere, accesses of another system.")
  .add(
    HttpApiEndpoint.post("places", "/import/organization/:organizationId/places", {
      params: { organizationId: PathOrganizationId },
      query: { dryRun: Schema.optional(Schema.Literals(["true", "false"])) },
      payload: [bytesOf("application/geo+json"), bytesOf("application/json")],
      success: WireImportedPlaces,
      error: refusals
    })
      .annotate(LargestBody, LARGEST_COLLECTION)
      .annotate(OpenApi.Summary, "Create places from GeoJSON")
      .annotate(
        OpenApi.Description,
        "For managers and owners: a FeatureCollection of at most 8 MiB and 2,000 features, each a Polygon or MultiPolygon. Of `properties`, `name`, `level`, `parent` and `capacity` are read: `parent` is the `id` or the name of another feature, or a placeId. Parents are created first, in whatever order they come. A feature that breaks a rule is refused by itself. With `dryRun=true` nothing changes."
      )
      .middleware(Administrators),
    HttpApiEndpoint.post("accesses", "/operator/organization/:organizationId/import/accesses", {
      params: { organizationId: PathOrganizationId },
      payload: [bytesOf("application/x-ndjson"), bytesOf("text/csv")],
      success: WireImportedAccesses,
      error: refusals
    })
      .annotate(LargestBody, LARGEST_FILE)
      .annotate(OpenApi.Summary, "Add accesses that another system recorded")
      .annotate(
        OpenApi.Description,
        "For operators: CSV whose first row has the names of the columns, or an object of JSON in each line, of at most 16 MiB. Each row has `entranceTimestamp` and `exitTimestamp`; `placeId` or `placeName`, without which it is of the organization itself; `orgAuthServerId` where the organization knows its people, and nowhere else; and a `key` of up to 64 characters if you like, which is imported once. They are accesses as others, and in the histories of their own times; counters, streams and capacities stay as they are. All rows that are right are imported or none, and the others refused one by one, with at most 1,000 reasons."
      )
      .middleware(Operators)
  )
  .middleware(WellFormed)
  .annotate(OpenApi.Title, "import (extension)")
