import type { Stores } from "@sojourn/core"
import type { Layer } from "effect"
import { accountLinkStoreLaws } from "./accounts/AccountLinkStore.ts"
import { administratorAccountsLaws } from "./accounts/AdministratorAccounts.ts"
import { auditLogLaws } from "./audit/AuditLog.ts"
import { capacityStoreLaws } from "./feed/CapacityStore.ts"
import { deletionRequestStoreLaws } from "./organizations/DeletionRequestStore.ts"
import { countStoreLaws } from "./devices/CountStore.ts"
import { deviceStoreLaws } from "./devices/DeviceStore.ts"
import { favoriteStoreLaws } from "./organizations/FavoriteStore.ts"
import { floorPlanStoreLaws } from "./floorplans/FloorPlanStore.ts"
import { historyStoreLaws } from "./history/HistoryStore/index.ts"
import { importStoreLaws } from "./imports/ImportStore/index.ts"
import { musterStoreLaws } from "./musters/MusterStore/index.ts"
import { openStayStatisticsLaws } from "./stays/OpenStayStatistics.ts"
import { organizationStoreLaws } from "./organizations/OrganizationStore.ts"
import { permissionStoreLaws } from "./accounts/PermissionStore.ts"
import { personalDataStoreLaws } from "./personalData/PersonalDataStore/index.ts"
import { placeStoreLaws } from "./organizations/PlaceStore/index.ts"
import { presenceFeedLaws } from "./feed/PresenceFeed/index.ts"
import { reportPassed } from "./shared/report.ts"
import { stayEndingStoreLaws } from "./stays/StayEndingStore.ts"
import { stayEndingLaws, stayLogLaws } from "./stays/StayLog/index.ts"
import { storageIdentityLaws } from "./keys/StorageIdentity.ts"
import { stayPolicyStoreLaws } from "./policies/StayPolicyStore.ts"
import type { LawOptions } from "./shared/suite.ts"
import { tokenRevocationStoreLaws } from "./accounts/TokenRevocationStore.ts"
import { webhookStoreLaws } from "./webhooks/WebhookStore.ts"

/**
 * What every adapter of the stores promises: the laws of all its ports. They make organizations and people of their own
 * and expect no empty database, so an adapter may be proved on one that others use at the same time. When all have passed, the run
 * prints a line for the adapter's README: how many laws, of which versions, from which seed.
 */
export const storeLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void => {
  stayLogLaws(name, stores, options)
  stayEndingLaws(name, stores, options)
  stayEndingStoreLaws(name, stores, options)
  stayPolicyStoreLaws(name, stores, options)
  organizationStoreLaws(name, stores, options)
  placeStoreLaws(name, stores, options)
  permissionStoreLaws(name, stores, options)
  administratorAccountsLaws(name, stores, options)
  favoriteStoreLaws(name, stores, options)
  deletionRequestStoreLaws(name, stores, options)
  accountLinkStoreLaws(name, stores, options)
  personalDataStoreLaws(name, stores, options)
  openStayStatisticsLaws(name, stores, options)
  musterStoreLaws(name, stores, options)
  webhookStoreLaws(name, stores, options)
  presenceFeedLaws(name, stores, options)
  capacityStoreLaws(name, stores, options)
  deviceStoreLaws(name, stores, options)
  countStoreLaws(name, stores, options)
  floorPlanStoreLaws(name, stores, options)
  historyStoreLaws(name, stores, options)
  auditLogLaws(name, stores, options)
  importStoreLaws(name, stores, options)
  storageIdentityLaws(name, stores, options)
  tokenRevocationStoreLaws(name, stores, options)
  reportPassed(name, options)
}
