/** Faults that are planted in a database, which the audit of kill cycles finds. */
import { describe, expect, it } from "vitest"
import { trigger } from "./audit.database.ts"
import { runKillCycles } from "./cycles.ts"

const seed = Number(process.env.SOJOURN_SEED ?? "20260301")

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

  it("changes without an entry, with a database that discards some entries of the audit", async () => {
    const sabotage = trigger(
      "insert on audit_entry",
      "return null;",
      "new.action = 'organization.update' and new.id % 2 = 0"
    )
    const { faults } = await runKillCycles({ cycles: 1, seed, isGroup: true, kills: ["one backend"], sabotage })
    expect(faults).toContainEqual(
      expect.objectContaining({ kind: "lost", what: expect.stringMatching(/^the audit of organization/) })
    )
  })

  it("doubled entrances, with a database that discards retry keys", async () => {
    const sabotage = trigger("insert on entrance_retry", "return null;")
    const { faults } = await runKillCycles({ cycles: 1, seed, kills: ["one backend"], sabotage })
    expect(faults).toContainEqual(expect.objectContaining({ kind: "doubled" }))
  })
})
