/** `batchPerTick`: each item is processed once and in order, despite items that throw and items that are added meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import { anyOf, integer } from "@sojourn/testing"
import { Arbitrary } from "effect"
import { batchPerTick } from "../src/pipeline/nodeDriver.ts"

const steps = Arbitrary.array(anyOf(["comes", "comes", "breaks", "is called back"]), { maxLength: 30 })

describe("what is done together", () => {
  it.prop(
    "is done once and in its order, when it is time, whatever breaks beside it and whatever comes meanwhile",
    { steps, next: integer(0, 3) },
    ({ steps: all, next }) => {
      const calls: Array<() => void> = []
      const done: Array<number> = []
      const broken: Array<unknown> = []
      const breaking = new Set<number>()
      let count = 0
      let more = next
      const add = batchPerTick<number>(
        (run) => calls.push(run),
        (item) => {
          if (more-- > 0) add(count++)
          done.push(item)
          if (breaking.has(item)) throw item
        },
        (defect) => broken.push(defect)
      )
      for (const step of [...all, "is called back" as const, "is called back" as const]) {
        assert.isAtMost(calls.length, 1, "an authenticator that is called once calls back once")
        if (step === "is called back") calls.shift()?.()
        else {
          const before = done.length
          if (step === "breaks") breaking.add(count)
          add(count++)
          assert.strictEqual(done.length, before, "nothing is done before its time")
        }
      }
      while (calls.length > 0) calls.shift()!()
      assert.deepStrictEqual(
        done,
        Array.from({ length: count }, (_, nth) => nth)
      )
      assert.deepStrictEqual(
        broken,
        done.filter((item) => breaking.has(item))
      )
    }
  )
})
