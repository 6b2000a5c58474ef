import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccessGroup } from "./stays/access.ts"
import { AdministratorGroup } from "./accounts/administrator.ts"
import { AuditGroup, OperatorAuditGroup } from "./audit/audit.ts"
import { AuthenticationGroup } from "./accounts/authentication.ts"
import { CapacityGroup } from "./feed/capacity.ts"
import { CountedGroup, DeviceGroup } from "./devices/device.ts"
import { describeDocument } from "./shared/document.ts"
import { AccountLinkGroup } from "./accounts/accountLink.ts"
import { HealthGroup } from "./shared/health.ts"
import { ImportGroup } from "./imports/imports.ts"
import { OperatorGroup } from "./organizations/operator.ts"
import { FavoriteGroup } from "./organizations/favorite.ts"
import { FloorPlanGroup } from "./floorplans/floorPlan.ts"
import { HistoryGroup } from "./history/history.ts"
import { StayEndingGroup } from "./stays/ending.ts"
import { MovementGroup } from "./stays/movement.ts"
import { MusterGroup } from "./musters/muster.ts"
import { OrganizationGroup } from "./organizations/organization.ts"
import { PersonalDataGroup } from "./personalData/personalData.ts"
import { PlaceGroup } from "./organizations/place.ts"
import { StreamGroup } from "./feed/stream.ts"
import { AuthenticationServerGroup } from "./accounts/authenticationServer.ts"
import { PresenceGroup } from "./stays/counter.ts"
import { ReportGroup } from "./stays/report.ts"
import { WindowGroup } from "./stays/window.ts"
import { VERSION } from "./shared/version.ts"
import { WebhookGroup } from "./webhooks/webhook.ts"
import { WIRE_DELIVERIES } from "../wire/webhooks/delivery.ts"

export * from "./shared/callers.ts"
export { meaningOf, type ProblemKind, PROBLEM_URIS, PROBLEMS } from "./shared/problems.ts"
export * from "./shared/refusals.ts"
export { VERSION } from "./shared/version.ts"
export { WireDataSubject, WirePersonalData } from "../wire/personalData/personalData.ts"

/**
 * The whole interface as one definition: what the handlers implement, what clients are derived from, and what the OpenAPI
 * document says. It holds no handler and no adapter.
 */
export class SojournApi extends HttpApi.make("sojourn")
  .add(OrganizationGroup)
  .add(AdministratorGroup)
  .add(AccessGroup)
  .add(PlaceGroup)
  .add(FavoriteGroup)
  .add(MovementGroup)
  .add(PresenceGroup)
  .add(StreamGroup)
  .add(CapacityGroup)
  .add(AuthenticationServerGroup)
  .add(ReportGroup)
  .add(WindowGroup)
  .add(StayEndingGroup)
  .add(HistoryGroup)
  .add(FloorPlanGroup)
  .add(DeviceGroup)
  .add(CountedGroup)
  .add(MusterGroup)
  .add(ImportGroup)
  .add(OperatorGroup)
  .add(PersonalDataGroup)
  .add(AuditGroup)
  .add(OperatorAuditGroup)
  .add(AccountLinkGroup)
  .add(AuthenticationGroup)
  .add(WebhookGroup)
  .add(HealthGroup)
  .annotate(OpenApi.Title, "Sojourn")
  .annotate(OpenApi.Version, VERSION)
  .annotate(OpenApi.Description, "Records the presence of people inside tracking areas, and reports on it.")
  .annotate(OpenApi.License, { name: "MIT", identifier: "MIT" })
  .annotate(
    HttpApi.AdditionalSchemas,
    WIRE_DELIVERIES.map(({ schema }) => schema)
  )
  .annotate(OpenApi.Servers, [{ url: "/", description: "The server that this document comes from" }])
  .annotate(OpenApi.Transform, describeDocument) {}
