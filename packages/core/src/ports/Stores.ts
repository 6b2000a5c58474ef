import type { AccountLinkStore } from "./AccountLinkStore.ts"
import type { AdministratorAccounts } from "./AdministratorAccounts.ts"
import type { CapacityStore } from "./CapacityStore.ts"
import type { DeletionRequestStore } from "./DeletionRequestStore.ts"
import type { FavoriteStore } from "./FavoriteStore.ts"
import type { HistoryStore } from "./HistoryStore.ts"
import type { MusterStore } from "./MusterStore.ts"
import type { OpenStayStatistics } from "./OpenStayStatistics.ts"
import type { OrganizationStore } from "./OrganizationStore.ts"
import type { PermissionStore } from "./PermissionStore.ts"
import type { PersonalDataStore } from "./PersonalDataStore.ts"
import type { PlaceStore } from "./PlaceStore.ts"
import type { PresenceFeed } from "./PresenceFeed.ts"
import type { StayLog } from "./StayLog.ts"
import type { StayPolicyStore } from "./StayPolicyStore.ts"
import type { WebhookStore } from "./WebhookStore.ts"

/** Every store that the core asks for: what an adapter for storage provides as a whole. */
export type Stores =
  | AccountLinkStore
  | AdministratorAccounts
  | CapacityStore
  | DeletionRequestStore
  | FavoriteStore
  | HistoryStore
  | MusterStore
  | OpenStayStatistics
  | OrganizationStore
  | PermissionStore
  | PersonalDataStore
  | PlaceStore
  | PresenceFeed
  | StayLog
  | StayPolicyStore
  | WebhookStore
