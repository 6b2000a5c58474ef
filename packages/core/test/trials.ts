/** How properties are tried: from a fixed seed, or from SOJOURN_SEED; SOJOURN_RUNS_FACTOR times as often. */
import { Result } from "effect"

const SEED = Number(process.env.SOJOURN_SEED ?? 20260301)
const FACTOR = Number(process.env.SOJOURN_RUNS_FACTOR ?? 1)

/** A failure prints the seed, what it shrank to, and how to replay it. */
export const trials = (runs = 300) => ({ arbitrary: { runs: Math.max(1, Math.round(runs * FACTOR)), seed: SEED } })

/** The tag of the refusal, or "accepted". */
export const verdict = <A>(result: Result.Result<A, { readonly _tag: string }>): string =>
  Result.isFailure(result) ? result.failure._tag : "accepted"

/** What a refusal tells, its tag included; nothing when all is well. */
export const refusal = <A>(result: Result.Result<A, { readonly _tag: string }>): object | undefined =>
  Result.isFailure(result) ? { ...result.failure } : undefined

/** All pairs, triples, ... of some choices, in order. */
export const combinations = <const Choices extends Record<string, ReadonlyArray<unknown>>>(
  choices: Choices
): ReadonlyArray<{ readonly [Name in keyof Choices]: Choices[Name][number] }> =>
  Object.entries(choices).reduce<ReadonlyArray<Record<string, unknown>>>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}]
  ) as never

/** The words of a text: what a test is tried on, when none of it holds a blank. */
export const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)
