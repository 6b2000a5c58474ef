/** What happens to a phone in a simulation. */
import { anyOf, integer } from "@sojourn/testing"
import * as Arbitrary from "effect/Arbitrary"
import { NETWORK_FAULTS } from "./network.ts"
import { WRITE_FAULTS } from "./phone.ts"

const SECOND = 1_000
const MINUTE = 60_000

const optional = <A>(value: Arbitrary.Arbitrary<A>, oneIn: number): Arbitrary.Arbitrary<A | undefined> =>
  Arbitrary.flatMap(integer(0, oneIn - 1), (luck): Arbitrary.Arbitrary<A | undefined> =>
    luck === oneIn - 1 ? value : Arbitrary.Constant(undefined)
  )

export const scenario = Arbitrary.map(
  Arbitrary.all([
    anyOf(["by hand", "by position"]),
    anyOf([false, true]),
    anyOf([1, 2]),
    anyOf([false, true]),
    anyOf([0, 0, 40 * SECOND, 10 * MINUTE, 120 * MINUTE, -120 * MINUTE]),
    Arbitrary.array(Arbitrary.all([integer(0, 3), integer(5, 12)]), { minLength: 1, maxLength: 5 }),
    Arbitrary.array(anyOf(NETWORK_FAULTS), { maxLength: 40 }),
    Arbitrary.array(Arbitrary.all([integer(0, 80), integer(1, 4), anyOf(WRITE_FAULTS)]), { maxLength: 3 }),
    Arbitrary.array(Arbitrary.all([integer(0, 2400), integer(0, 1), integer(1, 60)]), { maxLength: 4 }),
    optional(Arbitrary.all([integer(0, 40), integer(1, 90)]), 3),
    integer(0, 2 ** 31 - 1)
  ]),
  ([mode, isAsync, tabs, hasLocks, skew, legs, network, writes, kills, outage, seed]) => ({
    mode,
    isAsync,
    tabs,
    /** Two tabs on asynchronous storage need locks, as browsers and Node have them. */
    hasLocks: hasLocks || (isAsync && tabs === 2),
    skew,
    /** Where the phone is, and for how many minutes. */
    legs,
    network,
    /** From which write on, how many, and what becomes of them. */
    writes,
    /** After how many seconds, which tab, and for how many seconds. */
    kills,
    /** From which minute on, and for how many. */
    outage,
    seed
  })
)

export type Scenario = typeof scenario extends Arbitrary.Arbitrary<infer A> ? A : never
