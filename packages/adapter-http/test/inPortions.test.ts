/** `inPortions`: a long answer that is written in portions of 1,000 items has the same text as one written at once. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { inPortions } from "../src/handlers/shared/inPortions.ts"

const decoder = new TextDecoder()

it.effect.each([0, 1, 999, 1000, 1001, 2000, 2001, 4500])("a text of %i items is the same in portions", (count) =>
  Effect.gen(function* () {
    const items = Array.from({ length: count }, (_, n) => ({ n, name: "Zoë".repeat(n % 3) }))
    const body = inPortions(
      { items, write: (item) => JSON.stringify(item), before: "[", between: ",", after: "]" },
      "application/json"
    )
    const chunks = body._tag === "Stream" ? yield* Stream.runCollect(body.stream) : [body.body]
    // A long one has its beginning and its end in chunks of their own.
    assert.strictEqual(chunks.length, count <= 1000 ? 1 : Math.ceil(count / 1000) + 2)
    assert.strictEqual(chunks.map((chunk) => decoder.decode(chunk)).join(""), JSON.stringify(items))
    assert.strictEqual(body.contentType, "application/json")
  })
)

it.effect("bodies of the same items share what is written, by each function", () =>
  Effect.gen(function* () {
    const items = Array.from({ length: 2500 }, (_, n) => n)
    let calls = 0
    const counting = (item: number) => {
      calls++
      return String(item)
    }
    const read = Effect.fnUntraced(function* (write: (item: number) => string, before: string) {
      const body = inPortions({ items, write, before, between: ",", after: "]" }, "application/json")
      if (body._tag !== "Stream") return assert.fail("a long text is a stream")
      return (yield* Stream.runCollect(body.stream)).map((chunk) => decoder.decode(chunk)).join("")
    })
    const [one, other] = yield* Effect.all([read(counting, "["), read(counting, "1[")], { concurrency: "unbounded" })
    assert.strictEqual(calls, items.length)
    assert.strictEqual(one, JSON.stringify(items))
    assert.strictEqual(other, `1${one}`)
    assert.strictEqual(yield* read((item) => String(-item), "["), JSON.stringify(items.map((item) => -item)))
  })
)
