/** What readings of devices add to the people counted, against a model that knows every person who passed a door. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import {
  type CountFacts,
  countReadings,
  COUNTED_EPOCHS,
  MAX_STEP,
  OrganizationId,
  OrganizationPremises,
  PlaceId,
  PlacePremises,
  type Premises,
  premisesKey,
  type Reading
} from "../../../src/index.ts"
import { anyOf, integer } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const DOORS: readonly [Premises, Premises] = [
  OrganizationPremises(OrganizationId.make(1n)),
  PlacePremises(PlaceId.make(7n))
]

/** The facts of a device that are kept from one request to the next. */
class Stored {
  readonly facts = new Map<string, CountFacts>(
    DOORS.map((premises) => [premisesKey(premises), { counted: 0, newest: 0, epochs: new Map() }])
  )
  drift = 0
  send(readings: ReadonlyArray<Reading>) {
    const result = countReadings(readings, (premises) => this.facts.get(premisesKey(premises)))
    if (Result.isFailure(result)) return result.failure._tag
    for (const [key, { counted, newest, epochs }] of result.success.premises) {
      this.facts.set(key, { counted, newest, epochs: new Map([...this.facts.get(key)!.epochs, ...epochs]) })
    }
    this.drift += result.success.missing
    return result.success
  }
  counted(premises: Premises): number {
    return this.facts.get(premisesKey(premises))!.counted
  }
}

/** A person at a door: in which epoch of the sensor, at which door, and whether they came in. */
const passage = Arbitrary.all([anyOf(["a", "b", "c"]), anyOf(DOORS), anyOf([true, true, false])])

/** The readings that a sensor would send after each passage. */
const readingsOf = (passages: ReadonlyArray<readonly [string, Premises, boolean]>): ReadonlyArray<Reading> => {
  const totals = new Map<string, Reading>()
  return passages.map(([epoch, premises, isIn]) => {
    const key = `${epoch} ${premisesKey(premises)}`
    const before = totals.get(key) ?? { premises, epoch, in: 0, out: 0 }
    const after = { ...before, in: before.in + (isIn ? 1 : 0), out: before.out + (isIn ? 0 : 1) }
    totals.set(key, after)
    return after
  })
}

describe("readings", () => {
  const passages = Arbitrary.array(passage, { minLength: 1, maxLength: 40 })
  const order = Arbitrary.array(integer(0, 1_000_000), { minLength: 60, maxLength: 60 })

  it.prop(
    "of any order and number count each person once, and drift makes up for what never was below 0",
    { passages, order, size: integer(1, 5) },
    ({ passages, order, size }) => {
      const sent = readingsOf(passages)
      // Late, repeated and out of order; the last ones are sent for sure.
      const shuffled = [...order.map((n) => sent[n % sent.length]!), ...sent.slice().reverse()]
      const stored = new Stored()
      for (let at = 0; at < shuffled.length; at += size) {
        const sum = stored.drift
        const result = stored.send(shuffled.slice(at, at + size))
        assert.isNotString(result)
        assert.isAtLeast(stored.drift, sum)
        for (const premises of DOORS) assert.isAtLeast(stored.counted(premises), 0)
      }
      const balance = (premises: Premises) =>
        passages.reduce((sum, [, at, isIn]) => sum + (at === premises ? (isIn ? 1 : -1) : 0), 0)
      const inside = DOORS.reduce((sum, premises) => sum + stored.counted(premises), 0)
      assert.strictEqual(inside - stored.drift, balance(DOORS[0]) + balance(DOORS[1]))
    },
    trials(500)
  )

  it.prop(
    "that are sent again change nothing",
    { passages, again: integer(0, 39) },
    ({ passages, again }) => {
      const sent = readingsOf(passages)
      const stored = new Stored()
      for (const reading of sent) stored.send([reading])
      const before = DOORS.map((premises) => stored.counted(premises))
      const repeated = stored.send(sent.slice(0, again))
      assert.deepInclude(repeated, { accepted: 0, missing: 0 })
      assert.deepStrictEqual(
        DOORS.map((premises) => stored.counted(premises)),
        before
      )
    },
    trials(200)
  )

  it.prop(
    "of one request are one change: entered and left are its difference",
    { passages },
    ({ passages }) => {
      const stored = new Stored()
      const result = stored.send(readingsOf(passages))
      if (typeof result === "string") return assert.fail(result)
      for (const { counted, entered, left } of result.premises.values()) assert.strictEqual(entered - left, counted)
    },
    trials(200)
  )

  const reading = (into: number, out: number, epoch = "a", premises = DOORS[0]) => ({ premises, epoch, in: into, out })

  it("are counted up to the largest step, and all refused above it", () => {
    const stored = new Stored()
    assert.strictEqual(stored.send([reading(5, 0), reading(MAX_STEP + 6, 0)]), "StepTooLarge")
    assert.strictEqual(stored.send([reading(0, MAX_STEP + 1)]), "StepTooLarge")
    assert.strictEqual(stored.counted(DOORS[0]), 0)
    assert.deepInclude(stored.send([reading(5, 0), reading(MAX_STEP + 5, 0)]), { accepted: 2, missing: 0 })
    assert.strictEqual(stored.counted(DOORS[0]), MAX_STEP + 5)
  })

  it("of premises where the device does not count are refused before any step", () => {
    const elsewhere = PlacePremises(PlaceId.make(8n))
    assert.strictEqual(
      new Stored().send([reading(MAX_STEP + 1, 0), reading(1, 0, "a", elsewhere)]),
      "NotCountedByDevice"
    )
  })

  it("of an epoch before the newest ones change nothing", () => {
    const stored = new Stored()
    for (let epoch = 0; epoch <= COUNTED_EPOCHS; epoch++) stored.send([reading(1, 0, `${epoch}`)])
    assert.deepInclude(stored.send([reading(5, 0, "0")]), { accepted: 0 })
    assert.deepInclude(stored.send([reading(5, 0, "1")]), { accepted: 1 })
  })
})
