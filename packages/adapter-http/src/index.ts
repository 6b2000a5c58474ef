/** Sojourn over HTTP: the handlers of the interface on the core's use cases, for any server that Effect runs on. */
export { finish, problem } from "./edge/answer.ts"
export { type Answered, RequestLog } from "./edge/RequestLog.ts"
export type { ExtraRoute } from "./edge/Routes.ts"
export { LARGEST_BODY } from "./handlers/body.ts"
export { type MintedToken, TokenMinter } from "./handlers/authentication.ts"
export { Readiness } from "./handlers/Readiness.ts"
export { layerHandlers, layerRoutes, type Options, routerConfig, serve } from "./layer.ts"
export * from "./api/index.ts"
