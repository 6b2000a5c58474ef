/**
 * Kills of real processes under load; `npm run kill-cycles` and `npm run kill-cycles -- group` do 100. SOJOURN_SEED changes the moments.
 */
import { describe, expect, it } from "vitest"
import { trigger } from "./audit.database.ts"
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

describe.skipIf(process.platform === "win32")("the kill cycles detect", () => {
  it("lost events, with a database that discards some of what is recorded", async () => {
    const sabotage = trigger("insert on pending_change", "return null;", "new.departed > 0")
    const { faults } = await runKillCycles({ cycles: 1, seed, kills: ["one backend"], sabotage })
    expect(faults).toContainEqual(expect.objectContaining({ kind: "lost", what: expect.stringMatching(/^events of/) }))
  })

  it("doubled deliveries, with a database that forgets how far webhooks are", async () => {
    const sabotage = trigger(
      "update on webhook",
      "new.processed = old.processed; new.delivered = old.delivered; return new;"
    )
    const { faults } = await runKillCycles({ cycles: 2, seed, isGroup: true, kills: ["three servers"], sabotage })
    expect(faults).toContainEqual(
      expect.objectContaining({ kind: "doubled", what: expect.stringMatching(/came again/) })
    )
  })

  it("lost movements, with a database that acknowledges commits before they are durable", async () => {
    const sabotage = ["alter database sojourn set synchronous_commit = off"]
    const { faults } = await runKillCycles({ cycles: 5, seed, kills: ["all of PostgreSQL"], sabotage })
    expect(faults).toContainEqual(expect.objectContaining({ kind: "lost" }))
  })

  it("doubled readings, with a database that forgets the totals of epochs", async () => {
    const sabotage = trigger("update on device_epoch", "return old;")
    const { faults } = await runKillCycles({ cycles: 4, seed, kills: ["one backend"], sabotage })
    expect(faults).toContainEqual(expect.objectContaining({ kind: "doubled" }))
  })

  it("doubled entrances, with a database that discards retry keys", async () => {
    const sabotage = trigger("insert on entrance_retry", "return null;")
    const { faults } = await runKillCycles({ cycles: 1, seed, kills: ["one backend"], sabotage })
    expect(faults).toContainEqual(expect.objectContaining({ kind: "doubled" }))
  })
})
