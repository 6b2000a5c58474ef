import { suite } from "../../shared/suite.ts"
import { endingLaws } from "./endings.ts"
import { historyLaws } from "./histories.ts"
import { entranceLaws, exitLaws, identityLaws, retryLaws } from "./movements.ts"
import { batchLaws, raceLaws } from "./races.ts"
import { listLaws, readingLaws } from "./readings.ts"
import { windowLaws } from "./windows.ts"

/**
 * What a `StayLog` promises of entrances that end other stays. One that refuses `leaves` and knows no exclusive places does without.
 */
export const stayEndingLaws = suite("StayLog: endings", [endingLaws])

/** What every `StayLog` promises. */
export const stayLogLaws = suite("StayLog", [
  entranceLaws,
  exitLaws,
  identityLaws,
  retryLaws,
  listLaws,
  readingLaws,
  windowLaws,
  batchLaws,
  raceLaws,
  historyLaws
])
