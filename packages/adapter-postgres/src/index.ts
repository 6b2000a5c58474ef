import {
  AccountLinkStore,
  AdministratorAccounts,
  AuditLog,
  CapacityStore,
  type CellNumber,
  CellStore,
  CountStore,
  DeletionRequestStore,
  DeviceStore,
  FavoriteStore,
  FloorPlanStore,
  HistoryStore,
  ImportStore,
  IsInTransaction,
  MusterStore,
  nameOfReader,
  OpenStayStatistics,
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
import * as PgClient from "@effect/sql-pg/PgClient"
import { type Config, Context, Effect, Latch, Layer, Option } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { makeAccountLinkStore } from "./accounts/AccountLinkStore.ts"
import { makeAdministratorAccounts } from "./accounts/AdministratorAccounts.ts"
import { makeAuditLog } from "./audit/AuditLog.ts"
import { batchLists } from "./batching/batchLists.ts"
import { makeCellStore } from "./cells/CellStore.ts"
import { PartitionRows } from "./stays/StayPartitions.ts"
import { type BulkStatement, single } from "./database/BulkStatement.ts"
import { type DatabaseAddress, type DatabaseOptions, layerClient } from "./database/Client.ts"
import { makeDatabase, StoreReadiness } from "./database/Database.ts"
import { ApplicationClients, makeJoinedTransactions } from "./database/JoinedTransaction.ts"
import { sessionsOf } from "./database/Sessions.ts"
import { makeStoring } from "./database/Storing.ts"
import { makeOpenStayStatistics } from "./stays/OpenStayStatistics.ts"
import { makeFloorPlanStore } from "./floorplans/FloorPlanStore.ts"
import { makeHistoryStore, rollUp } from "./history/HistoryStore.ts"
import { makeCapacityStore } from "./feed/CapacityStore.ts"
import { makePresenceFeed } from "./feed/PresenceFeed.ts"
import { makeCountStore } from "./devices/CountStore.ts"
import { batchCounts, countings, writerOfCount } from "./devices/countReadings.ts"
import { devicesByToken, makeDeviceStore } from "./devices/DeviceStore.ts"
import { makeDeletionRequestStore } from "./organizations/DeletionRequestStore.ts"
import { makeFavoriteStore } from "./organizations/FavoriteStore.ts"
import { issueIdsOf } from "./migrations/cellIds.ts"
import { distributeSchema } from "./migrations/distribution.ts"
import { layerMigrated } from "./migrations/Migrations.ts"
import { makeImportStore } from "./imports/ImportStore.ts"
import { makeMusterStore } from "./musters/MusterStore.ts"
import { makeOrganizationStore } from "./organizations/OrganizationStore.ts"
import { membershipsOf, ownPermissions } from "./accounts/permissions.ts"
import { makePermissionStore } from "./accounts/PermissionStore.ts"
import { makePersonalDataStore } from "./personalData/PersonalDataStore.ts"
import { placePages } from "./organizations/places.ts"
import { makePlaceStore } from "./organizations/PlaceStore.ts"
import { makePremisesDirectory } from "./database/PremisesDirectory.ts"
import { makeStorageIdentity } from "./keys/StorageIdentity.ts"
import { layerForgetRetryKeys } from "./stays/RetryKeys.ts"
import { makeStayEndingStore } from "./stays/StayEndingStore.ts"
import { GroupCommit, makeStayLog } from "./stays/StayLog.ts"
import { makeStayPolicyStore } from "./policies/StayPolicyStore.ts"
import { makeTokenRevocationStore } from "./accounts/TokenRevocationStore.ts"
import { batchRecordings } from "./webhooks/recording.ts"
import { makeWebhookStore } from "./webhooks/WebhookStore.ts"

export { type DatabaseAddress, type DatabaseOptions, layerClient } from "./database/Client.ts"
export {
  DEFAULT_SCHEMA,
  giveSettings,
  requireSettings,
  SchemaNameRefused,
  SettingsMissing,
  type SettingsOptions
} from "./database/settings.ts"
export { type DatabaseUrl, readDatabaseUrl, type UrlOfHost } from "./database/databaseUrl.ts"
export { ApplicationClients } from "./database/JoinedTransaction.ts"
export type { ApplicationClient } from "./database/Sessions.ts"
export { StoreReadiness } from "./database/Database.ts"
export { loadDatabase, requireEmpty } from "./backup/load.ts"
export { saveDatabase, type Saver } from "./backup/save.ts"
export * from "./backup/Snapshot.ts"
export {
  layerMigrated,
  migrate,
  MigrationFailed,
  requireSchema,
  SCHEMA_VERSION,
  SchemaTooNew,
  SchemaTooOld,
  SchemaUnreleased
} from "./migrations/Migrations.ts"
export { issueIdsOf, requireNoCells, SchemaOfAnotherCell, SchemaOfCells, SchemaOfCitus } from "./migrations/cellIds.ts"
export { CitusMissing, distributeSchema } from "./migrations/distribution.ts"
export { countRateLimitServers } from "./limits/RateLimitServers.ts"
export { GroupCommit } from "./stays/StayLog.ts"
export { PartitionRows } from "./stays/StayPartitions.ts"
export { forgetRetryKeys, layerForgetRetryKeys } from "./stays/RetryKeys.ts"
export * from "./keys/TokenKeys.ts"

/** All stores on an existing client. The schema must exist: see `migrate`. */
export const layerStores: Layer.Layer<Stores | CellStore, never, SqlClient.SqlClient> = Layer.effectContext(
  Effect.gen(function* () {
    const ready = yield* StoreReadiness
    const sql = yield* SqlClient.SqlClient
    const db = makeDatabase(sql)
    const appended = yield* Latch.make()
    const transactions = makeJoinedTransactions(sql, yield* ApplicationClients, appended)
    const storing = makeStoring(db, ready, transactions)
    const directory = makePremisesDirectory(db)
    // A client that an application made itself.
    const client = yield* Effect.serviceOption(PgClient.PgClient)
    const { listen } = sessionsOf(sql) ?? Option.getOrUndefined(client) ?? {}
    const isBatched = yield* GroupCommit
    const listing = <Item, A, E>(
      statement: BulkStatement<Item, A, E>,
      name: string,
      fairnessKey: (item: Item) => unknown
    ) =>
      isBatched
        ? batchLists(statement, storing, ready, { name, fairnessKey })
        : Effect.succeed(single(statement, storing))
    const listPermissions = yield* listing(ownPermissions(db), "permissions", (administratorId) => administratorId)
    const readMemberships = yield* listing(
      membershipsOf(db),
      "memberships",
      ([first]) => first && nameOfReader(first.reader)
    )
    const listPlaces = yield* listing(placePages(db), "places", ({ organizationId }) => organizationId)
    const findDevice = yield* listing(devicesByToken(db), "device tokens", ({ tokenHash }) => tokenHash)
    const counting = countings(db, appended)
    const count = isBatched ? yield* batchCounts(counting, storing, ready) : single(counting, storing, writerOfCount)
    const isInTransaction = Effect.withFiber<boolean>(({ context }) => Effect.succeed(transactions.isAround(context)))
    const own = Context.make(CellStore, makeCellStore(db, storing)).pipe(Context.add(IsInTransaction, isInTransaction))
    const accounts = own.pipe(
      Context.add(TokenRevocationStore, makeTokenRevocationStore(db, storing)),
      Context.add(ImportStore, makeImportStore(db, storing)),
      Context.add(AccountLinkStore, makeAccountLinkStore(db, directory, storing)),
      Context.add(AdministratorAccounts, makeAdministratorAccounts(db, storing)),
      Context.add(PermissionStore, makePermissionStore(db, directory, storing, listPermissions, readMemberships))
    )
    return accounts.pipe(
      Context.add(AuditLog, makeAuditLog(db, storing)),
      Context.add(CapacityStore, makeCapacityStore(db, directory, storing)),
      Context.add(CountStore, makeCountStore(db, directory, storing, appended, count)),
      Context.add(DeviceStore, makeDeviceStore(db, storing, findDevice)),
      Context.add(OpenStayStatistics, makeOpenStayStatistics(db, storing)),
      Context.add(DeletionRequestStore, makeDeletionRequestStore(db, storing)),
      Context.add(FavoriteStore, makeFavoriteStore(db, storing)),
      Context.add(FloorPlanStore, makeFloorPlanStore(db, storing)),
      Context.add(HistoryStore, makeHistoryStore(db, directory, storing)),
      Context.add(MusterStore, makeMusterStore(db, directory, storing)),
      Context.add(OrganizationStore, makeOrganizationStore(db, storing)),
      Context.add(PersonalDataStore, makePersonalDataStore(db, storing, appended)),
      Context.add(PlaceStore, makePlaceStore(db, directory, storing, listPlaces)),
      Context.add(PresenceFeed, makePresenceFeed(db, storing, appended, Option.fromUndefinedOr(listen), rollUp)),
      Context.add(StayEndingStore, makeStayEndingStore(db, directory, storing, appended)),
      Context.add(StayLog, yield* makeStayLog(db, directory, storing, ready, appended)),
      Context.add(StayPolicyStore, makeStayPolicyStore(db, storing, appended, yield* PartitionRows)),
      Context.add(StorageIdentity, makeStorageIdentity(db, storing)),
      Context.add(WebhookStore, makeWebhookStore(db, storing, yield* batchRecordings(db, storing, ready)))
    )
  })
)

/**
 * All stores in the database at an address, which is migrated first. The client is provided for queries of the application. As a cell it
 * issues ids of the cell's range ({@link issueIdsOf}); with `citus` it is distributed ({@link distributeSchema}).
 */
export const layer = (
  address: DatabaseAddress,
  options?: DatabaseOptions & { readonly cell?: CellNumber | undefined }
) =>
  Layer.mergeAll(layerStores, layerForgetRetryKeys).pipe(
    Layer.provideMerge(options?.citus === true ? Layer.effectDiscard(distributeSchema) : Layer.empty),
    Layer.provideMerge(options?.cell === undefined ? Layer.empty : Layer.effectDiscard(issueIdsOf(options.cell))),
    Layer.provideMerge(layerMigrated),
    Layer.provideMerge(layerClient(address, options))
  )

/**
 * The same as {@link layer}, with an address from the configuration: `layerConfig(Config.all({ url: Config.Redacted("DATABASE_URL") }))`.
 */
export const layerConfig = (address: Config.Config<DatabaseAddress>, options?: DatabaseOptions) =>
  Layer.unwrap(Effect.map(address, (found) => layer(found, options)))
