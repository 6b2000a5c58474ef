/** Changes of areas: checks what takes long before a store decides, so that no lock is held meanwhile. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AreaComparison } from "../../domain/areas/AreaChecks.ts"
import {
  type AreaLimits,
  AreasNotCompared,
  AreaTooComplex,
  type ComparedAreas,
  DEFAULT_AREA_LIMITS,
  PlaceOutsideOrganization,
  type RelationCheck,
  relationKey,
  WORK_UNIT_NANOS
} from "../../domain/areas/AreaConstraints.ts"
import {
  keptTrackingArea,
  type RelationFault,
  type TrackingArea,
  TrackingAreaMalformed
} from "../../domain/areas/TrackingArea.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import { type AreaCheck, type AreaChecking, AreaComparer } from "../../ports/areas/AreaComparer.ts"
import { PlaceStore } from "../../ports/organizations/PlaceStore.ts"
import { StoreError } from "../../ports/shared/StoreError.ts"
import { makeKeyedLimiter } from "../shared/KeyedLimiter.ts"

/** The limits on the areas of an organization; the default ones unless the operator sets others. */
export const AreaLimitsInForce = Context.Reference<AreaLimits>("@sojourn/core/AreaLimitsInForce", {
  defaultValue: () => DEFAULT_AREA_LIMITS
})

/** How many areas are read for one comparison. An area has up to 128 KiB of text. */
const BATCH = 8

/** How often a change is decided again because the areas it was compared with have changed. */
const MAX_ATTEMPTS = 20

/** How many changes of areas may be checked or wait: of all organizations, and of each. */
const MAX_PENDING = 1_024
const MAX_PENDING_OF_EACH = 256

const overload = (cause: string) => new StoreError({ operation: "compare areas", cause, isOverload: true })

/**
 * A change of the area of an organization or of a place. Both steps fail with `AreasNotCompared` on areas that were not compared.
 */
export interface AreaChange<A, C, E1, E2> {
  /** The refusal of a change after which two areas do not have a relation. */
  readonly conflict: (check: RelationCheck, fault: RelationFault) => C
  /** Decides on the facts as they are read without a lock, and writes nothing. */
  readonly preview: Effect.Effect<unknown, E1>
  /** Decides on the facts under a lock, and writes. */
  readonly write: Effect.Effect<A, E2>
}

/**
 * The checks of one change, which share its computing time. Each check may take the whole of it: on a busy machine a check takes
 * longer than it computes.
 */
const makeChecks = (comparer: AreaChecking, mostWork: number) => {
  let nanosLeft = mostWork * WORK_UNIT_NANOS
  const limit = Duration.millis(nanosLeft / 1e6)
  const tooComplex = new AreaTooComplex({ mostWork })
  const run = <A>(check: AreaCheck<A>) =>
    check.pipe(
      Effect.catchTag("TimeoutError", () => Effect.fail(tooComplex)),
      Effect.flatMap(([elapsed, result]) => {
        nanosLeft -= Number(Duration.toNanosUnsafe(elapsed))
        return nanosLeft > 0 ? Effect.succeed(result) : Effect.fail(tooComplex)
      })
    )
  return {
    parse: (text: string) =>
      Effect.flatMap(run(comparer.whyMalformed(text, limit)), (fault) =>
        fault === undefined ? Effect.succeed(keptTrackingArea(text)) : Effect.fail(new TrackingAreaMalformed({ fault }))
      ),
    compare: (comparison: AreaComparison) => run(comparer.firstConflict(comparison, limit))
  }
}

/** Compares an area with the one of its organization, and fails when it is not inside. */
const compareWithOrganization = Effect.fnUntraced(function* (
  compare: ReturnType<typeof makeChecks>["compare"],
  area: string,
  organizationArea: string
) {
  const outside = yield* compare({ area, relation: "inside", others: [organizationArea] })
  if (outside !== undefined) {
    return yield* new PlaceOutsideOrganization({ placeId: Option.none(), fault: outside.fault })
  }
})

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
     * Parses the new tracking area, if there is one, and makes a change with it: previews the decision on it, compares the areas that the
     * decision depends on, which `compared` then holds, and writes. Where areas changed meanwhile, these are compared and the step
     * is repeated. Refuses as overload when too many changes wait.
     */
    readonly make: <Text extends string | undefined, A, C, E1, E2>(
      organizationId: OrganizationId,
      text: Text,
      change: (
        trackingArea: Text extends string ? TrackingArea : TrackingArea | undefined,
        compared: ComparedAreas
      ) => AreaChange<A, C, E1, E2>
    ) => Effect.Effect<
      A,
      | Exclude<E1 | E2, AreasNotCompared>
      | C
      | PlaceOutsideOrganization
      | AreaTooComplex
      | TrackingAreaMalformed
      | StoreError
    >
  }
