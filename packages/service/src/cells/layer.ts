/** All stores over cells: one decorator, so that the use cases know of no cells. */
import {
  AccountLinkStore,
  AdministratorAccounts,
  CapacityStore,
  CellOf,
  CountStore,
  DeletionRequestStore,
  DeviceStore,
  FavoriteStore,
  FloorPlanStore,
  HistoryStore,
  MusterStore,
  OpenStayStatistics,
  OrganizationStore,
  PermissionStore,
  PersonalDataStore,
  PlaceStore,
  PresenceFeed,
  StayLog,
  StayPolicyStore,
  type Stores,
  WebhookStore
} from "@sojourn/core"
import * as Context from "effect/Context"
import { makeAdministratorAccounts, makePermissionStore } from "./accounts.ts"
import { type Cell, makeCells } from "./Cells.ts"
import { makePresenceFeed } from "./feed.ts"
import { makeDeletionRequestStore, makeFavoriteStore, makeOrganizationStore, makePlaceStore } from "./organizations.ts"
import { makePersonalDataStore } from "./personalData.ts"
import {
  makeAccountLinkStore,
  makeCapacityStore,
  makeCountStore,
  makeDeviceStore,
  makeFloorPlanStore,
  makeHistoryStore,
  makeMusterStore,
  makeOpenStayStatistics,
  makeStayLog,
  makeStayPolicyStore,
  makeWebhookStore
} from "./routed.ts"

/**
 * The stores over cells, of which the first is the home cell: it has the accounts of administrators and the names of organizations. Each
 * cell issues ids of its own range, so an id says where to ask.
 *
 * @since 0.1.0
 * @category constructors
 */
export const storesOverCells = (cells: readonly [Cell, ...ReadonlyArray<Cell>]): Context.Context<Stores> => {
  const made = makeCells(cells)
  const stores = Context.empty().pipe(
    Context.add(AccountLinkStore, makeAccountLinkStore(made)),
    Context.add(AdministratorAccounts, makeAdministratorAccounts(made)),
    Context.add(CapacityStore, makeCapacityStore(made)),
    Context.add(CountStore, makeCountStore(made)),
    Context.add(DeletionRequestStore, makeDeletionRequestStore(made)),
    Context.add(DeviceStore, makeDeviceStore(made)),
    Context.add(FavoriteStore, makeFavoriteStore(made)),
    Context.add(FloorPlanStore, makeFloorPlanStore(made)),
    Context.add(HistoryStore, makeHistoryStore(made)),
    Context.add(MusterStore, makeMusterStore(made)),
    Context.add(OpenStayStatistics, makeOpenStayStatistics(made)),
    Context.add(OrganizationStore, makeOrganizationStore(made)),
    Context.add(PermissionStore, makePermissionStore(made)),
    Context.add(PersonalDataStore, makePersonalDataStore(made)),
    Context.add(PlaceStore, makePlaceStore(made)),
    Context.add(PresenceFeed, makePresenceFeed(made)),
    Context.add(StayLog, makeStayLog(made)),
    Context.add(StayPolicyStore, makeStayPolicyStore(made)),
    Context.add(WebhookStore, makeWebhookStore(made))
  )
  return Context.add(stores, CellOf, (organizationId) => made.at(organizationId).number)
}
