/** Registers the laws of a port as tests: one suite for each adapter. */
import type { Stores } from "@sojourn/core"
import { layer as sharedLayer, type Vitest } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { anOrganization, type OrganizationFixture } from "./fixtures.ts"
import { times } from "./outcome.ts"

/** How many values a generated law is tried with, and from which seed. */
export interface LawOptions {
  readonly runs?: number | undefined
  readonly seed?: number | undefined
}

type Body<R> = Generator<Effect.Effect<any, any, R | Scope.Scope>, unknown, never>

/** The seed of generated laws unless options say another. */
export const SEED = 20260301

/** What laws may have as parameters: new anonymous organizations, where all stores are there to create them. */
type Fixtures<R> = [Stores] extends [R]
  ? [one: OrganizationFixture, two: OrganizationFixture, three: OrganizationFixture, four: OrganizationFixture]
  : []

/** Registers one law. */
export interface Law<R> {
  /** `body` gets an organization for each of its parameters. */
  (name: string, body: (...fixtures: Fixtures<R>) => Body<R>): void
  /** A law of generated values. A failure prints its seed and what it shrank to. `runs` is the default number of tries. */
  readonly prop: <const Arbs extends { readonly [name: string]: Vitest.Arbitraries[keyof Vitest.Arbitraries] }>(
    name: string,
    arbitraries: Arbs,
    body: (values: { readonly [K in keyof Arbs]: Vitest.ArbitraryValue<Arbs[K]> }) => Body<R>,
    runs?: number
  ) => void
}

const organizations = <R>(count: number) =>
  Effect.all(times(count, () => anOrganization())) as unknown as Effect.Effect<Fixtures<R>, never, R>

/** The laws of a part of a port. */
export type Laws<R = Stores> = (law: Law<R>) => void

/**
 * Makes the laws of a port: one suite for each adapter, on one build of its stores. The real clock runs, since an adapter may need
 * it; the times of laws are the times that they pass to the ports.
 */
export const suite =
  <R = Stores>(port: string, laws: ReadonlyArray<Laws<R>>) =>
  <E>(name: string, stores: Layer.Layer<R, E>, { runs, seed = SEED }: LawOptions = {}): void =>
    sharedLayer(stores, { excludeTestServices: true, timeout: "3 minutes" })(`${name}: ${port}`, (it) => {
      const prop: Law<R>["prop"] = (title, arbitraries, body, tries = 25) =>
        it.effect.prop(title, arbitraries as {}, (values) => Effect.gen(() => body(values as never)), {
          arbitrary: { runs: runs ?? tries, seed }
        })
      const law = (title: string, body: (...fixtures: Fixtures<R>) => Body<R>) =>
        it.effect(title, () =>
          Effect.flatMap(organizations<R>(body.length), (fixtures) => Effect.gen(() => body(...fixtures)))
        )
      for (const register of laws) register(Object.assign(law, { prop }))
    })
