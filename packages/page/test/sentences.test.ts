/** Entries of the audit in words. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { AuditEntry } from "@sojourn/client"
import { assert, describe, it } from "vitest"
import { actorText, changesText, deedText } from "../src/browser/audit/sentences.ts"
import type { Formats } from "../src/browser/shared/formats.ts"
import { loadAllWords } from "../src/browser/words/languages.ts"

const spoken = { words: await loadAllWords("en"), formats: { number: String } as unknown as Formats }
const names = new Map([[7, "Garden"]])
const entry = (over: Partial<AuditEntry>): AuditEntry => ({
  id: 1,
  at: "2026-11-28T17:05:09Z",
  actor: { kind: "administrator", id: "ada" },
  action: "place.update",
  ...over
})

describe("an entry of the audit", () => {
  it("has words for every action that the specification names", () => {
    const path = fileURLToPath(new URL("../../../docs/specification/audit.md", import.meta.url))
    const [, list] = /<a id="actions"><\/a>(.*)/.exec(readFileSync(path, "utf8"))!
    const actions = [...list!.matchAll(/`([a-zA-Z]+\.[a-zA-Z]+)`/g)].map(([, action]) => action!)
    assert.isAbove(actions.length, 30)
    for (const action of actions.filter((action) => action !== "acts.ts")) assert.property(spoken.words.acts, action)
    // One that a newer server has keeps its name.
    assert.strictEqual(deedText(spoken, names, entry({ action: "lift.move" })), "lift.move")
  })

  it.each([
    [{ target: { kind: "place", id: "7" }, placeId: 7 }, "Place changed: Garden"],
    [{ target: { kind: "place", id: "8" }, placeId: 8 }, "Place changed: Place 8"],
    [{ action: "organization.update", target: { kind: "organization", id: "1" } }, "Organization changed"],
    [{ action: "person.read", target: { kind: "person", id: "alan" }, count: 1 }, "People looked at: alan, people: 1"],
    [{ action: "muster.swept", target: { kind: "muster", id: "3" }, placeId: 7 }, "Place searched: #3, Garden"],
    [{ action: "floorPlan.remove", target: { kind: "floorPlan", id: "-1" } }, "Floor plan deleted: Level -1"]
  ])("of %j says what was done", (over, text) => assert.strictEqual(deedText(spoken, names, entry(over)), text))

  it("says who acted", () => {
    const actor = (kind: AuditEntry["actor"]["kind"], id: string) =>
      actorText(spoken, "ada", entry({ actor: { kind, id } }))
    assert.strictEqual(actor("administrator", "ada"), "ada (you)")
    assert.strictEqual(actor("administrator", "grace"), "grace")
    assert.strictEqual(actor("operator", "root"), "Operator: root")
    assert.strictEqual(actor("policy", "staysEndAt"), "Policy: Open visits end daily at")
  })

  it("says what differs, in the units and names of the page", () => {
    const changes = {
      trackingArea: { from: { points: 4, sha256: "a" }, to: { points: 5, sha256: "b" } },
      parentId: { to: 7 },
      retention: { from: 86_400, to: 172_800 },
      permission: { from: "viewer", to: "owner" },
      premises: { to: "organization,7" },
      swept: { from: false, to: true },
      unknown: { from: "a", to: "b" }
    }
    assert.deepStrictEqual(changesText(spoken, names, entry({ changes })), [
      "Area: 4 points → 5 points",
      "Part of: – → Garden",
      "Visits are kept for, in days: 1 → 2",
      "Permission: viewer → owner",
      "Counts at: – → Whole organization, Garden",
      "Searched: – → ✓",
      "unknown: a → b"
    ])
  })
})
