import { suite } from "../../shared/suite.ts"
import { administrativeEventLaws } from "./administrativeEvents.ts"
import { eventIntervalLaws } from "./eventIntervals.ts"
import { feedHistoryLaws } from "./histories.ts"
import { feedMovementLaws } from "./movements.ts"
import { pageAndSnapshotLaws } from "./pagesAndSnapshots.ts"
import { publishingIntervalLaws } from "./publishingIntervals.ts"
import { feedRaceLaws } from "./races.ts"

/**
 * The contract of `PresenceFeed`, and of every store that appends pending changes or publishes events. The laws publish at times of
 * their own: nothing else may publish on their database.
 */
export const presenceFeedLaws = suite("PresenceFeed", [
  feedMovementLaws,
  administrativeEventLaws,
  pageAndSnapshotLaws,
  eventIntervalLaws,
  publishingIntervalLaws,
  feedRaceLaws,
  feedHistoryLaws
])
