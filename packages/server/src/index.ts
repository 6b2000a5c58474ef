/** The reference server of Sojourn as layers, for those who compose one of their own. */
export { layerFeedRetention } from "./FeedRetention.ts"
export { issuerKey } from "./IssuerKey.ts"
export { JWKS_PATH, layerInterface, layerServer, type ServerOptions } from "./layer.ts"
export { layerNodeServer, type NodeServerOptions } from "./NodeServer.ts"
export { layerStorage } from "./storage/index.ts"
export { type LayerStorage, Storage, type StorageChoice, type StorageOptions } from "./storage/Storage.ts"
export { layerSweeping } from "./Sweeping.ts"
export { tokenKeys } from "./TokenKeys.ts"
