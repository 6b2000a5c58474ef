import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccessGroup } from "./access.ts"
import { AdministratorGroup } from "./administrator.ts"
import { AuthenticationGroup } from "./authentication.ts"
import { CapacityGroup } from "./capacity.ts"
import { describeDocument } from "./document.ts"
import { AccountLinkGroup, HealthGroup, OperatorGroup } from "./extensions.ts"
import { FavoriteGroup } from "./favorite.ts"
import { HistoryGroup } from "./history.ts"
import { MovementGroup } from "./movement.ts"
import { MusterGroup } from "./muster.ts"
import { OrganizationGroup } from "./organization.ts"
import { PersonalDataGroup } from "./personalData.ts"
import { PlaceGroup } from "./place.ts"
import { StreamGroup } from "./stream.ts"
import { AuthenticationServerGroup, PresenceGroup, ReportGroup } from "./reading.ts"
import { VERSION } from "./version.ts"
import { WebhookGroup } from "./webhook.ts"

export * from "./callers.ts"
export * from "./refusals.ts"
export { VERSION } from "./version.ts"
export { WireDataSubject, WirePersonalData } from "../wire/personalData.ts"

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
  .add(HistoryGroup)
  .add(MusterGroup)
  .add(OperatorGroup)
  .add(PersonalDataGroup)
  .add(AccountLinkGroup)
  .add(AuthenticationGroup)
  .add(WebhookGroup)
  .add(HealthGroup)
  .annotate(OpenApi.Title, "Sojourn")
  .annotate(OpenApi.Version, VERSION)
  .annotate(OpenApi.Description, "Records the presence of people inside tracking areas, and reports on it.")
  .annotate(OpenApi.License, { name: "MIT", identifier: "MIT" })
  .annotate(OpenApi.Servers, [{ url: "/", description: "The server that this document comes from" }])
  .annotate(OpenApi.Transform, describeDocument) {}
