/** `--feed-retention`: when events of the feed are forgotten. */
import { assert, describe, it } from "@effect/vitest"
import { layerStores } from "@sojourn/adapter-memory"
import { Organizations, PresenceFeed } from "@sojourn/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { layerFeedRetention } from "@sojourn/service"
import { anOrganization, OWNER } from "./services/fixtures.ts"

describe("the retention of presence events", () => {
  it.effect("forgets the events that are older, but for the last one", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const feed = yield* PresenceFeed
      const { id } = yield* anOrganization("anonymous")
      const versionsAfter = (version: number) =>
        Effect.map(feed.eventsAfter([{ organizationId: id, version }], 10), ([page]) =>
          page?._tag === "Events" ? page.events.map((event) => event.version) : page?._tag
        )
      for (const city of ["Padova", "Venezia", "Verona"]) yield* organizations.edit(OWNER, id, { city })
      yield* Layer.build(layerFeedRetention(Duration.days(7)))
      yield* TestClock.adjust("6 days")
      yield* organizations.edit(OWNER, id, { city: "Treviso" })
      assert.deepStrictEqual(yield* versionsAfter(0), [1, 2, 3, 4])
      yield* TestClock.adjust("2 days")
      assert.deepStrictEqual(yield* versionsAfter(2), "Unknown")
      assert.deepStrictEqual(yield* versionsAfter(3), [4])
      yield* TestClock.adjust("30 days")
      assert.deepStrictEqual(yield* versionsAfter(3), [4])
    }).pipe(Effect.provide(Organizations.layer.pipe(Layer.provideMerge(layerStores))))
  )
})
