import {
  AccountLinkStore,
  AdministratorAccounts,
  OpenStayStatistics,
  DeletionRequestStore,
  FavoriteStore,
  OrganizationStore,
  PermissionStore,
  PersonalDataStore,
  PlaceStore,
  StayLog,
  StayPolicyStore,
  type Stores
} from "@sojourn/core"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { makeAccountLinkStore } from "./AccountLinkStore.ts"
import { makeAdministratorAccounts } from "./AdministratorAccounts.ts"
import { type DatabaseAddress, type DatabaseBounds, layerClient } from "./Client.ts"
import { makeDatabase, StoreReadiness } from "./Database.ts"
import { makeCensus } from "./Census.ts"
import { makeDeletionRequestStore } from "./DeletionRequestStore.ts"
import { makeFavoriteStore } from "./FavoriteStore.ts"
import { layerMigrated } from "./Migrations.ts"
import { makeOrganizationStore } from "./OrganizationStore.ts"
import { makePermissionStore } from "./PermissionStore.ts"
import { makePersonalDataStore } from "./PersonalDataStore.ts"
import { makePlaceStore } from "./PlaceStore.ts"
import { makePremisesDirectory } from "./PremisesDirectory.ts"
import { layerForgetRetryKeys } from "./RetryKeys.ts"
import { makeStayLog } from "./StayLog.ts"
import { makeStayPolicyStore } from "./StayPolicyStore.ts"

export { type DatabaseAddress, type DatabaseBounds, layerClient } from "./Client.ts"
export { StoreReadiness } from "./Database.ts"
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
  SchemaTooOld
} from "./Migrations.ts"
export { countRateLimitServers } from "./RateLimitServers.ts"
export { GroupCommit } from "./StayLog.ts"
export { forgetRetryKeys, layerForgetRetryKeys } from "./RetryKeys.ts"
export * from "./TokenKeys.ts"

/** Every store in the PostgreSQL of an existing client. The schema is taken to be there: see `migrate`. */
export const layerStores: Layer.Layer<Stores, never, SqlClient.SqlClient> = Layer.effectContext(
  Effect.gen(function* () {
    const ready = yield* StoreReadiness
    const { db, storing } = makeDatabase(yield* SqlClient.SqlClient, ready)
    const directory = makePremisesDirectory(db)
    return Context.empty().pipe(
      Context.add(AccountLinkStore, makeAccountLinkStore(db, directory, storing)),
      Context.add(AdministratorAccounts, makeAdministratorAccounts(db, storing)),
      Context.add(OpenStayStatistics, makeCensus(db, storing)),
      Context.add(DeletionRequestStore, makeDeletionRequestStore(db, storing)),
      Context.add(FavoriteStore, makeFavoriteStore(db, storing)),
      Context.add(OrganizationStore, makeOrganizationStore(db, storing)),
      Context.add(PermissionStore, makePermissionStore(db, directory, storing)),
      Context.add(PersonalDataStore, makePersonalDataStore(db, storing)),
      Context.add(PlaceStore, makePlaceStore(db, directory, storing)),
      Context.add(StayLog, yield* makeStayLog(db, directory, storing, ready)),
      Context.add(StayPolicyStore, makeStayPolicyStore(db, storing))
    )
  })
)

/** Every store in the database at an address, which is migrated first. The client is there for the user's own queries. */
export const layer = (address: DatabaseAddress, bounds?: DatabaseBounds) =>
  Layer.mergeAll(layerStores, layerForgetRetryKeys).pipe(
    Layer.provideMerge(layerMigrated),
    Layer.provideMerge(layerClient(address, bounds))
  )

/** The same, with an address from the configuration: `layerConfig(Config.all({ url: Config.Redacted("DATABASE_URL") }))`. */
export const layerConfig = (address: Config.Config<DatabaseAddress>, bounds?: DatabaseBounds) =>
  Layer.unwrap(Effect.map(address, (found) => layer(found, bounds)))
