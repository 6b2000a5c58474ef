/** Random commands on a whole service, whose every answer is compared with that of the same commands on an oracle. */
export { checkModel, ModelDivergence, type ModelOptions, type ModelReport } from "./checkModel.ts"
export { layerModelDirectory } from "./directory.ts"
export type { Driver, Oracle, StartDriver, StartOracle } from "./Driver.ts"
export { MODEL_AREA_LIMITS } from "./grid.ts"
export { makeManualClock } from "./ManualClock.ts"
export { type Answer, type Request as ModelRequest, type Services as ModelServices } from "./Request.ts"
export { answerOf, publishAll, servicesDriver, servicesOracle, sweepAll, withoutPublishing } from "./services.ts"
