/** Snapshots of a database under load; `npm run feed-snapshots` looks at 10,000. SOJOURN_SEED changes the load. */
import { expect, it } from "vitest"
import { trigger } from "./audit.database.ts"
import { sampleFeeds } from "./sampling.ts"

const seed = Number(process.env.SOJOURN_SEED ?? "20260301")

it("in every snapshot the open stays of all premises are what was published and what is pending", async () => {
  const { violations, faults, distinct, pending } = await sampleFeeds({ snapshots: 250, seed })
  expect({ violations, faults }, `seed ${seed}`).toEqual({ violations: [], faults: [] })
  for (const count of [distinct, pending]) expect(count).toBeGreaterThan(0)
})

it("a database that publishes some changes twice, or loses some, is detected", async () => {
  const twice = trigger("insert on presence_event", "new.inside = new.inside + 1; return new;", "new.version % 5 = 0")
  const forgotten = trigger("insert on pending_change", "return null;", "new.departed > 0")
  for (const sabotage of [twice, forgotten]) {
    const { violations } = await sampleFeeds({ snapshots: 100, seed, sabotage })
    expect(violations).not.toEqual([])
  }
})
