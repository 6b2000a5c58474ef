/** `inPortions`: a long answer that is written in chunks of 1,000 items has the same text as one written at once. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { inPortions } from "../src/handlers/inPortions.ts"

const decoder = new TextDecoder()

it.effect.each([0, 1, 999, 1000, 1001, 2000, 2001, 4500])("a text of %i items is the same in portions", (count) =>
  Effect.gen(function* () {
    const items = Array.from({ length: count }, (_, n) => ({ n, name: "Zoë".repeat(n % 3) }))
    const body = inPortions(
      { items, write: (item) => JSON.stringify(item), before: "[", between: ",", after: "]" },
      "application/json"
    )
    const chunks = body._tag === "Stream" ? yield* Stream.runCollect(body.stream) : [body.body]
    assert.strictEqual(chunks.length, Math.max(1, Math.ceil(count / 1000)))
    assert.strictEqual(chunks.map((chunk) => decoder.decode(chunk)).join(""), JSON.stringify(items))
    assert.strictEqual(body.contentType, "application/json")
  })
)
