/** A cell on Citus that is moved, and whose worker is killed; `npm run citus` does 20 moves and 10 kills. SOJOURN_SEED changes the moments. */
import { describe, expect, it } from "vitest"
import { citusUrl, killCommand, runCitus } from "./citus.ts"

const seed = Number(process.env.SOJOURN_SEED ?? "20260301")

describe.skipIf(citusUrl === undefined)("a cell on Citus", () => {
  it("that is moved from worker to worker loses nothing and refuses nothing, and survives kills of its worker", async () => {
    const kills = killCommand === undefined ? 0 : 2
    const { acknowledged, faults } = await runCitus({ url: citusUrl!, moves: 4, kills, seed })
    expect(faults, `seed ${seed}`).toEqual([])
    expect(acknowledged).toBeGreaterThan(0)
  })
})
