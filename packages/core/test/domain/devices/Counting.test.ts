/** What readings of devices add to the people counted, against a model that knows every person who passed a door. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result } from "effect"
import {
  type BegunEpochs,
  type CountFacts,
  countReadings,
  COUNTED_EPOCHS,
  DeviceId,
  REMEMBERED_EPOCHS,
  MAX_MISSING,
  MAX_STEP,
  OrganizationId,
  OrganizationPremises,
  PlaceId,
  PlacePremises,
  type Premises,
  premisesKey,
  type Reading,
  type Timestamp
} from "../../../src/index.ts"
import { after, anyOf, integer, NOW } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const DOORS: readonly [Premises, Premises] = [
  OrganizationPremises(OrganizationId.make(1n)),
  PlacePremises(PlaceId.make(7n))
]

const DEVICES = [DeviceId.make(1n), DeviceId.make(2n)] as const

/** The facts of two devices that are kept from one request to the next. */
class Stored {
  readonly shared = new Map<string, Pick<CountFacts, "counted" | "missing" | "correctedUntil">>(
    DOORS.map((premises) => [premisesKey(premises), { counted: 0, missing: [] }])
  )
  readonly own = new Map<string, Pick<CountFacts, "newest" | "epochs">>()
  readonly driftOf = new Map<DeviceId, number>()
  begun: BegunEpochs | undefined
  send(readings: ReadonlyArray<Reading>, now = NOW, deviceId: DeviceId = DEVICES[0]) {
    const ownOf = (key: string) => this.own.get(`${deviceId} ${key}`) ?? { newest: 0, epochs: new Map() }
    const factsOf = (premises: Premises) => {
      const shared = this.shared.get(premisesKey(premises))
      return shared && { ...shared, ...ownOf(premisesKey(premises)) }
    }
    const result = countReadings(readings, factsOf, { deviceId, now, begun: this.begun })
    if (Result.isFailure(result)) return result.failure._tag
    for (const [key, { counted, missing, correctedUntil, newest, epochs, drift }] of result.success.premises) {
      this.own.set(`${deviceId} ${key}`, { newest, epochs: new Map([...ownOf(key).epochs, ...epochs]) })
      this.shared.set(key, { counted, missing, correctedUntil })
      for (const [id, change] of drift) this.driftOf.set(id, (this.driftOf.get(id) ?? 0) + change)
    }
    this.begun = result.success.begun
    return result.success
  }
  counted(premises: Premises): number {
    return this.shared.get(premisesKey(premises))!.counted
  }
  missing(premises: Premises): number {
    return this.shared.get(premisesKey(premises))!.missing.reduce((sum, { people }) => sum + people, 0)
  }
  get drift(): number {
    return [...this.driftOf.values()].reduce((sum, one) => sum + one, 0)
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
    { passages, order, size: integer(1, 5), pause: anyOf([0, 700, 50_000]) },
    ({ passages, order, size, pause }) => {
      const sent = readingsOf(passages)
      // Late, repeated and out of order; the last ones are sent for sure.
      const shuffled = [...order.map((n) => sent[n % sent.length]!), ...sent.slice().reverse()]
      const stored = new Stored()
      for (let at = 0; at < shuffled.length; at += size) {
        for (const device of DEVICES) {
          assert.isNotString(stored.send(shuffled.slice(at, at + size), after(NOW, at * pause), device))
        }
        for (const one of stored.driftOf.values()) assert.isAtLeast(one, 0)
        for (const premises of DOORS) assert.isAtLeast(stored.counted(premises), 0)
      }
      const balance = (premises: Premises) =>
        passages.reduce((sum, [, at, isIn]) => sum + (at === premises ? (isIn ? 1 : -1) : 0), 0)
      const inside = DOORS.reduce((sum, premises) => sum + stored.counted(premises), 0)
      assert.strictEqual(inside - stored.drift, 2 * (balance(DOORS[0]) + balance(DOORS[1])))
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
      assert.deepInclude(repeated, { accepted: 0 })
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
      for (const { counted, entered, left } of result.premises.values()) {
        assert.strictEqual(entered - left, counted)
        assert.isAtLeast(Math.min(entered, left), 0)
      }
    },
    trials(200)
  )

