import { suite } from "../../shared/suite.ts"
import { endingLaws } from "./endings.ts"
import { historyLaws } from "./histories.ts"
import { entranceLaws, exitLaws, identityLaws, retryLaws } from "./movements.ts"
import { batchLaws, raceLaws } from "./races.ts"
import { listLaws, readingLaws } from "./readings.ts"

/**
 * What a `StayLog` promises of entrances that end other stays. One that refuses `leaves` and knows no exclusive places does without.
 *
 * @since 0.1.0
 * @category laws
 */
export const stayEndingLaws = suite("StayLog: endings", [endingLaws])

/**
 * What every `StayLog` promises.
 *
 * @since 0.1.0
 * @category laws
 */
export const stayLogLaws = suite("StayLog", [
  entranceLaws,
  exitLaws,
  identityLaws,
  retryLaws,
  listLaws,
  readingLaws,
  batchLaws,
  raceLaws,
  historyLaws
])
