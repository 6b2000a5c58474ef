/** A comparison in seconds: every candidate is correct and measured. No time is judged. */
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Deferred, Effect } from "effect"
import { Command } from "effect/cli"
import { CANDIDATES } from "../compare/candidates.ts"
import { compare, SHORT, type Turn, USUAL } from "../compare/compare.ts"
import { comparisonOf, FLAGS, type Flags } from "../compare/flags.ts"
import { report, standings } from "../compare/tables.ts"

const NAMES = CANDIDATES.map(({ name }) => name)

describe("the command line of compare", () => {
  /** The comparison of a command line, or its errors as text. */
  const comparisonFor = (...args: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const flags = yield* Deferred.make<Flags>()
      yield* Command.runWith(
        Command.make("compare", FLAGS, (values) => Deferred.succeed(flags, values)),
        { version: "0" }
      )(args)
      return comparisonOf(yield* Deferred.await(flags))
    }).pipe(Effect.provide(NodeServices.layer))

  it.live("takes lists that are separated by commas, rounds and seconds", () =>
    Effect.gen(function* () {
      const args = "--only sojourn,fastify-pg --scenario pairs,accesses --connections 1,64,256 --rounds 3 --seconds 1.5"
      const { candidates, ...comparison } = yield* comparisonFor(...args.split(" "), "--wire-delay", "2")
      assert.deepStrictEqual(
        candidates.map(({ name }) => name),
        ["sojourn", "fastify-pg"]
      )
      const { candidates: _, ...usual } = USUAL
      const scenarios = ["pairs", "accesses"]
      assert.deepStrictEqual<object>(comparison, {
        ...usual,
        scenarios,
        connections: [1, 64, 256],
        rounds: 3,
        seconds: 1.5,
        wireDelay: 2
      })
      assert.deepStrictEqual(yield* comparisonFor(), USUAL)
      assert.deepStrictEqual(yield* comparisonFor("--short", "--rounds", "1"), { ...SHORT, rounds: 1 })
    })
  )

  it.live.each([
    ["--only", "sojourn,fastify", `some of ${NAMES.join(", ")}`],
    ["--scenario", "pair", "some of pairs, counter, accesses"],
    ["--connections", "1,x", "a whole number above 0"],
    ["--rounds", "1.5", "a whole number above 0"],
    ["--seconds", "0", "a number above 0"]
  ] as const)("refuses %s %s, and says what is possible", ([flag, value, words]) =>
    Effect.map(Effect.flip(comparisonFor(flag, value)), (error) => assert.include(JSON.stringify(error), words))
  )
})

describe("compare", () => {
  it.live("finds every candidate correct, and measures each, also with slow commits at a distance", () =>
    Effect.gen(function* () {
      const once = {
        ...SHORT,
        candidates: CANDIDATES,
        connections: [4],
        rounds: 1,
        durability: "fast",
        commitDelay: 2,
        wireDelay: 5
      } as const
      const compared = yield* compare(once, () => {})
      assert.match(compared.conditions, /each commit 2 ms longer; 5 ms away each way/)
      assert.deepStrictEqual(
        compared.heats.map(({ scenario, turns }) => [scenario, turns.map(({ candidate }) => candidate)]),
        once.scenarios.map((scenario) => [scenario, NAMES])
      )
      const turns = compared.heats.flatMap((heat) => heat.turns).flatMap((one) => one.turns)
      // Each request goes over the wire and back; a timer may go off a little early.
      for (const { requests, p50 } of turns) assert.isTrue(requests > 0 && p50 > 2 * once.wireDelay - 1)
      for (const name of NAMES) assert.include(report(compared), name)
    })
  )

  const turn = (rate: number, database = Number.NaN): Turn => ({
    requests: rate,
    rate,
    p50: 1,
    p99: 2,
    server: 10,
    database,
    wal: 0,
    batch: Number.NaN
  })

  it("compares turns of the same round, so that a slow moment of the machine affects both", () => {
    const all = [
      { candidate: "sojourn", turns: [turn(200, 10), turn(20, 10), turn(90, 10)] },
      { candidate: "fastify-pg", turns: [turn(100, 30), turn(10, 30), turn(30, 30)] },
      { candidate: "sojourn-before", turns: [turn(50), turn(5), turn(15)] }
    ]
    const [sojourn, reference, unknown] = standings({ turns: all })
    assert.deepInclude(sojourn, { ratio: { median: 2, least: 2, most: 3 }, rate: 90, work: 2 })
    assert.deepInclude(reference, { ratio: { median: 1, least: 1, most: 1 }, work: 1 })
    assert.deepInclude(unknown, { database: Number.NaN, work: Number.NaN })
  })
})
