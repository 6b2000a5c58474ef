/**
 * Model-based tests of a whole service: the rules told anew, as naively as can be, and random runs that compare every
 * answer of a service with them.
 */
export {
  checkModel,
  type Divergence,
  ModelDivergence,
  type ModelOptions,
  type ModelReport,
  replay
} from "./checkModel.ts"
export type { Command, PasswordName, Request as ModelRequest, ServerName, TokenRef, Who } from "./commands.ts"
export { type Directory, type Driver, passwordText, serverName, serverUrl, type StartDriver } from "./Driver.ts"
export { inStep } from "./driver/inStep.ts"
export { toldByHand } from "./driver/pauses.ts"
export { servicesDriver } from "./driver/servicesDriver.ts"
export { sweepAll } from "./driver/sweepAll.ts"
export { maxAreaOfCells, MODEL_AREA_LIMITS, textOfDrawing } from "./ground.ts"
export { makeHandClock } from "./HandClock.ts"
export { Names } from "./Names.ts"
export type { Seen } from "./outcomes.ts"
export { type StatesMet, type Void, voids } from "./sometimes.ts"
