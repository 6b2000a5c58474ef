/** Kills of real processes under load; `npm run kill-cycles` does 100. SOJOURN_SEED changes the moments. */
import { describe, expect, it } from "vitest"
import { runKillCycles } from "./cycles.ts"
import { KILLS } from "./kills.ts"

const seed = Number(process.env.SOJOURN_SEED ?? "20260301")

describe.skipIf(process.platform === "win32")("after a SIGKILL under load of any of its processes", () => {
  it("the service has lost no acknowledged movement, counted none twice, and left no process running", async () => {
    const { acknowledged, faults } = await runKillCycles({ cycles: KILLS.length, seed })
    expect(faults, `seed ${seed}`).toEqual([])
    expect(acknowledged).toBeGreaterThan(0)
  })
})

describe.skipIf(process.platform === "win32")("the kill cycles detect", () => {
  it("lost movements, with a database that acknowledges commits before they are durable", async () => {
    const sabotage = ["alter database sojourn set synchronous_commit = off"]
    const { faults } = await runKillCycles({ cycles: 5, seed, kills: ["all of PostgreSQL"], sabotage })
    expect(faults).toContainEqual(expect.objectContaining({ kind: "lost" }))
  })

  it("doubled entrances, with a database that discards retry keys", async () => {
    const sabotage = [
      "create function forget() returns trigger language plpgsql as 'begin return null; end'",
      "create trigger forget before insert on entrance_retry for each row execute function forget()"
    ]
    const { faults } = await runKillCycles({ cycles: 1, seed, kills: ["one backend"], sabotage })
    expect(faults).toContainEqual(expect.objectContaining({ kind: "doubled" }))
  })
})
