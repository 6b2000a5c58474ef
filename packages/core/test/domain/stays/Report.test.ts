/** The rounding of summed stay times to whole seconds in reports. */
import { assert, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { wholeSeconds } from "../../../src/index.ts"
import { integer } from "@sojourn/testing"
import { trials } from "../../trials.ts"

it.prop(
  "a report tells whole seconds of the summed milliseconds; what is left of the sum is dropped, once",
  { stays: Arbitrary.array(integer(0, 5_000), { maxLength: 20 }) },
  ({ stays }) => {
    const sum = stays.reduce((total, milliseconds) => total + milliseconds, 0)
    const seconds = wholeSeconds(sum)
    assert.isTrue(Number.isInteger(seconds))
    assert.isAtMost(seconds * 1000, sum)
    assert.isAbove(seconds * 1000, sum - 1000)
  },
  trials()
)
