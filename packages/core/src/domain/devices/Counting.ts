/** Readings of devices: what they add to the people counted at premises, however often and in whatever order they arrive. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type DeviceId, textOf } from "../shared/Ids.ts"
import { type Premises, premisesId } from "../shared/Premises.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import { isAhead, type Timestamp } from "../shared/Timestamp.ts"

/**
 * What a device counted since its epoch began: totals that only grow, so that a reading that is sent again changes nothing.
 */
export interface Reading {
  readonly premises: Premises
  /** Such as when the sensor was switched on: its totals began at 0 then. */
  readonly epoch: string
  readonly in: number
  readonly out: number
}

/** The name of an epoch. */
export const Epoch = textOf(1, 64)

/** A total of a reading. */
export const ReadingTotal = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/** A number of people to which a manager corrects what was counted. */
export const CountedNumber = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

/** The most readings of a request. */
export const MAX_READINGS = 100

/** The largest step of one total. A larger one is of a sensor that is broken. */
export const MAX_STEP = 10_000

/** How many epochs of a device at premises count; a reading of an older one changes nothing. */
export const COUNTED_EPOCHS = 20

/**
 * How many epochs of a device at premises are remembered, so that none of them counts a second time. A sensor may name a new one with each
 * message, so they are not remembered for good.
 */
export const REMEMBERED_EPOCHS = 20_000

/** Whether an epoch is remembered beside the newest one. */
export const isRememberedEpoch = (number: number, newest: number): boolean => number > newest - REMEMBERED_EPOCHS

/** How many people readings that begin epochs may count in and out within a minute. */
export const MAX_BEGUN = 100_000

/** The minute of {@link MAX_BEGUN}, in milliseconds. */
const BEGUN_MS = 60_000

/** The longest publishing interval, in milliseconds. */
const LONGEST_INTERVAL_MS = 60_000

/** For how long `in` repays what was missing, in milliseconds. */
export const REPAYMENT_MS = 120_000

/** How many moments are kept at which something was missing at premises. */
export const MAX_MISSING = 1_000

/** A reading is of premises at which the device does not count (spec: devices#premises). */
export class NotCountedByDevice extends TaggedError(
  "NotCountedByDevice",
  "the device does not count at these premises"
)<{
  readonly premises: Premises
}> {}

/** A total grew by more than {@link MAX_STEP} at once. Nothing of the request was counted. */
export class StepTooLarge extends TaggedError("StepTooLarge", "a total of a reading grew by too much at once")<{
  readonly premises: Premises
  readonly maxStep: number
}> {}

/** The readings of a device that begin epochs counted too many people within a minute. Nothing of the request was counted. */
export class NewEpochsTooLarge extends TaggedError(
  "NewEpochsTooLarge",
  "new epochs counted too many people within a minute"
)<{
  readonly maxPeople: number
}> {}

/** Why readings are refused. */
export type ReadingRefusal = NotCountedByDevice | StepTooLarge | NewEpochsTooLarge

/**
 * An epoch as it is stored: the highest totals that were seen, and its number among those of the device at the premises, from 1.
 */
export interface StoredEpoch {
  readonly number: number
  readonly in: number
  readonly out: number
}

/** People whom a device counted out who were not counted inside: what later readings of any device of the premises repay. */
export interface Missing {
  readonly deviceId: DeviceId
  readonly people: number
  readonly at: Timestamp
}

/** What readings of a device at some premises are counted on. */
export interface CountFacts {
  /** How many people are counted inside, by all devices. */
  readonly counted: number
  /** What is missing, by all devices, the oldest first. */
  readonly missing: ReadonlyArray<Missing>
  /** With a publishing interval: the multiple until which a correction takes the place of what is counted. */
  readonly correctedUntil?: Timestamp | undefined
  /** The number of the newest epoch; 0 where there is none. */
  readonly newest: number
  /** The epochs that readings name, as far as they are stored. */
  readonly epochs: ReadonlyMap<string, StoredEpoch>
}

/** How many people the readings of a device that began epochs counted, in the minute that began with the first of them. */
export interface BegunEpochs {
  readonly since: Timestamp
  readonly people: number
}

/** The key of premises among those of a device. */
export const premisesKey = (premises: Premises): string => `${premises._tag} ${premisesId(premises)}`

/** What readings changed at some premises. `epochs` are those that changed. */
export interface PremisesCount extends CountFacts {
  readonly premises: Premises
  /** How many people they counted in, and out of those who were inside or came in late. */
  readonly entered: number
  readonly left: number
  /** What is added to the drift of devices: what is missing less what is repaid. */
  readonly drift: ReadonlyMap<DeviceId, number>
}

/** How readings compare with the highest totals before them, see `deviceAfterReadings`. */
export type ReadingsSeen = "counted" | "same" | "below"

/** What the readings of one request changed. */
export interface CountResult {
  /** How many readings changed anything. */
  readonly accepted: number
  readonly seen: ReadingsSeen
  readonly begun: BegunEpochs | undefined
  /** The premises where anything changed, by {@link premisesKey}. */
  readonly premises: ReadonlyMap<string, PremisesCount>
}

/** What is repaid by so many people who are counted in, the oldest first, and what is left of it. What is too old is dropped. */
const repay = (missing: ReadonlyArray<Missing>, entered: number, now: Timestamp) => {
  const repaid: Array<Missing> = []
  const left: Array<Missing> = []
  let rest = entered
  for (const one of missing) {
    if (now - one.at > REPAYMENT_MS || isAhead(one.at, now)) continue
    const people = Math.min(rest, one.people)
    rest -= people
    if (people > 0) repaid.push({ ...one, people })
    if (people < one.people) left.push({ ...one, people: one.people - people })
  }
  return { repaid, left, people: entered - rest }
}

