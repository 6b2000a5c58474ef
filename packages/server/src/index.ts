/** The reference server of Sojourn as layers, for those who compose one of their own. */
export { issuerKey } from "./keys/IssuerKey.ts"
export { layerServer, type ServerOptions } from "./composition/layer.ts"
export { layerNodeServer, type NodeServerOptions } from "./http/NodeServer.ts"
export { layerStorage } from "./storage/index.ts"
export type { StorageChoice } from "./storage/StorageChoice.ts"
export { tokenKeys } from "./keys/TokenKeys.ts"