  const reading = (into: number, out: number, epoch = "a", premises = DOORS[0]) => ({ premises, epoch, in: into, out })

  it.prop(
    "of doors whose people come in later than they go out leave no drift, within 2 minutes",
    {
      steps: Arbitrary.array(Arbitrary.all([integer(0, 1), integer(-3, 3)]), { minLength: 1, maxLength: 60 }),
      pause: integer(0, 2_000)
    },
    ({ steps, pause }) => {
      const stored = new Stored()
      const totals = [
        { in: 0, out: 0 },
        { in: 0, out: 0 }
      ]
      let [balance, entered, left] = [0, 0, 0]
      for (const [n, [device, people]] of steps.entries()) {
        balance += people
        totals[device]![people > 0 ? "in" : "out"] += Math.abs(people)
        const { in: into, out } = totals[device]!
        const result = stored.send([reading(into, out)], after(NOW, n * pause), DEVICES[device])
        if (typeof result === "string") return assert.fail(result)
        for (const count of result.premises.values()) {
          entered += count.entered
          left += count.left
        }
        assert.strictEqual(stored.counted(DOORS[0]), Math.max(0, balance))
        assert.strictEqual(stored.missing(DOORS[0]), Math.max(0, -balance))
        assert.strictEqual(stored.drift, Math.max(0, -balance))
        assert.strictEqual(entered - left, stored.counted(DOORS[0]))
        // All who came in are told; of those who left, all but whom nothing has repaid yet.
        assert.strictEqual(entered, totals[0]!.in + totals[1]!.in)
      }
    },
    trials(500)
  )

  it("repay what was missing, the oldest first, until 2 minutes after it", () => {
    const stored = new Stored()
    stored.send([reading(0, 3)], NOW, DEVICES[0])
    stored.send([reading(0, 4)], after(NOW, 1_000), DEVICES[1])
    assert.deepStrictEqual(
      [...stored.driftOf],
      [
        [DEVICES[0], 3],
        [DEVICES[1], 4]
      ]
    )
    stored.send([reading(2, 4)], after(NOW, 120_000), DEVICES[1])
    assert.deepStrictEqual(
      [...stored.driftOf],
      [
        [DEVICES[0], 1],
        [DEVICES[1], 4]
      ]
    )
    assert.strictEqual(stored.counted(DOORS[0]), 0)
    // What is left of the first is too old now.
    stored.send([reading(5, 4)], after(NOW, 120_001), DEVICES[1])
    assert.deepStrictEqual(
      [...stored.driftOf],
      [
        [DEVICES[0], 1],
        [DEVICES[1], 1]
      ]
    )
    stored.send([reading(7, 4)], after(NOW, 121_001), DEVICES[1])
    assert.deepStrictEqual(
      [...stored.driftOf],
      [
        [DEVICES[0], 1],
        [DEVICES[1], 1]
      ]
    )
    assert.strictEqual(stored.counted(DOORS[0]), 2)
  })

  it("keep a bounded number of moments at which something was missing", () => {
    const stored = new Stored()
    for (let n = 1; n <= MAX_MISSING + 5; n++) stored.send([reading(0, n)], after(NOW, n * 100))
    assert.strictEqual(stored.missing(DOORS[0]), MAX_MISSING + 5)
    assert.isAtMost(stored.shared.get(premisesKey(DOORS[0]))!.missing.length, MAX_MISSING / 10 + 2)
    for (let n = 1; n <= MAX_MISSING + 5; n++) {
      for (const device of DEVICES) stored.send([reading(0, 2_000 + n)], after(NOW, 101_000 + n), device)
    }
    assert.isAtMost(stored.shared.get(premisesKey(DOORS[0]))!.missing.length, MAX_MISSING)
  })

