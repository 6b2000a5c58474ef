/** How laws compare answers, expect refusals, and count who won a race. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** A value without the fields that are undefined: to the ports these are fields left out. */
export const present = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(present)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, held]) => (held === undefined ? [] : [[field, present(held)]]))
  )
}

/** Both are the same, where a field that is undefined counts as left out. */
export const same = (actual: unknown, expected: unknown, message?: string): void =>
  assert.deepStrictEqual(present(actual), present(expected), message)

/** The refusal with this tag, which the effect must fail with. */
export const refused = <A, E extends { readonly _tag: string }, R, const Tag extends E["_tag"]>(
  effect: Effect.Effect<A, E, R>,
  tag: Tag
): Effect.Effect<Extract<E, { readonly _tag: Tag }>, never, R> =>
  Effect.map(Effect.result(effect), (result) => {
    if (Result.isSuccess(result)) assert.fail(`succeeded, and should have been refused with ${tag}`)
    assert.strictEqual(result.failure._tag, tag)
    return result.failure as Extract<E, { readonly _tag: Tag }>
  })

/** What came of effects that ran at the same moment. */
export interface Race<A> {
  readonly succeeded: ReadonlyArray<A>
  /** How often each refusal was met, by its tag. */
  readonly refusals: Record<string, number>
}

/** Runs effects at the same moment. */
export const race = <const Racer extends Effect.Effect<any, { readonly _tag: string }, any>>(
  effects: ReadonlyArray<Racer>
): Effect.Effect<Race<Effect.Success<Racer>>, never, Effect.Services<Racer>> =>
  Effect.map(
    Effect.all(
      effects.map((effect) => Effect.result(effect)),
      { concurrency: "unbounded" }
    ),
    (results) => {
      const succeeded: Array<Effect.Success<Racer>> = []
      const refusals: Record<string, number> = {}
      for (const result of results) {
        if (Result.isSuccess(result)) succeeded.push(result.success)
        else refusals[result.failure._tag] = (refusals[result.failure._tag] ?? 0) + 1
      }
      return { succeeded, refusals }
    }
  )

/** As many effects as `count`, made from their numbers 0, 1, 2, ... */
export const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))
