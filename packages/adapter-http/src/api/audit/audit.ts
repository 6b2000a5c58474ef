/** The audit: who changed what, and who looked at whom. An extension of the interface. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { WireAuditPage, WireAuditQuery, WireOperatorAuditQuery } from "../../wire/audit/audit.ts"
import { PathOrganizationId } from "../../wire/shared/fields.ts"
import { Administrators, Operators, WellFormed } from "../shared/callers.ts"
import { withCsv } from "../shared/csv.ts"
import { EmptyList } from "../shared/emptyList.ts"
import { Refusals } from "../shared/refusals.ts"

const ENTRIES =
  "Entries of at most 366 days, the newest first: each change by an administrator, an operator, a command or a policy, and each reading of people, of which those of one caller and target within a minute are one. `action` and `actor` are whole names. 204 when there is none. With `Accept: text/csv` all of them as a file (RFC 4180, UTF-8 with a byte order mark), whatever `limit` is; a text that a spreadsheet would take for a formula is preceded by `'`."

const success = [WireAuditPage, EmptyList] as const

export class AuditGroup extends HttpApiGroup.make("audit")
  .annotate(OpenApi.Description, "Who changed what, and who looked at whom.")
  .add(
    HttpApiEndpoint.get("list", "/audit/organization/:organizationId", {
      params: { organizationId: PathOrganizationId },
      query: WireAuditQuery,
      success,
      error: [Refusals.badRequest, Refusals.forbidden, Refusals.notFound, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Transform, withCsv)
      .annotate(OpenApi.Summary, "List who changed what in an organization")
      .annotate(
        OpenApi.Description,
        `For owners. ${ENTRIES} The file has local times in the time zone of the policy beside.`
      )
  )
  .middleware(WellFormed)
  .middleware(Administrators)
  .annotate(OpenApi.Title, "audit (extension)") {}

export class OperatorAuditGroup extends HttpApiGroup.make("operatoraudit")
  .annotate(OpenApi.Description, "The audit of all organizations.")
  .add(
    HttpApiEndpoint.get("list", "/operator/audit", {
      query: WireOperatorAuditQuery,
      success,
      error: [Refusals.badRequest, Refusals.serviceUnavailable]
    })
      .annotate(OpenApi.Transform, withCsv)
      .annotate(OpenApi.Summary, "List who changed what in all organizations")
      .annotate(
        OpenApi.Description,
        `For operators: of one organization, which may be deleted, or of all, with what concerns none. ${ENTRIES}`
      )
  )
  .middleware(WellFormed)
  .middleware(Operators)
  .annotate(OpenApi.Title, "operator audit (extension)") {}
