/** The reference server of Sojourn as layers, for those who compose one of their own. */
export { issuerKey } from "./keys/IssuerKey.ts"
export { JWKS_PATH, layerInterface, layerServer, type ServerOptions } from "./composition/layer.ts"
export { layerNodeServer, type NodeServerOptions } from "./http/NodeServer.ts"
export { layerStorage } from "./storage/index.ts"
export { type LayerStorage, Storage, type StorageChoice, type StorageOptions } from "./storage/Storage.ts"
export { tokenKeys } from "./keys/TokenKeys.ts"
export { layerFeedRetention, layerHistoryKeeping, layerSweeping } from "./upkeep/Upkeep.ts"
export { layerWebhooks } from "./webhooks/layer.ts"
