import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathOrganizationId } from "../wire/fields.ts"
import { WireDataSubject, WireErased, WireErasure, WirePersonalData } from "../wire/personalData.ts"
import { Operators, WellFormed } from "./callers.ts"
import { EmptyList } from "./emptyList.ts"
import { Refusals } from "./refusals.ts"

/**
 * What is stored about somebody, to be exported and erased: an extension of the interface. Whose it is stands in the body,
 * since proxies write paths to their logs.
 */
export const PersonalDataGroup = HttpApiGroup.make("personaldata")
  .add(
    HttpApiEndpoint.post("export", "/operator/personaldata/export", {
      payload: WireDataSubject,
      success: WirePersonalData,
      error: [Refusals.badRequest, Refusals.serviceUnavailable]
    }).annotate(OpenApi.Summary, "Export what is stored about somebody"),
    HttpApiEndpoint.post("erase", "/operator/personaldata/erase", {
      payload: WireDataSubject,
      success: WireErased,
      error: [Refusals.badRequest, Refusals.conflict, Refusals.serviceUnavailable]
    }).annotate(OpenApi.Summary, "Erase what is stored about somebody"),
    HttpApiEndpoint.get("erasures", "/operator/organization/:organizationId/erasure", {
      params: { organizationId: PathOrganizationId },
      success: [Schema.Array(WireErasure), EmptyList],
      error: [Refusals.notFound, Refusals.serviceUnavailable]
    }).annotate(OpenApi.Summary, "List what erasures took from an organization's totals")
  )
  .middleware(WellFormed)
  .middleware(Operators)
  .annotate(OpenApi.Title, "personaldata (extension)")