  it("count nothing, and make no drift, until a correction holds", () => {
    const stored = new Stored()
    stored.shared.set(premisesKey(DOORS[0]), { counted: 7, missing: [], correctedUntil: after(NOW, 10) })
    assert.deepInclude(stored.send([reading(5, 20)], after(NOW, 10)), { accepted: 1, seen: "counted" })
    assert.deepStrictEqual([stored.counted(DOORS[0]), stored.drift], [7, 0])
    stored.send([reading(6, 20)], after(NOW, 11))
    assert.strictEqual(stored.counted(DOORS[0]), 8)
  })

  it("of new epochs count at most so many people within a minute, in and out", () => {
    const stored = new Stored()
    const begin = (from: number, many: number, now: Timestamp) =>
      stored.send(
        Array.from({ length: many }, (_, n) => reading(MAX_STEP, 0, `${from + n}`)),
        now
      )
    assert.deepInclude(begin(0, 10, NOW), { accepted: 10 })
    assert.strictEqual(stored.send([reading(0, 1, "out")], after(NOW, 59_999)), "NewEpochsTooLarge")
    // Epochs that go on, and readings that are sent again, are none of them.
    assert.deepInclude(stored.send([reading(2 * MAX_STEP, 0, "9"), reading(MAX_STEP, 0, "8")], after(NOW, 59_999)), {
      accepted: 1
    })
    assert.strictEqual(begin(10, 11, after(NOW, 60_000)), "NewEpochsTooLarge")
    assert.deepInclude(begin(10, 10, after(NOW, 60_000)), { accepted: 10 })
    assert.strictEqual(stored.counted(DOORS[0]), 21 * MAX_STEP)
  })

  it("of an epoch that is long over do not count again", () => {
    const stored = new Stored()
    const begin = (from: number, to: number) =>
      stored.send(
        Array.from({ length: to - from }, (_, n) => reading(1, 0, `${from + n}`)),
        after(NOW, from * 1_000)
      )
    for (let n = 0; n < REMEMBERED_EPOCHS; n += 1_000) assert.deepInclude(begin(n, n + 1_000), { accepted: 1_000 })
    for (const epoch of ["0", "1", "500"]) assert.deepInclude(stored.send([reading(9, 0, epoch)]), { accepted: 0 })
    assert.deepInclude(begin(REMEMBERED_EPOCHS, REMEMBERED_EPOCHS + 1), { accepted: 1 })
  })

  it("say whether they count, are the same as before, or below", () => {
    const stored = new Stored()
    const seen = (...readings: ReadonlyArray<Reading>) => {
      const result = stored.send(readings)
      return typeof result === "string" ? result : result.seen
    }
    assert.strictEqual(seen(reading(0, 0)), "counted")
    assert.strictEqual(seen(reading(5, 3)), "counted")
    assert.strictEqual(seen(reading(5, 3)), "same")
    assert.strictEqual(seen(reading(5, 2)), "below")
    assert.strictEqual(seen(reading(0, 0)), "below")
    assert.strictEqual(seen(reading(0, 0), reading(5, 3)), "same")
    assert.strictEqual(seen(reading(0, 0), reading(0, 0, "b")), "counted")
    assert.strictEqual(seen(reading(6, 0)), "counted")
    for (let epoch = 0; epoch <= COUNTED_EPOCHS; epoch++) stored.send([reading(1, 0, `${epoch}`)])
    assert.strictEqual(seen(reading(9, 9, "0")), "below")
  })

  it("are counted up to the largest step, and all refused above it", () => {
    const stored = new Stored()
    assert.strictEqual(stored.send([reading(5, 0), reading(MAX_STEP + 6, 0)]), "StepTooLarge")
    assert.strictEqual(stored.send([reading(0, MAX_STEP + 1)]), "StepTooLarge")
    assert.strictEqual(stored.counted(DOORS[0]), 0)
    assert.deepInclude(stored.send([reading(5, 0), reading(MAX_STEP + 5, 0)]), { accepted: 2 })
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
