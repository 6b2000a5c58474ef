/** All stores over cells: one decorator, so that the use cases know of no cells. */
import {
  AdministratorAccounts,
  CellOf,
  DeletionRequestStore,
  FavoriteStore,
  OrganizationStore,
  PermissionStore,
  PersonalDataStore,
  PlaceStore,
  PresenceFeed,
  StorageIdentity,
  type Stores,
  TokenRevocationStore
} from "@sojourn/core"
import { Context } from "effect"
import { makeAdministratorAccounts, makePermissionStore } from "./accounts.ts"
import { type Cell, makeCells } from "./Cells.ts"
import { makeStorageIdentity } from "./identity.ts"
import { makePresenceFeed } from "./feed.ts"
import { makeDeletionRequestStore, makeFavoriteStore, makeOrganizationStore, makePlaceStore } from "./organizations.ts"
import { makePersonalDataStore } from "./personalData.ts"
import { routedStores } from "./routed.ts"

/**
 * The stores over cells, of which the first is the home cell: it has the accounts of administrators and the names of organizations. Each
 * cell issues ids of its own range, so an id says where to ask: an organization stays in the cell in which it was created.
 */
export const storesOverCells = (cells: readonly [Cell, ...ReadonlyArray<Cell>]): Context.Context<Stores> => {
  const made = makeCells(cells)
  return routedStores(made).pipe(
    Context.add(AdministratorAccounts, makeAdministratorAccounts(made)),
    Context.add(DeletionRequestStore, makeDeletionRequestStore(made)),
    Context.add(FavoriteStore, makeFavoriteStore(made)),
    Context.add(OrganizationStore, makeOrganizationStore(made)),
    Context.add(PermissionStore, makePermissionStore(made)),
    Context.add(PersonalDataStore, makePersonalDataStore(made)),
    Context.add(PlaceStore, makePlaceStore(made)),
    Context.add(PresenceFeed, makePresenceFeed(made)),
    Context.add(TokenRevocationStore, made.ports(TokenRevocationStore).home),
    Context.add(StorageIdentity, makeStorageIdentity(made)),
    Context.add(CellOf, (organizationId) => made.at(organizationId).number)
  )
}
