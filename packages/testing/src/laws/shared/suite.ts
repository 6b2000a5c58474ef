/** Registers the laws of a port as tests: one suite for each adapter. */
import type { Stores } from "@sojourn/core"
import { layer as sharedLayer, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** How many values a generated law is tried with, and from which seed. */
export interface LawOptions {
  readonly runs?: number | undefined
  readonly seed?: number | undefined
}

type Body<R> = Generator<Effect.Effect<any, any, R | Scope.Scope>, unknown, never>

/** Registers one law. */
export interface Law<R> {
  (name: string, body: () => Body<R>): void
  /** A law of generated values. A failure prints its seed and what it shrank to. `runs` is the default number of tries. */
  readonly prop: <const Arbs extends { readonly [name: string]: Vitest.Arbitraries[keyof Vitest.Arbitraries] }>(
    name: string,
    arbitraries: Arbs,
    body: (values: { readonly [K in keyof Arbs]: Vitest.ArbitraryValue<Arbs[K]> }) => Body<R>,
    runs?: number
  ) => void
}

/** The laws of a part of a port. */
export type Laws<R = Stores> = (law: Law<R>) => void

/**
 * Runs laws as one suite on one build of the stores. The real clock runs, since an adapter may need it; the times of laws are the
 * times that they pass to the ports.
 */
export const suite = <R, E>(
  name: string,
  stores: Layer.Layer<R, E>,
  laws: ReadonlyArray<Laws<R>>,
  { runs, seed = 20260301 }: LawOptions = {}
): void => {
  sharedLayer(stores, { excludeTestServices: true, timeout: "3 minutes" })(name, (it) => {
    const law: Law<R> = Object.assign(
      (title: string, body: () => Body<R>) => it.effect(title, () => Effect.gen(body)),
      {
        prop: ((title, arbitraries, body, tries = 25) =>
          it.effect.prop(title, arbitraries as {}, (values) => Effect.gen(() => body(values as never)), {
            arbitrary: { runs: runs ?? tries, seed }
          })) as Law<R>["prop"]
      }
    )
    for (const register of laws) register(law)
  })
}
