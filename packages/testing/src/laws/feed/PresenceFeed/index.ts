import type { Stores } from "@sojourn/core"
import type * as Layer from "effect/Layer"
import { type LawOptions, suite } from "../../shared/suite.ts"
import { feedGrainLaws } from "./grains.ts"
import { feedHistoryLaws } from "./histories.ts"
import { feedIntervalLaws } from "./intervals.ts"
import { feedMovementLaws } from "./movements.ts"
import { feedNewsLaws } from "./news.ts"
import { feedRaceLaws } from "./races.ts"
import { feedReadingLaws } from "./readings.ts"

/**
 * What every `PresenceFeed` promises, and every other store that records deltas or tells news. The laws tell events with times of their own:
 * nothing else may tell events on their database.
 */
export const presenceFeedLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(
    `${name}: PresenceFeed`,
    stores,
    [feedMovementLaws, feedNewsLaws, feedReadingLaws, feedGrainLaws, feedIntervalLaws, feedRaceLaws, feedHistoryLaws],
    options
  )
