import type { AccountLinkStore } from "./accounts/AccountLinkStore.ts"
import type { AdministratorAccounts } from "./accounts/AdministratorAccounts.ts"
import type { AuditLog } from "./audit/AuditLog.ts"
import type { CapacityStore } from "./feed/CapacityStore.ts"
import type { CountStore } from "./devices/CountStore.ts"
import type { DeletionRequestStore } from "./organizations/DeletionRequestStore.ts"
import type { DeviceStore } from "./devices/DeviceStore.ts"
import type { FavoriteStore } from "./organizations/FavoriteStore.ts"
import type { FloorPlanStore } from "./floorplans/FloorPlanStore.ts"
import type { HistoryStore } from "./history/HistoryStore.ts"
import type { ImportStore } from "./imports/ImportStore.ts"
import type { MusterStore } from "./musters/MusterStore.ts"
import type { OpenStayStatistics } from "./stays/OpenStayStatistics.ts"
import type { OrganizationStore } from "./organizations/OrganizationStore.ts"
import type { PermissionStore } from "./accounts/PermissionStore.ts"
import type { PersonalDataStore } from "./personalData/PersonalDataStore.ts"
import type { PlaceStore } from "./organizations/PlaceStore.ts"
import type { PresenceFeed } from "./feed/PresenceFeed.ts"
import type { StorageIdentity } from "./keys/StorageIdentity.ts"
import type { StayEndingStore } from "./stays/StayEndingStore.ts"
import type { StayLog } from "./stays/StayLog.ts"
import type { StayPolicyStore } from "./policies/StayPolicyStore.ts"
import type { TokenRevocationStore } from "./accounts/TokenRevocationStore.ts"
import type { WebhookStore } from "./webhooks/WebhookStore.ts"

/** Every store that the core asks for: what an adapter for storage provides as a whole. */
export type Stores =
  | AccountLinkStore
  | AdministratorAccounts
  | AuditLog
  | CapacityStore
  | CountStore
  | DeletionRequestStore
  | DeviceStore
  | FavoriteStore
  | FloorPlanStore
  | HistoryStore
  | ImportStore
  | MusterStore
  | OpenStayStatistics
  | OrganizationStore
  | PermissionStore
  | PersonalDataStore
  | PlaceStore
  | PresenceFeed
  | StayEndingStore
  | StayLog
  | StayPolicyStore
  | StorageIdentity
  | TokenRevocationStore
  | WebhookStore
