/** A comparison in seconds: every candidate is found correct and measured. No time is judged. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CANDIDATES } from "../compare/Candidate.ts"
import { compare } from "../compare/compare.ts"
import { type Comparison, SHORT } from "../compare/Comparison.ts"
import { temporaryDirectory } from "../compare/Databases.ts"
import { publish } from "../compare/publish.ts"
import { titleOf } from "../compare/tables.ts"

const ONCE: Comparison = {
  ...SHORT,
  candidates: CANDIDATES,
  scenarios: ["pairs", "counter", "accesses"],
  connections: [4],
  rounds: 1,
  durability: "fast",
  commitDelay: 2,
  wireDelay: 5
}

describe("compare", () => {
  it.live("finds every candidate correct, and measures each at all that it does", () =>
    Effect.gen(function* () {
      const out = yield* temporaryDirectory
      const compared = yield* compare(ONCE, () => {})
      assert.match(compared.database, /, each commit 2 ms longer$/)
      const measured = compared.heats.map(({ scenario, turns }) => [scenario, turns.map(({ candidate }) => candidate)])
      assert.deepStrictEqual(
        measured,
        ONCE.scenarios.map((scenario) => [
          scenario,
          CANDIDATES.filter(({ scenarios }) => scenarios.includes(scenario)).map(({ name }) => name)
        ])
      )
      for (const { candidate, turns } of compared.heats.flatMap((heat) => heat.turns)) {
        // A candidate that asks the database waits for the wire there and back; a timer may go off a little early.
        const least = candidate === "bare" ? 0 : 2 * ONCE.wireDelay - 1
        for (const { rate, p50, p99, load } of turns) {
          assert.isAbove(rate, 0)
          assert.isAbove(p50, least)
          assert.isAtLeast(p99, p50)
          assert.isAbove(load, 0)
        }
      }
      assert.deepStrictEqual(
        compared.starts.map(({ storage, times }) => [storage, times.length]),
        [
          ["memory", 1],
          ["embedded", 1]
        ]
      )
      const told = publish(ONCE, compared, out)
      assert.include(told, "each commit 2 ms longer, 5 ms away each way;")
      const drawn = readFileSync(join(out, "compare.svg"), "utf8")
      for (const text of [told, drawn]) {
        for (const heat of compared.heats) assert.include(text, titleOf(heat))
        for (const { name } of CANDIDATES) assert.include(text, name)
      }
      const { heats } = JSON.parse(readFileSync(join(out, "compare.json"), "utf8"))
      assert.strictEqual(heats.length, compared.heats.length)
    })
  )
})
