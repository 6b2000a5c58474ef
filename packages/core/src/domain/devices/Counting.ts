/** Readings of devices: what they add to the people counted at premises, however often and in whatever order they arrive. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { textOf } from "../shared/Ids.ts"
import { type Premises, premisesId } from "../shared/Premises.ts"
import { TaggedError } from "../shared/TaggedError.ts"

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
 * How many epochs of a device at premises are remembered. A reading of one that was forgotten begins a new epoch of that name.
 */
export const REMEMBERED_EPOCHS = 1_000

/** A reading is of premises at which the device does not count (spec: devices#premises). */
export class NotCountedByDevice extends TaggedError("NotCountedByDevice", "the device does not count there")<{
  readonly premises: Premises
}> {}

/** A total grew by more than {@link MAX_STEP} at once. Nothing of the request was counted. */
export class StepTooLarge extends TaggedError("StepTooLarge", "a total grew by too much at once")<{
  readonly premises: Premises
  readonly maxStep: number
}> {}

/**
 * An epoch as it is stored: the highest totals that were seen, and its number among those of the device at the premises, from 1.
 */
export interface StoredEpoch {
  readonly number: number
  readonly in: number
  readonly out: number
}

/** What readings of a device at some premises are counted on. */
export interface CountFacts {
  /** How many people are counted inside, by all devices. */
  readonly counted: number
  /** The number of the newest epoch; 0 where there is none. */
  readonly newest: number
  /** The epochs that readings name, as far as they are stored. */
  readonly epochs: ReadonlyMap<string, StoredEpoch>
}

/** The key of premises among those of a device. */
export const premisesKey = (premises: Premises): string => `${premises._tag} ${premisesId(premises)}`

/** What readings changed at some premises. */
export interface PremisesCount extends CountFacts {
  readonly premises: Premises
  /** How many people they counted in, and out of those who were inside. */
  readonly entered: number
  readonly left: number
}

/** What the readings of one request changed. */
export interface CountResult {
  /** How many readings changed anything. */
  readonly accepted: number
  /** How many people they counted out who were not inside: what is added to the device's drift. */
  readonly missing: number
  /** The premises where anything changed, by {@link premisesKey}. */
  readonly premises: ReadonlyMap<string, PremisesCount>
}

/** Counts a reading at its premises; undefined where it changes nothing. */
const countReading = (
  { epoch, in: into, out, premises }: Reading,
  facts: CountFacts
): Result.Result<(PremisesCount & { readonly missing: number }) | undefined, StepTooLarge> => {
  const stored = facts.epochs.get(epoch) ?? { number: facts.newest + 1, in: 0, out: 0 }
  if (stored.number <= facts.newest - COUNTED_EPOCHS) return Result.succeed(undefined)
  const [entered, leaving] = [Math.max(0, into - stored.in), Math.max(0, out - stored.out)]
  if (entered === 0 && leaving === 0) return Result.succeed(undefined)
  if (entered > MAX_STEP || leaving > MAX_STEP) {
    return Result.fail(new StepTooLarge({ premises, maxStep: MAX_STEP }))
  }
  const missing = Math.max(0, leaving - entered - facts.counted)
  const epochs = new Map(facts.epochs)
  epochs.set(epoch, { ...stored, in: stored.in + entered, out: stored.out + leaving })
  return Result.succeed({
    premises,
    counted: facts.counted + entered - leaving + missing,
    newest: Math.max(facts.newest, stored.number),
    epochs,
    entered,
    left: leaving - missing,
    missing
  })
}

/**
 * Counts the readings of one request, all or none of them, in their order (spec: devices#counting). A reading counts by how much its
 * totals are above the highest ones of its epoch. The number of people counted never falls below 0.
 *
 * @param factsOf the facts of premises; undefined where the device does not count.
 */
export const countReadings = (
  readings: ReadonlyArray<Reading>,
  factsOf: (premises: Premises) => CountFacts | undefined
): Result.Result<CountResult, NotCountedByDevice | StepTooLarge> => {
  const changed = new Map<string, PremisesCount>()
  for (const { premises } of readings) {
    if (factsOf(premises) === undefined) return Result.fail(new NotCountedByDevice({ premises }))
  }
  let [accepted, missing] = [0, 0]
  for (const reading of readings) {
    const key = premisesKey(reading.premises)
    const before = changed.get(key)
    const counted = countReading(reading, before ?? factsOf(reading.premises)!)
    if (Result.isFailure(counted)) return Result.fail(counted.failure)
    if (counted.success === undefined) continue
    const { missing: more, ...after } = counted.success
    accepted++
    missing += more
    changed.set(key, {
      ...after,
      entered: (before?.entered ?? 0) + after.entered,
      left: (before?.left ?? 0) + after.left
    })
  }
  return Result.succeed({ accepted, missing, premises: changed })
}
