/** The reference server of Sojourn as layers, for those who compose one of their own. */
export { issuerKey } from "./IssuerKey.ts"
export { JWKS_PATH, layerServer, type ServerOptions } from "./layer.ts"
export { layerNodeServer } from "./NodeServer.ts"
