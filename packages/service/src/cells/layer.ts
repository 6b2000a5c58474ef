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
  type Stores
} from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { makeAdministratorAccounts, makePermissionStore } from "./accounts.ts"
import { type Cell, type Cells, makeCells } from "./Cells.ts"
import { watchMoves } from "./watchMoves.ts"
import { makePresenceFeed } from "./feed.ts"
import { makeDeletionRequestStore, makeFavoriteStore, makeOrganizationStore, makePlaceStore } from "./organizations.ts"
import { makePersonalDataStore } from "./personalData.ts"
import { routedStores } from "./routed.ts"

/**
 * The stores over cells between which organizations move: see {@link storesOverCells}. It looks at the moves of each cell until the scope ends.
 * What a cell holds is refused with `StoreError` while its moves cannot be read.
 */
export const storesOverMovingCells = (
  cells: readonly [Cell, ...ReadonlyArray<Cell>]
): Effect.Effect<Context.Context<Stores>, never, Scope.Scope> =>
  Effect.suspend(() => {
    const made = makeCells(cells)
    return Effect.as(watchMoves(cells, made.moves), storesOf(made))
  })

/**
 * The stores over cells, of which the first is the home cell: it has the accounts of administrators and the names of organizations. Each
 * cell issues ids of its own range, so an id says where to ask. No organization may move.
 */
export const storesOverCells = (cells: readonly [Cell, ...ReadonlyArray<Cell>]): Context.Context<Stores> =>
  storesOf(makeCells(cells))

const storesOf = (made: Cells): Context.Context<Stores> =>
  routedStores(made).pipe(
    Context.add(AdministratorAccounts, makeAdministratorAccounts(made)),
    Context.add(DeletionRequestStore, makeDeletionRequestStore(made)),
    Context.add(FavoriteStore, makeFavoriteStore(made)),
    Context.add(OrganizationStore, makeOrganizationStore(made)),
    Context.add(PermissionStore, makePermissionStore(made)),
    Context.add(PersonalDataStore, makePersonalDataStore(made)),
    Context.add(PlaceStore, makePlaceStore(made)),
    Context.add(PresenceFeed, makePresenceFeed(made)),
    Context.add(CellOf, (organizationId) => made.at(organizationId).number)
  )
