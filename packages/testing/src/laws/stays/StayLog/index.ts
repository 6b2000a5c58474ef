import { endingLaws } from "./endings.ts"
import { entranceLaws } from "./movements.ts"
import { exitLaws } from "./movements.ts"
import { historyLaws } from "./histories.ts"
import { identityLaws } from "./movements.ts"
import { listLaws } from "./readings.ts"
import { raceLaws } from "./races.ts"
import { readingLaws } from "./readings.ts"
import { retryLaws } from "./movements.ts"
import { batchLaws } from "./races.ts"
import { suite } from "../../shared/suite.ts"

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
