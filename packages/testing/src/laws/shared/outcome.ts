/** Comparing answers, expecting refusals, and running effects concurrently. */
import { PAGE_ITEMS, PAGE_TEXT } from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { excerpts } from "./excerpts.ts"
import { located } from "./located.ts"

/** A value without the fields that are undefined: to the ports these are fields left out. */
export const present = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(present)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, held]) => (held === undefined ? [] : [[field, present(held)]]))
  )
}

/** Both are the same, where a field that is undefined counts as left out. A failure shows the parts that differ. */
export const same = located((actual: unknown, expected: unknown, message?: string): void => {
  const [one, other] = [present(actual), present(expected)]
  try {
    assert.deepStrictEqual(one, other, message)
  } catch (error) {
    const [differing, wanted] = excerpts(one, other)
    throw Object.assign(error as Error, { actual: differing, expected: wanted })
  }
})

/** The refusal with this tag, which the effect must fail with. */
export const refused = located(
  <A, E extends { readonly _tag: string }, R, const Tag extends E["_tag"]>(
    effect: Effect.Effect<A, E, R>,
    tag: Tag
  ): Effect.Effect<Extract<E, { readonly _tag: Tag }>, never, R> =>
    Effect.map(Effect.result(effect), (result) => {
      if (Result.isSuccess(result)) assert.fail(`succeeded, and should have been refused with ${tag}`)
      assert.strictEqual(result.failure._tag, tag)
      return result.failure as Extract<E, { readonly _tag: Tag }>
    })
)

/** A decision that refuses with the facts that it is given. */
export const seen = <Facts>(facts: Facts) => Result.fail({ _tag: "Seen" as const, facts })

/** Runs effects at the same moment. */
export const concurrently = <const Effects extends ReadonlyArray<Effect.Effect<any, any, any>>>(effects: Effects) =>
  Effect.all(effects, { concurrency: "unbounded" })

/** The outcomes of effects that ran at the same moment. */
export interface Race<A> {
  readonly succeeded: ReadonlyArray<A>
  /** How often each refusal was met, by its tag. */
  readonly refusals: Record<string, number>
}

/** Runs effects at the same moment; refusals are counted. */
export const race = <const Racer extends Effect.Effect<any, { readonly _tag: string }, any>>(
  effects: ReadonlyArray<Racer>
): Effect.Effect<Race<Effect.Success<Racer>>, never, Effect.Services<Racer>> =>
  Effect.map(concurrently(effects.map((effect) => Effect.result(effect))), (results) => {
    const succeeded: Array<Effect.Success<Racer>> = []
    const refusals: Record<string, number> = {}
    for (const result of results) {
      if (Result.isSuccess(result)) succeeded.push(result.success)
      else refusals[result.failure._tag] = (refusals[result.failure._tag] ?? 0) + 1
    }
    return { succeeded, refusals }
  })

/** What succeeded in a race with exactly the given refusals. */
export const expectRefusals = located(
  <A, R>(outcome: Effect.Effect<Race<A>, never, R>, refusals: Record<string, number>) =>
    Effect.map(outcome, (race) => {
      assert.deepStrictEqual(race.refusals, refusals)
      return race.succeeded
    })
)

/** What effects that ran at the same moment succeeded with: all of them do. */
export const allSucceed = located(
  <const Racer extends Effect.Effect<any, { readonly _tag: string }, any>>(effects: ReadonlyArray<Racer>) =>
    expectRefusals(race(effects), {})
)

/** As many effects as `count`, made from their numbers 0, 1, 2, ... */
export const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

export const pluck = <A, const Field extends keyof A>(items: ReadonlyArray<A>, field: Field) =>
  items.map((item) => item[field])

export const total = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, one) => sum + one, 0)

const PAGED = `A page ends with the item that brings its text to more than ${PAGE_TEXT} characters, or with ${PAGE_ITEMS} items`

/** Reads a list in pages, and proves that there are several, each of bounded text: all but its last item are within `PAGE_TEXT`. */
export const readPages = located(
  Effect.fnUntraced(function* <Id, A extends { readonly id: Id }, E, R>(
    list: (after?: Id) => Effect.Effect<{ readonly items: ReadonlyArray<A>; readonly hasMore: boolean }, E, R>,
    lengthOf: (item: A) => number
  ) {
    const read: Array<A> = []
    let page = 0
    let isLast = false
    while (!isLast) {
      page++
      const { items, hasMore } = yield* list(read.at(-1)?.id)
      const text = total(items.slice(0, -1).map(lengthOf))
      const found = `page ${page} has ${items.length} items and ${text} characters before its last item`
      assert.isAtMost(text, PAGE_TEXT, `${PAGED}; ${found}`)
      assert.isAtMost(items.length, PAGE_ITEMS, `${PAGED}; ${found}`)
      assert.isAbove(
        items.length,
        0,
        `Each page has an item, and the last one says that it has no more; page ${page} is empty`
      )
      read.push(...items)
      isLast = !hasMore
    }
    assert.isAbove(page, 1, `${PAGED}; all ${read.length} items came in one page, which says that there are no more`)
    return read
  })
)
