/** Changes of areas: checks what takes long before a store decides, so that no lock is held meanwhile. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import type { AreaCheck } from "../../domain/areas/AreaChecks.ts"
import {
  type AreaLimits,
  AreasNotCompared,
  AreaTooComplex,
  type ComparedAreas,
  DEFAULT_AREA_LIMITS,
  type RelationCheck,
  relationKey,
  type StoredArea,
  WORK_UNIT_NANOS
} from "../../domain/areas/AreaConstraints.ts"
import {
  readTrackingArea,
  type RelationFault,
  type TrackingArea,
  TrackingAreaMalformed
} from "../../domain/areas/TrackingArea.ts"
import type { AreaAnswer, AreaQuestion } from "../../domain/imports/PlaceImport.ts"
import { placeConflict } from "../../domain/organizations/PlaceHierarchy.ts"
import type { OrganizationId, PlaceId } from "../../domain/shared/Ids.ts"
import { type AreaChecking, AreaComparer } from "../../ports/areas/AreaComparer.ts"
import type { Preview } from "../../ports/organizations/OrganizationStore.ts"
import { StoreError } from "../../ports/shared/StoreError.ts"
import { makeKeyedLimiter } from "../shared/KeyedLimiter.ts"
import { makeLimitedOutside } from "../shared/callersTransaction.ts"

/** The limits on the areas of an organization; the default ones unless the operator sets others. */
export const AreaLimitsInForce = Context.Reference<AreaLimits>("@sojourn/core/AreaLimitsInForce", {
  defaultValue: () => DEFAULT_AREA_LIMITS
})

/** How often a change is decided again because the areas it was compared with have changed. */
const MAX_ATTEMPTS = 20

/** How many changes of areas may be checked or wait: of all organizations, and of each. */
const MAX_PENDING = 1_024
const MAX_PENDING_OF_EACH = 256

/** How many changes may hold the areas that they read: an organization has up to 25 MB of them. */
const MAX_READ = 8

/** How many changes together may hold the areas that they read, beside the others, which do not wait for them. */
const MAX_TOGETHER = 2

/** For how many changes changes together may compute. */
const MAX_BUDGETS = 10

const overload = (cause: string) => new StoreError({ operation: "compare areas", cause, isOverload: true })

/**
 * A change of the area of an organization or of a place, with `Facts` that it is decided on. A decision fails with `AreasNotCompared` on areas
 * that were not compared.
 */
export interface AreaChange<Facts, A, C, E1, E2> {
  /** The refusal of a change after which two areas do not have a relation. */
  readonly conflict: (check: RelationCheck, fault: RelationFault) => C
  /** Reads the facts without a lock. */
  readonly preview: Effect.Effect<Preview<Facts>, E1>
  readonly decide: (facts: Facts) => Result.Result<unknown, E2>
  /** Decides on the facts under a lock, and writes. */
  readonly write: (preview: Preview<Facts>) => Effect.Effect<A, E2>
}

/** New areas of one organization, each of which is refused by itself. */
export interface AreaChangesTogether<Facts, Plan, A, E1, E2> {
  /** Reads the facts without a lock. */
  readonly preview: Effect.Effect<Preview<Facts>, E1>
  /** Plans the areas. Its questions are about one new area each. */
  readonly plan: (facts: Facts) => Generator<AreaQuestion, Plan, AreaAnswer>
  /** Decides on the facts under a lock, and writes. A decision fails with `AreasNotCompared` on areas that were not compared. */
  readonly write: (
    preview: Preview<Facts>,
    decide: (facts: Facts) => Result.Result<Plan, AreasNotCompared>,
    plan: Plan
  ) => Effect.Effect<A, E2>
}

/** The check of a new area and of relations, which has the text of each stored area once. */
const checkOf = (area: string | undefined, checks: ReadonlyArray<RelationCheck>): AreaCheck => {
  const stored: Array<string> = []
  const indices = new Map<PlaceId | undefined, number>()
  const indexOf = ({ id, trackingArea }: StoredArea): number => {
    const index = indices.get(id) ?? stored.push(trackingArea.text) - 1
    indices.set(id, index)
    return index
  }
  const relations = checks.map(({ relation, subject, other }) => ({
    relation,
    subject: subject && indexOf(subject),
    other: indexOf(other)
  }))
  return { area, stored, relations }
}

/** The computing time of so many units of work. */
const timeOf = (work: number) => Duration.millis((work * WORK_UNIT_NANOS) / 1e6)

