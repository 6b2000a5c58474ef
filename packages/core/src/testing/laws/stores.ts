import type * as Layer from "effect/Layer"
import { accountLinkStoreLaws } from "./AccountLinkStore.ts"
import { administratorAccountsLaws } from "./AdministratorAccounts.ts"
import { deletionRequestStoreLaws } from "./DeletionRequestStore.ts"
import { favoriteStoreLaws } from "./FavoriteStore.ts"
import { openStayStatisticsLaws } from "./OpenStayStatistics.ts"
import { organizationStoreLaws } from "./OrganizationStore.ts"
import { permissionStoreLaws } from "./PermissionStore.ts"
import { personalDataStoreLaws } from "./PersonalDataStore.ts"
import { placeStoreLaws } from "./PlaceStore.ts"
import { stayLogLaws } from "./StayLog.ts"
import { stayPolicyStoreLaws } from "./StayPolicyStore.ts"
import type { Stores } from "../../ports/Stores.ts"
import type { LawOptions } from "./suite.ts"

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
}
