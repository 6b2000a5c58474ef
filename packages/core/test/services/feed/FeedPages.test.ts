/** Reads of feeds at one moment are one, and equal ones are read once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { OrganizationId } from "../../../src/domain/shared/Ids.ts"
import { type FeedPosition, PresenceFeed } from "../../../src/ports/feed/PresenceFeed.ts"
import { makeFeedPages } from "../../../src/services/feed/FeedPages.ts"

const at = (organization: bigint, version: number): FeedPosition => ({
  organizationId: OrganizationId.make(organization),
  version
})

describe("FeedPages", () => {
  it.effect("reads the positions of one moment together, and equal ones once", () =>
    Effect.gen(function* () {
      const reads: Array<ReadonlyArray<FeedPosition>> = []
      const feed = {
        eventsAfter: (positions: ReadonlyArray<FeedPosition>) =>
          Effect.sync(() => {
            reads.push(positions)
            return positions.map((position) => ({ _tag: "Unknown" as const, ...position, nearest: position.version }))
          })
      }
      const read = yield* Effect.provideService(makeFeedPages, PresenceFeed, feed as never)
      const positions = [at(1n, 5), at(2n, 5), at(1n, 5), at(1n, 6)]
      const pages = yield* Effect.all(positions.map(read), { concurrency: "unbounded" })
      assert.deepStrictEqual(reads, [[at(1n, 5), at(2n, 5), at(1n, 6)]])
      for (const [nth, page] of pages.entries()) assert.deepInclude(page, positions[nth]!)
    }).pipe(Effect.scoped)
  )
})
