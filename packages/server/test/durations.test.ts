import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Duration, Option, Schema } from "effect"
import { formatSeconds, parseDuration, parseSeconds } from "../src/commands/durations.ts"

const wholeSeconds = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 400 * 86_400 })))

describe("lengths of time on the command line", () => {
  it.prop("seconds are read as they are written", { seconds: wholeSeconds }, ({ seconds }) => {
    assert.deepStrictEqual(parseSeconds(formatSeconds(seconds)), Option.some(seconds))
  })

  it("have a number and a unit", () => {
    const millis = (text: string) => Option.getOrUndefined(Option.map(parseDuration(text), Duration.toMillis))
    assert.deepStrictEqual(
      ["250ms", "5s", "1m", "2h", "3d", "0s"].map(millis),
      [250, 5000, 60_000, 7_200_000, 259_200_000, 0]
    )
    for (const text of ["", "5", "s", "-1s", "1.5s", "1 s", "1w", "1000000000s", "1S"]) {
      assert.isUndefined(millis(text), text)
    }
  })

  it("are of whole seconds above zero where seconds are asked for", () => {
    assert.deepStrictEqual(parseSeconds("2000ms"), Option.some(2))
    for (const text of ["0s", "0d", "250ms", "1500ms"]) assert.isTrue(Option.isNone(parseSeconds(text)), text)
  })

  it("are written in the largest unit that leaves no rest", () => {
    assert.deepStrictEqual([1, 60, 90, 3600, 86_400, 90_000].map(formatSeconds), ["1s", "1m", "90s", "1h", "1d", "25h"])
  })
})