>()("@sojourn/core/AreaChanges") {
  static readonly layer: Layer.Layer<AreaChanges, never, PlaceStore> = Layer.effect(
    AreaChanges,
    Effect.gen(function* () {
      const store = yield* PlaceStore
      const comparer = yield* AreaComparer
      const { work: mostWork } = yield* AreaLimitsInForce
      const inOrder = makeKeyedLimiter({ concurrency: 1, mostOfKey: MAX_PENDING_OF_EACH, most: MAX_PENDING }, () =>
        overload("too many changes of areas wait")
      )

      /** Compares areas, in batches of one subject and relation, and adds them to the compared ones. */
      const compareAll = Effect.fnUntraced(function* <C>(
        compare: ReturnType<typeof makeChecks>["compare"],
        organizationId: OrganizationId,
        text: string | undefined,
        conflict: (check: RelationCheck, fault: RelationFault) => C,
        checks: ReadonlyArray<RelationCheck>,
        compared: Set<string>
      ) {
        const groups = Map.groupBy(checks, ({ relation, subject }) => `${relation} ${subject?.id}`)
        for (const batch of [...groups.values()].flatMap(Arr.chunksOf(BATCH))) {
          const { relation, subject } = batch[0]
          const byId = new Map(batch.map((check) => [check.other.id, check]))
          const found = yield* store.areas(organizationId, [
            ...byId.keys(),
            ...(subject === undefined ? [] : [subject.id])
          ])
          const own = found.find(({ id }) => id === subject?.id)
          const others = found.filter(({ id }) => byId.has(id))
          const area = subject === undefined ? text : own?.trackingArea.text
          // A place that was removed meanwhile is not among the areas of the next decision.
          if (area === undefined) continue
          const at = yield* compare({ area, relation, others: others.map(({ trackingArea }) => trackingArea.text) })
          if (at !== undefined) return yield* Effect.fail(conflict(byId.get(others[at.index]!.id)!, at.fault))
          for (const other of others) compared.add(relationKey(relation, own, other))
        }
      })

      const make: AreaChanges["Service"]["make"] = Effect.fnUntraced(function* (organizationId, text, changeOf) {
        const { parse, compare } = makeChecks(comparer, mostWork)
        const compared = { organization: undefined as string | undefined, relations: new Set<string>() }
        const change = changeOf((text === undefined ? undefined : yield* parse(text)) as never, compared)
        /** Runs a step; none when it depends on areas that then were compared. */
        const settled = Effect.fnUntraced(function* <A, E>(step: Effect.Effect<A, E>) {
          const decided = yield* Effect.result(step)
          if (Result.isSuccess(decided)) return Option.some(decided.success)
          const { failure } = decided
          if (!(failure instanceof AreasNotCompared)) {
            return yield* Effect.fail(failure as Exclude<E, AreasNotCompared>)
          }
          if (text !== undefined && failure.organizationArea !== undefined) {
            yield* compareWithOrganization(compare, text, failure.organizationArea.text)
            compared.organization = failure.organizationArea.text
          }
          yield* compareAll(compare, organizationId, text, change.conflict, failure.relations, compared.relations)
          return Option.none<A>()
        })
        // Without a new area most changes compare nothing: the write finds out as well.
        if (text !== undefined) yield* settled(change.preview)
        for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
          const written = yield* settled(change.write)
          if (Option.isSome(written)) return written.value
        }
        return yield* overload(`areas changed ${MAX_ATTEMPTS} times while they were compared`)
      })

      return AreaChanges.of({
        parse: (text) => makeChecks(comparer, mostWork).parse(text),
        make: (organizationId, text, change) => inOrder(organizationId, make(organizationId, text, change))
      })
    })
  )
}