/** The checks of one change, which share its computing time, and that of all changes that are made together. */
const makeChecks = (
  comparer: AreaChecking,
  mostWork: number,
  all: { left: Duration.Duration } = { left: Duration.infinity }
) => {
  let left = timeOf(mostWork)
  /** Checks a new area, and relations; the first relation that does not hold is answered with its fault. */
  return Effect.fnUntraced(function* (area: string | undefined, relations: ReadonlyArray<RelationCheck>) {
    const limit = Duration.min(left, all.left)
    const [elapsed, found] = yield* Effect.catchTag(
      comparer.firstFault(checkOf(area, relations), limit),
      "TimeoutError",
      () => {
        all.left = Duration.subtract(all.left, limit)
        return Effect.fail(new AreaTooComplex({ mostWork }))
      }
    )
    left = Duration.subtract(left, elapsed)
    all.left = Duration.subtract(all.left, elapsed)
    if (found?._tag === "Malformed") return yield* new TrackingAreaMalformed(found)
    return found && { relation: relations[found.index]!, fault: found.fault }
  })
}

/** What is known of the questions of a plan: the first fault of each new area, and the faults of relations, by the feature that asks. */
const makeAnswers = () => {
  const areas = new Map<number, AreaAnswer>()
  const relations = new Map<string, { readonly text: string; readonly answer: AreaAnswer }>()
  const keyOf = (feature: number, check: RelationCheck) => `${feature} ${relationKey(check)}`
  return {
    /** The answer to a question, if it is known: else the relations that are not, of which there may be none. */
    find: ({
      feature,
      relations: checks
    }: AreaQuestion): { readonly answer: AreaAnswer } | { readonly missing: ReadonlyArray<RelationCheck> } => {
      if (areas.get(feature) !== undefined) return { answer: areas.get(feature) }
      const missing: Array<RelationCheck> = []
      for (const check of checks) {
        const known = relations.get(keyOf(feature, check))
        if (known?.text !== check.other.trackingArea.text) missing.push(check)
        else if (known.answer !== undefined) return { answer: known.answer }
      }
      return missing.length === 0 && areas.has(feature) ? { answer: undefined } : { missing }
    },
    keepArea: (feature: number, answer: AreaAnswer) => void areas.set(feature, answer),
    keep: (feature: number, check: RelationCheck, answer: AreaAnswer) =>
      void relations.set(keyOf(feature, check), { text: check.other.trackingArea.text, answer })
  }
}

/**
 * Checks the areas of changes, which takes long, beside the steps in which stores decide. Changes of one organization's areas
 * follow each other. The checks of one change take at most the computing time of {@link AreaLimits.work} in all.
 */
export class AreaChanges extends Context.Service<
  AreaChanges,
  {
    /** Parses a tracking area. */
    readonly parse: (text: string) => Effect.Effect<TrackingArea, TrackingAreaMalformed | AreaTooComplex | StoreError>
    /**
     * Makes a change with a new tracking area, if there is one: reads the facts, checks the new area and compares the areas that the decision
     * depends on, all at once, and writes. `compared` then holds the comparisons. Where areas changed meanwhile, these are compared and the
     * step is repeated. Refuses as overload when too many changes wait.
     */
    readonly make: <Text extends string | undefined, Facts, A, C, E1, E2>(
      organizationId: OrganizationId,
      text: Text,
      change: (
        trackingArea: Text extends string ? TrackingArea : TrackingArea | undefined,
        compared: ComparedAreas
      ) => AreaChange<Facts, A, C, E1, E2>
    ) => Effect.Effect<A, E1 | Exclude<E2, AreasNotCompared> | C | AreaTooComplex | TrackingAreaMalformed | StoreError>
    /**
     * Makes changes with many new areas together: reads the facts, plans the areas one after the other with their comparisons, and writes. Where areas changed
     * meanwhile, the step is repeated with the comparisons that are missing then. Each area has the computing time of a change, and all of them that of
     * {@link MAX_BUDGETS}.
     */
    readonly makeTogether: <Facts, Plan, A, E1, E2>(
      organizationId: OrganizationId,
      changes: AreaChangesTogether<Facts, Plan, A, E1, E2>
    ) => Effect.Effect<A, E1 | Exclude<E2, AreasNotCompared> | StoreError>
  }
