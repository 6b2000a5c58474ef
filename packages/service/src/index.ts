/** The whole service: use cases, HTTP interface and background work on PostgreSQL, as layers and as promises. */
/// <reference types="node" preserve="true" />
export { layerAreaThread } from "./areas/AreaThread.ts"
export { type Cell } from "./cells/Cells.ts"
export { storesOverCells } from "./cells/layer.ts"
export { chooseCell, type CellLoad } from "./cells/placement.ts"
export { type BackgroundOptions, layerBackgroundWork, UPKEEP_DEFAULTS } from "./background/layer.ts"
export {
  layerFeedRetention,
  layerHistoryKeeping,
  layerMusterRetention,
  layerSweeping,
  layerUpkeep,
  type UpkeepOptions
} from "./background/Upkeep.ts"
export { type InterfaceOptions, JWKS_PATH, layerDirectory, layerInterface } from "./composition/layer.ts"
export { layer, type ServiceOptions } from "./composition/service.ts"
export { layerNodeKeys } from "./keys/layerNodeKeys.ts"
export { parseDatabaseUrl, parseIssuerKey, parseTokenKeys } from "./keys/secrets.ts"
export { createSojourn, type Sojourn, type SojournOptions, type SojournServices } from "./sojourn/createSojourn.ts"
export type { Listener } from "./sojourn/Responses.ts"
export type { KnownCaller } from "./sojourn/callers.ts"
export { outcome, Refused, RequestFailed, type SojournClient } from "@sojourn/client"
export { exitWithReason, explainListening, explainStart } from "./start/explainStart.ts"
export { layerPasswords, PasswordCost, type ScryptCost } from "./identity/Passwords.ts"
export { layerFailed, messageOf, namingIn, onOneLine, StartupError } from "./shared/StartupError.ts"
export { explain, hostOf, type Unusable } from "./storage/explain.ts"
export { type CellLocation, layerCells } from "./storage/cells.ts"
export { layerPostgres } from "./storage/postgres.ts"
export { type LayerCell, type LayerStorage, Storage, type StorageOptions } from "./storage/Storage.ts"
export { layerHttpsSender, type SenderOptions } from "./webhooks/HttpsSender.ts"
export { layerWebhooks } from "./webhooks/layer.ts"