/** Adds what is missing now. What a device misses within one second is of its first moment. */
const withMissing = (missing: ReadonlyArray<Missing>, one: Missing): ReadonlyArray<Missing> => {
  if (one.people === 0) return missing
  const last = missing.at(-1)
  const isSame = last?.deviceId === one.deviceId && Math.floor(last.at / 1000) === Math.floor(one.at / 1000)
  return isSame
    ? [...missing.slice(0, -1), { ...last, people: last.people + one.people }]
    : [...missing, one].slice(-MAX_MISSING)
}

/** A device that sends readings, and when. */
export interface Counter {
  readonly deviceId: DeviceId
  readonly now: Timestamp
  readonly begun: BegunEpochs | undefined
}

interface CountedReading {
  readonly seen: ReadingsSeen
  /** How many people it counted by beginning an epoch. */
  readonly begun: number
  /** None where it changes nothing. */
  readonly after?: PremisesCount
}

/** Counts a reading at its premises. */
const countReading = (
  { epoch, in: into, out, premises }: Reading,
  before: PremisesCount,
  stored: StoredEpoch | undefined,
  { deviceId, now }: Counter
): Result.Result<CountedReading, StepTooLarge> => {
  const known = stored ?? { number: before.newest + 1, in: 0, out: 0 }
  if (known.number <= before.newest - COUNTED_EPOCHS) return Result.succeed({ seen: "below", begun: 0 })
  const [entered, leaving] = [Math.max(0, into - known.in), Math.max(0, out - known.out)]
  if (entered === 0 && leaving === 0) {
    const isBelow = into < known.in || out < known.out
    return Result.succeed({ seen: stored === undefined ? "counted" : isBelow ? "below" : "same", begun: 0 })
  }
  if (entered > MAX_STEP || leaving > MAX_STEP) {
    return Result.fail(new StepTooLarge({ premises, maxStep: MAX_STEP }))
  }
  const begun = stored === undefined ? entered + leaving : 0
  const after = {
    ...before,
    newest: Math.max(before.newest, known.number),
    epochs: new Map(before.epochs).set(epoch, { ...known, in: known.in + entered, out: known.out + leaving })
  }
  const { correctedUntil } = before
  if (correctedUntil !== undefined && now <= correctedUntil && !isAhead(correctedUntil, now, LONGEST_INTERVAL_MS)) {
    return Result.succeed({ seen: "counted", begun, after })
  }
  const { repaid, left, people } = repay(before.missing, entered, now)
  const missing = Math.max(0, leaving - (entered - people) - before.counted)
  const drift = new Map(before.drift)
  const addDrift = (id: DeviceId, change: number) => drift.set(id, (drift.get(id) ?? 0) + change)
  for (const one of repaid) addDrift(one.deviceId, -one.people)
  if (missing > 0) addDrift(deviceId, missing)
  return Result.succeed({
    seen: "counted",
    begun,
    after: {
      ...after,
      counted: before.counted + entered - people - leaving + missing,
      missing: withMissing(left, { deviceId, people: missing, at: now }),
      entered: before.entered + entered,
      left: before.left + people + leaving - missing,
      drift
    }
  })
}

/** The begun epochs of a device after more of them. */
const withBegun = ({ begun, now }: Counter, people: number): BegunEpochs | undefined =>
  people === 0
    ? begun
    : begun === undefined || Math.abs(now - begun.since) >= BEGUN_MS
      ? { since: now, people }
      : { ...begun, people: begun.people + people }

/**
 * Counts the readings of one request, all or none of them, in their order (spec: devices#counting). A reading counts by how much its
 * totals are above the highest ones of its epoch. The number of people counted never falls below 0: what is missing is drift, until people
 * who are counted in soon after repay it.
 *
 * @param factsOf the facts of premises; undefined where the device does not count.
 */
export const countReadings = (
  readings: ReadonlyArray<Reading>,
  factsOf: (premises: Premises) => CountFacts | undefined,
  counter: Counter
): Result.Result<CountResult, ReadingRefusal> => {
  const facts = new Map<string, CountFacts>()
  for (const { premises } of readings) {
    const known = factsOf(premises)
    if (known === undefined) return Result.fail(new NotCountedByDevice({ premises }))
    facts.set(premisesKey(premises), known)
  }
  const changed = new Map<string, PremisesCount>()
  const seen = new Set<ReadingsSeen>()
  let [accepted, people] = [0, 0]
  for (const reading of readings) {
    const { premises, epoch } = reading
    const key = premisesKey(premises)
    const stored = facts.get(key)!
    const before = changed.get(key) ?? {
      ...stored,
      epochs: new Map(),
      premises,
      entered: 0,
      left: 0,
      drift: new Map()
    }
    const counted = countReading(reading, before, before.epochs.get(epoch) ?? stored.epochs.get(epoch), counter)
    if (Result.isFailure(counted)) return Result.fail(counted.failure)
    const { after, begun, seen: one } = counted.success
    seen.add(one)
    people += begun
    if (after === undefined) continue
    accepted++
    changed.set(key, after)
  }
  const begun = withBegun(counter, people)
  if (people > 0 && begun!.people > MAX_BEGUN) return Result.fail(new NewEpochsTooLarge({ maxPeople: MAX_BEGUN }))
  return Result.succeed({
    accepted,
    seen: seen.has("counted") ? "counted" : seen.has("same") ? "same" : "below",
    begun,
    premises: changed
  })
}
