import type { Stores } from "@sojourn/core"
import type * as Layer from "effect/Layer"
import { accountLinkStoreLaws } from "./AccountLinkStore.ts"
import { administratorAccountsLaws } from "./AdministratorAccounts/index.ts"
import { capacityStoreLaws } from "./CapacityStore.ts"
import { deletionRequestStoreLaws } from "./DeletionRequestStore/index.ts"
import { favoriteStoreLaws } from "./FavoriteStore.ts"
import { historyStoreLaws } from "./HistoryStore.ts"
import { musterStoreLaws } from "./MusterStore/index.ts"
import { openStayStatisticsLaws } from "./OpenStayStatistics.ts"
import { organizationStoreLaws } from "./OrganizationStore/index.ts"
import { permissionStoreLaws } from "./PermissionStore/index.ts"
import { personalDataStoreLaws } from "./PersonalDataStore/index.ts"
import { placeStoreLaws } from "./PlaceStore/index.ts"
import { presenceFeedLaws } from "./PresenceFeed/index.ts"
import { stayLogLaws } from "./StayLog/index.ts"
import { stayPolicyStoreLaws } from "./StayPolicyStore/index.ts"
import type { LawOptions } from "./suite.ts"
import { webhookStoreLaws } from "./WebhookStore.ts"

/**
 * What every adapter of the stores promises: the laws of all its ports. They make organizations and people of their own
 * and expect no empty database, so an adapter may be proved on one that others use at the same time.
 */
export const storeLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void => {
  stayLogLaws(name, stores, options)
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
  historyStoreLaws(name, stores, options)
}
