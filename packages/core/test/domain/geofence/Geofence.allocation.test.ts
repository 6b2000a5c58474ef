/** How much garbage a fix leaves that changes nothing: on phones fixes come every second. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** Bytes of a fix. */
const MOST = 64

const program = fileURLToPath(new URL("allocation.ts", import.meta.url))

const measured = (place: string): number => {
  // Code is compiled at once: what is not compiled yet makes an object of every number.
  const compiled = ["--no-concurrent-recompilation", "--max-semi-space-size=256", "--expose-gc"]
  const flags = ["--conditions=source", "--no-warnings", ...compiled]
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, program, place], { encoding: "utf8" })
  assert.strictEqual(status, 0, stderr)
  return Number(stdout)
}

describe("a fix that changes nothing", () => {
  it.each(["inside", "near", "far"])("allocates at most 64 bytes, with 1,000 areas and the device %s", (place) => {
    assert.isAtMost(measured(place), MOST)
  })
})
