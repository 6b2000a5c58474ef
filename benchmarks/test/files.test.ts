/** Files of accesses for seconds: they hold all of them. No time is judged. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { faultsOf, measureFiles, tableOf } from "../files/files.ts"

describe("files", () => {
  it.live("hold every access", () =>
    Effect.gen(function* () {
      const run = { accesses: 2_500, callers: [1, 3], places: 2 }
      const measured = yield* measureFiles(run)
      assert.deepStrictEqual(faultsOf(run, measured), [])
      assert.match(tableOf(measured), /\| 3 +\| +7,500 \|/)
      assert.deepStrictEqual(faultsOf({ accesses: 2_501 }, measured.slice(0, 1)), [
        "1 callers read 2500 accesses of 2501"
      ])
    })
  )
})
