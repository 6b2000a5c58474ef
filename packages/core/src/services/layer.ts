import * as Layer from "effect/Layer"
import { AccountLinks } from "./accounts/AccountLinks.ts"
import { Accesses } from "./stays/Accesses.ts"
import { AccessWindows } from "./stays/AccessWindows.ts"
import { Administrators } from "./accounts/Administrators.ts"
import { Audits } from "./audit/Audits.ts"
import { Capacities } from "./feed/Capacities.ts"
import { Counting } from "./devices/Counting.ts"
import { Devices } from "./devices/Devices.ts"
import { layerDeviceUpkeep } from "./devices/DeviceUpkeep.ts"
import { DeletionRequests } from "./organizations/DeletionRequests.ts"
import { Favorites } from "./organizations/Favorites.ts"
import { FloorPlans } from "./floorplans/FloorPlans.ts"
import { layerPublishing } from "./feed/FeedPublishing.ts"
import { Histories } from "./history/Histories.ts"
import { Imports } from "./imports/Imports.ts"
import { Movements } from "./stays/Movements.ts"
import { Musters } from "./musters/Musters.ts"
import { Organizations } from "./organizations/Organizations.ts"
import { PersonalData } from "./personalData/PersonalData.ts"
import { Places } from "./organizations/Places.ts"
import { Presence } from "./stays/Presence.ts"
import { PresenceSubscriptions } from "./feed/PresenceSubscriptions.ts"
import { Reports } from "./stays/Reports.ts"
import { SignIns } from "./accounts/SignIns.ts"
import { layerDailyEndings } from "./stays/DailyEndings.ts"
import { StayEndings } from "./stays/StayEndings.ts"
import { StayPolicies } from "./policies/StayPolicies.ts"
import { Sweeps } from "./policies/Sweeps.ts"
import { TokenRevocations } from "./accounts/TokenRevocations.ts"
import { onEachCell } from "./shared/backgroundStores.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"

/**
 * Every use case, and the loops that publish events of presence, watch devices and end stays daily. They need the stores, an `OrganizationDirectory`, and the keys.
 */
export const layerServices = Layer.mergeAll(
  AccountLinks.layer,
  Accesses.layer,
  AccessWindows.layer,
  Administrators.layer,
  Audits.layer,
  Capacities.layer,
  Counting.layer,
  DeletionRequests.layer,
  Devices.layer,
  Favorites.layer,
  FloorPlans.layer,
  Histories.layer,
  Imports.layer,
  Movements.layer,
  Musters.layer,
  Organizations.layer,
  PersonalData.layer,
  Places.layer,
  Presence.layer,
  PresenceSubscriptions.layer,
  Reports.layer,
  SignIns.layer,
  StayEndings.layer,
  StayPolicies.layer,
  Sweeps.layer,
  TokenRevocations.layer,
  Webhooks.layer,
  onEachCell(Layer.mergeAll(layerDailyEndings, layerDeviceUpkeep, layerPublishing))
)
