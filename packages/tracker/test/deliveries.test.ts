/** Random days of phones whose network, storage and tabs fail: the server's stays are the device's visits (`simulation/`). */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { startServer } from "./server.ts"
import { scenario } from "./simulation/scenario.ts"
import { simulate } from "./simulation/simulate.ts"

const RUNS = Math.max(1, Math.round(300 * Number(process.env.SOJOURN_RUNS_FACTOR ?? 1)))
const SEED = Number(process.env.SOJOURN_SEED ?? 20260301)

const server = await startServer()

describe("deliveries", () => {
  it.effect.prop(
    "the server's stays are the device's visits, each once and in order, whatever fails",
    { scenario },
    ({ scenario }) =>
      Effect.map(
        Effect.promise(() => simulate(server, scenario)),
        (wrong) => assert.strictEqual(wrong.join("\n"), "", JSON.stringify(scenario))
      ),
    { arbitrary: { runs: RUNS, seed: SEED, maxShrinks: 100 }, timeout: 600_000 + RUNS * 2_000 }
  )
})
