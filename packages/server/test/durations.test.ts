/** The lengths of time that flags hold. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Duration, Option, Schema } from "effect"
import { formatSeconds, parseDuration, parseSeconds } from "../src/commands/values.ts"

const wholeSeconds = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 400 * 86_400 })))

describe("durations on the command line", () => {
  it.prop("a formatted number of seconds parses to the same number", { seconds: wholeSeconds }, ({ seconds }) => {
    assert.deepStrictEqual(parseSeconds(formatSeconds(seconds)), Option.some(seconds))
  })

  it("consist of a number and a unit", () => {
    const millis = (text: string) => Option.getOrUndefined(Option.map(parseDuration(text), Duration.toMillis))
    assert.deepStrictEqual(
      ["250ms", "5s", "1m", "2h", "3d", "0s"].map(millis),
      [250, 5000, 60_000, 7_200_000, 259_200_000, 0]
    )
    for (const text of ["", "5", "s", "-1s", "1.5s", "1 s", "1w", "1000000000s", "1S"]) {
      assert.isUndefined(millis(text), text)
    }
  })

  it("must be whole seconds above zero where whole seconds are required", () => {
    assert.deepStrictEqual(parseSeconds("2000ms"), Option.some(2))
    for (const text of ["0s", "0d", "250ms", "1500ms"]) assert.isTrue(Option.isNone(parseSeconds(text)), text)
  })

  it("are formatted in the largest unit that leaves no remainder", () => {
    assert.deepStrictEqual([1, 60, 90, 3600, 86_400, 90_000].map(formatSeconds), ["1s", "1m", "90s", "1h", "1d", "25h"])
  })
})