>()("@sojourn/core/AreaChanges") {
  static readonly layer: Layer.Layer<AreaChanges> = Layer.effect(
    AreaChanges,
    Effect.gen(function* () {
      const comparer = yield* AreaComparer
      const { work: mostWork } = yield* AreaLimitsInForce
      const inOrder = makeKeyedLimiter({ concurrency: 1, mostOfKey: MAX_PENDING_OF_EACH, most: MAX_PENDING }, () =>
        overload("too many changes of areas wait")
      )
      const reading = Semaphore.makeUnsafe(MAX_READ)
      const limitedOutside = yield* makeLimitedOutside
      const readingTogether = Semaphore.makeUnsafe(MAX_TOGETHER)

      const settle = Effect.fnUntraced(function* <Facts, A, C, E1, E2>(
        area: TrackingArea | undefined,
        changeOf: (compared: ComparedAreas) => AreaChange<Facts, A, C, E1, E2>
      ) {
        const check = makeChecks(comparer, mostWork)
        const compared = new Map<string, RelationCheck>()
        const { preview, decide, write, conflict } = changeOf(compared)
        const refused = <E>(failure: E) => Effect.fail(failure as Exclude<E, AreasNotCompared>)
        let isAreaChecked = area === undefined
        for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
          const read = yield* preview
          const decided = decide(read.facts)
          const failure = Result.isFailure(decided) ? decided.failure : undefined
          const missing = failure instanceof AreasNotCompared ? failure.relations : []
          if (missing.length > 0 || !isAreaChecked) {
            const found = yield* check(area?.text, missing)
            if (found !== undefined) return yield* Effect.fail(conflict(found.relation, found.fault))
            isAreaChecked = true
            for (const relation of missing) compared.set(relationKey(relation), relation)
          }
          if (Result.isFailure(decided) && missing.length === 0) return yield* refused(decided.failure)
          const written = yield* Effect.result(write(read))
          if (Result.isSuccess(written)) return written.success
          if (!(written.failure instanceof AreasNotCompared)) return yield* refused(written.failure)
        }
        return yield* overload(`areas changed ${MAX_ATTEMPTS} times while they were compared`)
      })

      const settleTogether = Effect.fnUntraced(function* <Facts, Plan, A, E1, E2>({
        preview,
        plan,
        write
      }: AreaChangesTogether<Facts, Plan, A, E1, E2>) {
        const answers = makeAnswers()
        const all = { left: timeOf(MAX_BUDGETS * mostWork) }

        /** Answers a question of a plan, whose relations are compared in their order up to the first fault. */
        const answer = Effect.fnUntraced(function* (question: AreaQuestion) {
          const known = answers.find(question)
          if ("answer" in known) return known.answer
          const { feature, area } = question
          const checked = yield* Effect.result(makeChecks(comparer, mostWork, all)(area.text, known.missing))
          if (Result.isFailure(checked)) {
            if (checked.failure._tag === "StoreError") return yield* checked.failure
            answers.keepArea(feature, checked.failure)
            return checked.failure
          }
          answers.keepArea(feature, undefined)
          const found = checked.success
          const refusal = found && placeConflict(found.relation, found.fault)
          for (const check of known.missing) {
            const isFound = check === found?.relation
            answers.keep(feature, check, isFound ? refusal : undefined)
            if (isFound) break
          }
          return refusal
        })

        const decide = (facts: Facts): Result.Result<Plan, AreasNotCompared> => {
          const steps = plan(facts)
          let step = steps.next()
          while (step.done !== true) {
            const known = answers.find(step.value)
            if (!("answer" in known)) return Result.fail(new AreasNotCompared({ relations: known.missing }))
            step = steps.next(known.answer)
          }
          return Result.succeed(step.value)
        }

        for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
          const read = yield* preview
          const steps = plan(read.facts)
          let step = steps.next()
          while (step.done !== true) step = steps.next(yield* answer(step.value))
          const planned = step.value
          const written = yield* Effect.result(
            write(read, (facts) => (facts === read.facts ? Result.succeed(planned) : decide(facts)), planned)
          )
          if (Result.isSuccess(written)) return written.success
          if (!(written.failure instanceof AreasNotCompared)) {
            return yield* Effect.fail(written.failure as Exclude<E2, AreasNotCompared>)
          }
        }
        return yield* overload(`areas changed ${MAX_ATTEMPTS} times while they were compared`)
      })

      return AreaChanges.of({
        parse: Effect.fnUntraced(function* (text) {
          const area = yield* Effect.fromResult(readTrackingArea(text))
          yield* makeChecks(comparer, mostWork)(text, [])
          return area
        }),
        make: (organizationId, text, change) =>
          Effect.flatMap(text === undefined ? Effect.undefined : Effect.fromResult(readTrackingArea(text)), (area) =>
            limitedOutside(
              settle(area, (compared) => change(area as never, compared)),
              (settled) => inOrder(organizationId, Semaphore.withPermit(reading, settled))
            )
          ),
        makeTogether: (organizationId, changes) =>
          limitedOutside(settleTogether(changes), (settled) =>
            inOrder(organizationId, Semaphore.withPermit(readingTogether, settled))
          )
      })
    })
  )
}
