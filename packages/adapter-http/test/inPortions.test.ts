/** `inPortions`: long bodies that are written in portions of 1,000 items have the same text as those written at once. */
import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { inPortions, objectInPortions } from "../src/handlers/shared/inPortions.ts"

const decoder = new TextDecoder()
const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n, name: "Zoë".repeat(n % 3) }))
const write = (item: object) => JSON.stringify(item)

it.effect.each([0, 1, 999, 1000, 1001, 2000, 2001, 4500])("a text of %i items is the same in portions", (count) =>
  Effect.gen(function* () {
    const items = numbered(count)
    const body = inPortions([{ items, write, before: "[", between: "," }], "]", "application/json")
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
      const body = inPortions([{ items, write, before, between: ",", isShared: true }], "]", "application/json")
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

it.effect.each([
  [0, 0],
  [999, 0],
  [1000, 0],
  [1001, 0],
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
    assert.strictEqual(body._tag === "Stream", one + other > 1000)
    const chunks = body._tag === "Stream" ? yield* Stream.runCollect(body.stream) : [body.body]
    const texts = chunks.map((chunk) => decoder.decode(chunk))
    assert.strictEqual(texts.join(""), JSON.stringify({ subject: "x", ...lists }))
    for (const text of texts) assert.isBelow(text.split('"n":').length - 1, 2000)
  })
)

it.effect("a client that leaves takes no turn of others", () =>
  Effect.gen(function* () {
    const long = () => objectInPortions('{"subject":"x"}', [{ name: "list", items: numbered(3_000), write }])
    const [left, read] = [long(), long()]
    assert.strictEqual(left._tag, "Stream")
    if (left._tag !== "Stream" || read._tag !== "Stream") return
    yield* Stream.runDrain(Stream.take(left.stream, 2))
    assert.strictEqual((yield* Stream.runCollect(read.stream)).length, 5)
  })
)
