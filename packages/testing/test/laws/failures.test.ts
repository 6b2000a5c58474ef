/** Failures of laws: the line that they name, and what they show of large values. The folder's name makes this file one of laws. */
import { assert, describe, it } from "@effect/vitest"
import { PAGE_TEXT } from "@sojourn/core"
import { Cause, Effect, Exit } from "effect"
import { located } from "../../src/laws/shared/located.ts"
import { expectRefusals, readPages, refused, same } from "../../src/laws/shared/outcome.ts"

/** The line of this file that the first frame of a stack names. */
const lineOf = (stack: string) => Number(/^[^\n]*\n +at [^\n]*failures\.test\.ts:(\d+)/.exec(stack)?.[1])

/** The failure of an effect, and the line of this file that its stack begins with. */
const failureOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    const error = Exit.isFailure(exit) ? (Cause.squash(exit.cause) as Error) : assert.fail("it passed")
    return { error, line: lineOf(error.stack!.slice(error.stack!.indexOf("\n    at "))) }
  })

const page = (lengths: ReadonlyArray<number>, hasMore = false) =>
  Effect.succeed({ items: lengths.map((length, id) => ({ id, length })), hasMore })
const lengthOf = ({ length }: { readonly length: number }) => length

describe("a failed law", () => {
  it.effect("names its own line, whichever helper failed", () =>
    Effect.gen(function* () {
      const here = lineOf(new Error().stack!)
      const failures = [
        Effect.sync(() => same(1, 2)),
        refused(Effect.void as Effect.Effect<void, { readonly _tag: "Refused" }>, "Refused"),
        refused(Effect.fail({ _tag: "Other" }), "Refused" as string),
        expectRefusals(Effect.succeed({ succeeded: [], refusals: { Refused: 1 } }), {}),
        readPages(() => page([]), lengthOf)
      ]
      const lines: Array<number> = []
      for (const failure of failures) lines.push((yield* failureOf(failure)).line)
      assert.deepStrictEqual(
        lines,
        failures.map((_, n) => here + 2 + n)
      )
    })
  )

  it.effect("keeps the line of an assertion of its own that a helper ran", () =>
    Effect.gen(function* () {
      const here = lineOf(new Error().stack!)
      const own = Effect.sync(() => assert.strictEqual(1 as number, 2))
      const { line } = yield* failureOf(
        located((effect: Effect.Effect<void>) => Effect.andThen(Effect.void, effect))(own)
      )
      assert.strictEqual(line, here + 1)
    })
  )

  it.effect.each([
    [
      "text before the last item",
      page([PAGE_TEXT, 1, 1]),
      /brings its text to more than \d+ characters.*page 1 has 3 items/
    ],
    ["no item", page([], true), /Each page has an item.*page 1 is empty/],
    ["all in one page", page([1, 2]), /all 2 items came in one page/]
  ] as const)("of paging says in words what was expected: %s", ([, answer, words]) =>
    Effect.map(failureOf(readPages(() => answer, lengthOf)), ({ error }) => assert.match(error.message, words))
  )
})

describe("the diff of a failed law", () => {
  const differing = (actual: unknown, expected: unknown) =>
    Effect.map(failureOf(Effect.sync(() => same(actual, expected))), ({ error }) => {
      const { actual: one, expected: other } = error as Error & { readonly actual: unknown; readonly expected: unknown }
      assert.notDeepEqual(one, other)
      assert.isBelow(JSON.stringify([one, other]).length + error.message.length, 3_000)
      return [one, other]
    })

  it.effect("shows where texts of 100,000 characters differ", () =>
    Effect.gen(function* () {
      const text = "a".repeat(60_000)
      const [one] = yield* differing([{ area: `${text}b${text}` }], [{ area: `${text}c${text}` }])
      assert.match(
        JSON.stringify(one),
        /^\[\{"area":"\(59970 equal characters\) … a{30}ba{169} … \(\d+ more characters\)"\}\]$/
      )
      yield* differing({ area: text }, { area: `${text}${text}` })
      yield* differing(text, undefined)
      yield* differing([text], { text })
    })
  )

  it.effect("shows where lists of 10,000 items differ", () =>
    Effect.gen(function* () {
      const list = Array.from({ length: 10_000 }, (_, n) => n)
      const [one, other] = yield* differing(list, list.with(5_000, -1))
      assert.deepStrictEqual((one as Array<unknown>).slice(0, 5), ["(4997 equal items)", 4997, 4998, 4999, 5000])
      assert.strictEqual((other as Array<unknown>)[4], -1)
      yield* differing(list, list.slice(0, -1))
      yield* differing([], list)
    })
  )

  it.effect("leaves small values as they are", () =>
    Effect.map(differing({ id: 1, list: [1, 2] } as unknown as string, "x"), ([one, other]) =>
      assert.deepStrictEqual([one, other], [{ id: 1, list: [1, 2] }, "x"])
    )
  )
})
