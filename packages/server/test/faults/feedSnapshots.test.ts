/** Snapshots of a database under load; `npm run feed-snapshots` looks at 10,000. SOJOURN_SEED changes the load. */
import { expect, it } from "vitest"
import { sampleFeeds } from "./sampling.ts"

const seed = Number(process.env.SOJOURN_SEED ?? "20260301")

it("in every snapshot the open stays of all premises are what was published and what is pending", async () => {
  const { violations, faults, distinct, pending } = await sampleFeeds({ snapshots: 500, seed })
  expect({ violations, faults }, `seed ${seed}`).toEqual({ violations: [], faults: [] })
  for (const count of [distinct, pending]) expect(count).toBeGreaterThan(0)
})

it("a database that publishes some changes twice, or loses some, is detected", async () => {
  const twice = [
    "create function repeat() returns trigger language plpgsql as 'begin new.inside = new.inside + 1; return new; end'",
    "create trigger repeat before insert on presence_event for each row when (new.version % 20 = 0) execute function repeat()"
  ]
  const forgotten = [
    "create function forget() returns trigger language plpgsql as 'begin return null; end'",
    "create trigger forget before insert on pending_change for each row when (new.departed > 0) execute function forget()"
  ]
  for (const sabotage of [twice, forgotten]) {
    const { violations } = await sampleFeeds({ snapshots: 200, seed, sabotage })
    expect(violations).not.toEqual([])
  }
})
