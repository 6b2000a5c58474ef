/**
 * Kills of real processes under load; `npm run kill-cycles` and `npm run kill-cycles -- group` do 100. SOJOURN_SEED changes the moments.
 * `plantedFaults.test.ts` shows that they find faults.
 */
import { describe, expect, it } from "vitest"
import { runKillCycles } from "./cycles.ts"
import { GROUP_KILLS, type Kill } from "./kills.ts"

const seed = Number(process.env.SOJOURN_SEED ?? "20260301")

describe.skipIf(process.platform === "win32")("after a SIGKILL under load of any of its processes", () => {
  it("the service has lost no acknowledged movement, counted none twice, and left no process running", async () => {
    const kills: ReadonlyArray<Kill> = ["the server and all of PostgreSQL", "the postmaster", "one backend"]
    const { acknowledged, faults } = await runKillCycles({ cycles: kills.length, seed, kills })
    expect(faults, `seed ${seed}`).toEqual([])
    expect(acknowledged).toBeGreaterThan(0)
  })

  it("streams of three servers have lost and repeated no event, and webhooks have delivered each in order", async () => {
    const kills = GROUP_KILLS.slice(0, 2)
    const { faults, events, resumed, delivered } = await runKillCycles({
      cycles: kills.length,
      seed,
      isGroup: true,
      kills
    })
    expect(faults, `seed ${seed}`).toEqual([])
    for (const count of [events, resumed, delivered]) expect(count).toBeGreaterThan(0)
  })
})
