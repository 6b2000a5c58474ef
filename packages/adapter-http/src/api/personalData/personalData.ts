import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { PathOrganizationId } from "../../wire/shared/fields.ts"
import { WireDataSubject, WireErased, WireErasure, WirePersonalData } from "../../wire/personalData/personalData.ts"
import { Operators, WellFormed } from "../shared/callers.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

/**
 * What is stored about a person, to be exported and erased: an extension of the interface. The subject is named in the body,
 * since proxies write paths to their logs.
 */
export class PersonalDataGroup extends HttpApiGroup.make("personaldata")
  .annotate(OpenApi.Description, "What is stored about a person, for operators to export and to erase.")
  .add(
    HttpApiEndpoint.post("export", "/operator/personaldata/export", {
      payload: WireDataSubject,
      success: WirePersonalData,
      error: [Refusals.badRequest, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Export what is stored about a person")
      .annotate(
        OpenApi.Description,
        "For operators. Name a user, a person of an organization, an administrator by id or by mail address, or an " +
          "operator. Lists are empty of what is not stored. Exit tokens and passwords are not in it."
      ),
    HttpApiEndpoint.post("erase", "/operator/personaldata/erase", {
      payload: WireDataSubject,
      success: WireErased,
      error: [Refusals.badRequest, Refusals.conflict, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "Erase what is stored about a person")
      .annotate(
        OpenApi.Description,
        "For operators. Answers how much was removed: nothing, when it is asked again. A user is erased with the people " +
          "that they are linked to. 409: the administrator is an organization's only owner."
      ),
    HttpApiEndpoint.get("erasures", "/operator/organization/:organizationId/erasure", {
      params: { organizationId: PathOrganizationId },
      success: [Schema.Array(WireErasure), EmptyList],
      error: [Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Summary, "List what erasures took from an organization's totals")
      .annotate(
        OpenApi.Description,
        "For operators: one entry for each day on which stays were erased, all people together. 204 when " +
          "there is none."
      )
  )
  .middleware(WellFormed)
  .middleware(Operators)
  .annotate(OpenApi.Title, "personaldata (extension)") {}
