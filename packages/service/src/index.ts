/** The whole service: use cases, HTTP interface and background work on PostgreSQL, as layers and as promises. */
export { layerAreaThread } from "./areas/AreaThread.ts"
export {
  layerFeedRetention,
  layerHistoryKeeping,
  layerMusterRetention,
  layerSweeping,
  layerUpkeep,
  type UpkeepOptions
} from "./background/Upkeep.ts"
export { type InterfaceOptions, JWKS_PATH, layerDirectory, layerInterface } from "./composition/layer.ts"
export { layerPasswords, PasswordCost, type ScryptCost } from "./identity/Passwords.ts"
export { layerFailed, messageOf, onOneLine, StartupError } from "./shared/StartupError.ts"
export { explain, type Unusable } from "./storage/explain.ts"
export { layerPostgres } from "./storage/postgres.ts"
export { type LayerStorage, Storage, type StorageOptions } from "./storage/Storage.ts"
export { layerHttpsSender, type SenderOptions } from "./webhooks/HttpsSender.ts"
export { layerWebhooks } from "./webhooks/layer.ts"
