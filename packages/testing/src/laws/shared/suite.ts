/** How laws become tests: each port's laws run against one adapter, in a suite of their own. */
import type { Stores } from "@sojourn/core"
import { layer as sharedLayer, type Vitest } from "@effect/vitest"
import type * as Layer from "effect/Layer"

/** How thoroughly the laws that hold for generated histories are tried, and from which seed. */
export interface LawOptions {
  /** How many histories are tried. */
  readonly runs?: number | undefined
  readonly seed?: number | undefined
}

/** Registers laws of a port with a test runner. */
export type Laws = (it: Vitest.MethodsNonLive<Stores>, options: LawOptions) => void

/** The options of a generated law: a failure prints its seed and what it shrank to. */
export const generated = ({ runs = 25, seed = 20260301 }: LawOptions) => ({ arbitrary: { runs, seed } })

/**
 * Runs laws as one suite on one build of the stores. The real clock runs, since an adapter may need it; what the laws
 * say of time they say with the times that the ports are given.
 */
export const suite = <E>(
  name: string,
  stores: Layer.Layer<Stores, E>,
  laws: ReadonlyArray<Laws>,
  options: LawOptions = {}
): void => {
  sharedLayer(stores, { excludeTestServices: true, timeout: "3 minutes" })(name, (it) => {
    for (const register of laws) register(it, options)
  })
}
