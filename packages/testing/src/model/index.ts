/** Random commands on a whole service, whose every answer is compared with that of the same commands on an oracle. */
export {
  checkModel,
  type Compared,
  type Divergence,
  ModelDivergence,
  type ModelOptions,
  type ModelReport,
  replay
} from "./checkModel.ts"
export type { Command, PasswordName, Request as ModelRequest, ServerName, TokenRef, Caller } from "./commands.ts"
export {
  type Directory,
  type Driver,
  type Oracle,
  passwordText,
  serverName,
  serverUrl,
  type StartDriver,
  type StartOracle
} from "./Driver.ts"
export { withoutPublishing } from "./driver/pauses.ts"
export { servicesDriver, servicesOracle, sweepAll } from "./driver/servicesDriver.ts"
export { maxAreaOfCells, MODEL_AREA_LIMITS, textOfDrawing } from "./grid.ts"
export { makeManualClock } from "./ManualClock.ts"
export { Names } from "./Names.ts"
export type { Observed } from "./outcomes.ts"
export { type Coverage, type Shortfall, shortfalls } from "./coverage.ts"
