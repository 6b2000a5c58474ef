/** All stores in memory: for tests, trials and demos, and as the plainest reading of what the ports ask for. */
import {
  AccountLinkStore,
  AdministratorAccounts,
  AuditLog,
  CapacityStore,
  CellNumber,
  CellStore,
  CountStore,
  DeletionRequestStore,
  DeviceStore,
  layerSecretKeysEphemeral,
  FavoriteStore,
  FloorPlanStore,
  HistoryStore,
  ImportStore,
  layerServices,
  MusterStore,
  OpenStayStatistics,
  OrganizationDirectory,
  type OrganizationId,
  OrganizationStore,
  PermissionStore,
  PersonalDataStore,
  PlaceStore,
  PresenceFeed,
  StayEndingStore,
  StayLog,
  StayPolicyStore,
  StorageIdentity,
  type Stores,
  TokenRevocationStore,
  WebhookStore
} from "@sojourn/core"
import { Context, Effect, Layer, PubSub } from "effect"
import { makeAccountLinkStore } from "./accounts/AccountLinkStore.ts"
import { makeAdministratorAccounts } from "./accounts/AdministratorAccounts.ts"
import { makeAuditLog } from "./audit/AuditLog.ts"
import { makeCellStore } from "./cells/CellStore.ts"
import { makeCapacityStore } from "./feed/CapacityStore.ts"
import { makeDeletionRequestStore } from "./organizations/DeletionRequestStore.ts"
import { makeCountStore } from "./devices/CountStore.ts"
import { makeDeviceStore } from "./devices/DeviceStore.ts"
import { makeFavoriteStore } from "./organizations/FavoriteStore.ts"
import { makeFloorPlanStore } from "./floorplans/FloorPlanStore.ts"
import { makeHistoryStore, rollUp } from "./history/HistoryStore.ts"
import { makeImportStore } from "./imports/ImportStore.ts"
import { makeMusterStore } from "./musters/MusterStore.ts"
import { makeOpenStayStatistics } from "./stays/OpenStayStatistics.ts"
import { makeOrganizationStore } from "./organizations/OrganizationStore.ts"
import { makePermissionStore } from "./accounts/PermissionStore.ts"
import { makePersonalDataStore } from "./personalData/PersonalDataStore.ts"
import { makePlaceStore } from "./organizations/PlaceStore.ts"
import { makePresenceFeed } from "./feed/PresenceFeed.ts"
import { makeSnapshots, Snapshots } from "./state/Snapshots.ts"
import { emptyState } from "./state/State.ts"
import { makeStayEndingStore } from "./stays/StayEndingStore.ts"
import { makeStayLog } from "./stays/StayLog.ts"
import { makeStayPolicyStore } from "./policies/StayPolicyStore.ts"
import { makeTokenRevocationStore } from "./accounts/TokenRevocationStore.ts"
import { makeWebhookStore } from "./webhooks/WebhookStore.ts"

export { layerRateLimitStore } from "./state/RateLimitStore.ts"
export { Snapshots } from "./state/Snapshots.ts"
export { type Directories, layerDirectories, type Person } from "./accounts/OrganizationDirectory.ts"

/** The largest number of notifications that wait for a slow subscriber; older ones are dropped, as subscribers also poll. */
const NOTIFICATION_BUFFER = 64

/** {@link layerStores} of a cell, whose ids are of the cell's range. */
export const layerStoresOf = (cell: CellNumber): Layer.Layer<Stores | CellStore | Snapshots> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const state = emptyState(yield* PubSub.sliding<ReadonlyArray<OrganizationId>>(NOTIFICATION_BUFFER), cell)
      const ofStorage = Context.make(CellStore, makeCellStore(state)).pipe(
        Context.add(Snapshots, makeSnapshots(state)),
        Context.add(StorageIdentity, { read: Effect.sync(() => state.identity) }),
        Context.add(TokenRevocationStore, makeTokenRevocationStore(state))
      )
      const accounts = ofStorage.pipe(
        Context.add(AccountLinkStore, makeAccountLinkStore(state)),
        Context.add(AdministratorAccounts, makeAdministratorAccounts(state)),
        Context.add(PermissionStore, makePermissionStore(state))
      )
      return accounts.pipe(
        Context.add(AuditLog, makeAuditLog(state)),
        Context.add(CapacityStore, makeCapacityStore(state)),
        Context.add(CountStore, makeCountStore(state)),
        Context.add(DeletionRequestStore, makeDeletionRequestStore(state)),
        Context.add(DeviceStore, makeDeviceStore(state)),
        Context.add(FavoriteStore, makeFavoriteStore(state)),
        Context.add(FloorPlanStore, makeFloorPlanStore(state)),
        Context.add(HistoryStore, makeHistoryStore(state)),
        Context.add(ImportStore, makeImportStore(state)),
        Context.add(MusterStore, makeMusterStore(state)),
        Context.add(OpenStayStatistics, makeOpenStayStatistics(state)),
        Context.add(OrganizationStore, makeOrganizationStore(state)),
        Context.add(PersonalDataStore, makePersonalDataStore(state)),
        Context.add(PlaceStore, makePlaceStore(state)),
        Context.add(PresenceFeed, makePresenceFeed(state, rollUp)),
        Context.add(StayEndingStore, makeStayEndingStore(state)),
        Context.add(StayLog, makeStayLog(state)),
        Context.add(StayPolicyStore, makeStayPolicyStore(state)),
        Context.add(WebhookStore, makeWebhookStore(state))
      )
    })
  )

/** Every store in memory, empty at first, gone with the process. Each build of the layer has a memory of its own. */
export const layerStores: Layer.Layer<Stores | CellStore | Snapshots> = layerStoresOf(CellNumber.make(0))
/**
 * The whole of Sojourn in memory: every use case of the core on these stores, with a token key of its own and no
 * authentication server that can be reached. For tests, trials and examples.
 */
export const layer = Layer.provide(layerServices, [
  layerStores,
  OrganizationDirectory.layerNone,
  layerSecretKeysEphemeral
])
