/** `objectInPortions`: an object with long lists has the same text as one written at once. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { objectInPortions } from "../src/handlers/shared/objectInPortions.ts"

const decoder = new TextDecoder()

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n, name: "Zoë".repeat(n % 3) }))
const write = (item: object) => JSON.stringify(item)

it.effect.each([
  [0, 0],
  [999, 0],
  [1000, 0],
  [0, 1000],
  [400, 601],
  [1001, 2500]
] as const)("lists of %i and %i items are the same in portions", ([one, other]) =>
  Effect.gen(function* () {
    const lists = { one: numbered(one), none: [], other: numbered(other) }
    const body = objectInPortions(
      '{"subject":"x"}',
      Object.entries(lists).map(([name, items]) => ({ name, items, write }))
    )
    assert.strictEqual(body._tag === "Stream", one + other >= 1000)
    const chunks = body._tag === "Stream" ? yield* Stream.runCollect(body.stream) : [body.body]
    assert.strictEqual(chunks.length, 1 + Math.floor((one + other) / 1000))
    assert.strictEqual(
      chunks.map((chunk) => decoder.decode(chunk)).join(""),
      JSON.stringify({ subject: "x", ...lists })
    )
  })
)

it.effect("a client that leaves takes no turn of others", () =>
  Effect.gen(function* () {
    const long = () => objectInPortions('{"subject":"x"}', [{ name: "list", items: numbered(3_000), write }])
    const [left, read] = [long(), long()]
    assert.strictEqual(left._tag, "Stream")
    if (left._tag !== "Stream" || read._tag !== "Stream") return
    yield* Stream.runDrain(Stream.take(left.stream, 2))
    assert.strictEqual((yield* Stream.runCollect(read.stream)).length, 4)
  })
)
