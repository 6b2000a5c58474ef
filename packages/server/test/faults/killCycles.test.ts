/** Kills of real processes under load; `npm run kill-cycles` does a hundred. SOJOURN_SEED tries other moments. */
import { describe, expect, it } from "vitest"
import { runKillCycles } from "./cycles.ts"
import { KILLS } from "./kills.ts"

const seed = Number(process.env.SOJOURN_SEED ?? "20260301")

describe.skipIf(process.platform === "win32")("killed with SIGKILL under load, whatever is killed", () => {
  it("the service loses no movement that it acknowledged, counts none twice, and leaves no process behind", async () => {
    const { acknowledged, faults } = await runKillCycles({ cycles: KILLS.length, seed })
    expect(faults, `seed ${seed}`).toEqual([])
    expect(acknowledged).toBeGreaterThan(0)
  })
})

describe.skipIf(process.platform === "win32")("the kill cycles notice", () => {
  it("a database that acknowledges before it has written down: movements are lost", async () => {
    const sabotage = ["alter database sojourn set synchronous_commit = off"]
    const { faults } = await runKillCycles({ cycles: 5, seed, kills: ["all of PostgreSQL"], sabotage })
    expect(faults).toContainEqual(expect.objectContaining({ kind: "lost" }))
  })

  it("retry keys that are forgotten: entrances are doubled", async () => {
    const sabotage = [
      "create function forget() returns trigger language plpgsql as 'begin return null; end'",
      "create trigger forget before insert on entrance_retry for each row execute function forget()"
    ]
    const { faults } = await runKillCycles({ cycles: 1, seed, kills: ["one backend"], sabotage })
    expect(faults).toContainEqual(expect.objectContaining({ kind: "doubled" }))
  })
})
