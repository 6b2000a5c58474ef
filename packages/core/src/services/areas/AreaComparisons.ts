/** Compares areas in portions before a store decides on them, so that other requests are served meanwhile. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import {
  type AreaLimits,
  type AreaRecord,
  AreasNotCompared,
  AreaTooComplex,
  type ComparedAreas,
  DEFAULT_AREA_LIMITS,
  type PlaceArea
} from "../../domain/areas/AreaConstraints.ts"
import type { OrganizationId, PlaceId } from "../../domain/shared/Ids.ts"
import {
  type Bounds,
  parseTrackingArea,
  type TrackingArea,
  type TrackingAreaMalformed,
  type WorkMeter
} from "../../domain/areas/TrackingArea.ts"
import { PlaceStore } from "../../ports/organizations/PlaceStore.ts"
import { StoreError } from "../../ports/shared/StoreError.ts"

/** The limits on the areas of an organization; the default ones unless the operator sets others. */
export const AreaLimitsInForce = Context.Reference<AreaLimits>("@sojourn/core/AreaLimitsInForce", {
  defaultValue: () => DEFAULT_AREA_LIMITS
})

/**
 * How much work one portion does before others have their turn, in units of {@link WorkMeter}. A relation is never cut, so that
 * a portion takes a few milliseconds at most beside its last one.
 */
const PORTION = 50_000

/** How many areas are in memory for one comparison. An area has up to 128 KiB of text. */
const BATCH = 8

/** How often a change is decided again because the areas it was compared with have changed. */
const MOST_ATTEMPTS = 20

/** How many changes of areas may be present, being compared or waiting: of all organizations, and of each. */
const MOST_PRESENT = 1_024
const MOST_PRESENT_OF_EACH = 256

const overload = (cause: string) => new StoreError({ operation: "compare areas", cause, isOverload: true })

/** What a new area is compared with. */
export interface Comparison<E> {
  readonly organizationId: OrganizationId
  readonly withOrganization?: (organizationArea: TrackingArea, meter: WorkMeter) => Result.Result<void, E>
  readonly withPlace: (place: PlaceArea, meter: WorkMeter) => Result.Result<void, E>
  /** Whether every place within some bounds passes `withPlace` for certain. */
  readonly passesWithin?: (bounds: Bounds, meter: WorkMeter) => boolean
}

/**
 * Reads and compares areas, which takes long, beside the steps in which stores decide. All of it is done in portions: between
 * two portions, whichever change they belong to, the event loop serves other requests. Changes of one organization's areas
 * follow each other; those of several organizations take turns by the portion.
 */
export class AreaComparisons extends Context.Service<
  AreaComparisons,
  {
    /**
     * Reads a tracking area and runs a change with it, after the earlier changes of the organization's areas. Refuses when too
     * many wait.
     */
    readonly inOrder: <A, E>(
      organizationId: OrganizationId,
      text: string,
      change: (trackingArea: TrackingArea) => Effect.Effect<A, E>
    ) => Effect.Effect<A, E | TrackingAreaMalformed | StoreError>
    /** Reads a tracking area from its text. */
    readonly read: (text: string) => Effect.Effect<TrackingArea, TrackingAreaMalformed>
    /**
     * Attempts a change until it is decided on areas that were all compared. An attempt fails with `AreasNotCompared` when
     * there are others; only these are compared before the next one.
     */
    readonly decide: <A, E, F>(
      comparison: Comparison<F>,
      attempt: (compared: ComparedAreas) => Effect.Effect<A, E>
    ) => Effect.Effect<A, Exclude<E, AreasNotCompared> | F | AreaTooComplex | StoreError>
  }
>()("@sojourn/core/AreaComparisons") {
  static readonly layer: Layer.Layer<AreaComparisons, never, PlaceStore> = Layer.effect(
    AreaComparisons,
    Effect.gen(function* () {
      const store = yield* PlaceStore
      const { work: mostWork } = yield* AreaLimitsInForce
      const turns = yield* Semaphore.make(1)
      const lines = new Map<OrganizationId, { readonly turns: Semaphore.Semaphore; present: number }>()
      let present = 0

      /** Computes something, and holds up the next portion until the event loop went round. */
      const portion = <A>(compute: () => A): Effect.Effect<A> =>
        Semaphore.withPermit(
          turns,
          Effect.suspend(() => Effect.as(Effect.yieldNow, compute()))
        )

      const read = (text: string) =>
        Effect.flatMap(
          portion(() => parseTrackingArea(text)),
          Effect.fromResult
        )

      /** Takes a step for each item, in portions. Items may be added meanwhile. */
      const inPortions = Effect.fnUntraced(function* <Item, E>(
        items: ReadonlyArray<Item>,
        meter: WorkMeter,
        step: (item: Item) => Result.Result<void, E>
      ) {
        let next = 0
        while (next < items.length) {
          const done = yield* portion(() => {
            const end = meter.work + PORTION
            let taken: Result.Result<void, E | AreaTooComplex> = Result.void
            while (next < items.length && Result.isSuccess(taken) && meter.work < end) {
              taken = step(items[next++]!)
              if (meter.work > mostWork) return Result.fail(new AreaTooComplex({ mostWork }))
            }
            return taken
          })
          yield* Effect.fromResult(done)
        }
      })

      /** The places that have to be compared: neither they nor any group of them lies within bounds that pass. */
      const notPassing = Effect.fnUntraced(function* (
        places: ReadonlyArray<AreaRecord>,
        passesWithin: (bounds: Bounds, meter: WorkMeter) => boolean,
        meter: WorkMeter
      ) {
        const left: Array<AreaRecord> = []
        const groups = [places]
        yield* inPortions(groups, meter, (group) => {
          const bounds = boundsOfAll(group)
          if (bounds !== undefined && !passesWithin(bounds, meter)) {
            const half = Math.ceil(group.length / 2)
            if (group.length === 1) left.push(group[0]!)
            else if (group.length > 1) groups.push(group.slice(0, half), group.slice(half))
          }
          return Result.void
        })
        return left
      })

      const compareWithPlaces = Effect.fnUntraced(function* <E>(
        { organizationId, withPlace, passesWithin }: Comparison<E>,
        places: ReadonlyArray<AreaRecord>,
        compared: Map<PlaceId, string>,
        meter: WorkMeter
      ) {
        const left = passesWithin === undefined ? places : yield* notPassing(places, passesWithin, meter)
        const isLeft = new Set(left)
        for (const place of places) if (!isLeft.has(place)) compared.set(place.id, place.version)
        for (let begin = 0; begin < left.length; begin += BATCH) {
          const ids = left.slice(begin, begin + BATCH).map(({ id }) => id)
          const areas = yield* store.areas(organizationId, ids)
          yield* inPortions(areas, meter, (place) => {
            meter.work += place.trackingArea.text.length
            compared.set(place.id, place.version)
            return withPlace(place, meter)
          })
        }
      })

      return AreaComparisons.of({
        inOrder: (organizationId, text, change) =>
          Effect.acquireUseRelease(
            Effect.suspend(() => {
              const line = lines.get(organizationId) ?? { turns: Semaphore.makeUnsafe(1), present: 0 }
              if (present >= MOST_PRESENT || line.present >= MOST_PRESENT_OF_EACH) {
                return Effect.fail(overload("too many changes of areas wait"))
              }
              lines.set(organizationId, line)
              present++
              line.present++
              return Effect.succeed(line)
            }),
            (line) => Semaphore.withPermit(line.turns, Effect.flatMap(read(text), change)),
            (line) =>
              Effect.sync(() => {
                present--
                if (--line.present === 0) lines.delete(organizationId)
              })
          ),

        read,

        decide: Effect.fnUntraced(function* (comparison, attempt) {
          const places = new Map<PlaceId, string>()
          const meter: WorkMeter = { work: 0 }
          let organization: string | undefined
          for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
            const decided = yield* Effect.result(attempt({ organization, places }))
            if (Result.isSuccess(decided)) return decided.success
            const refusal = decided.failure
            if (!(refusal instanceof AreasNotCompared)) {
              return yield* Effect.fail(refusal as Exclude<typeof refusal, AreasNotCompared>)
            }
            const { organizationArea } = refusal
            if (organizationArea !== undefined && comparison.withOrganization !== undefined) {
              const { withOrganization } = comparison
              yield* inPortions([organizationArea], meter, (area) => withOrganization(area, meter))
              organization = organizationArea.text
            }
            yield* compareWithPlaces(comparison, refusal.places, places, meter)
          }
          return yield* overload(`areas changed ${MOST_ATTEMPTS} times while they were compared`)
        })
      })
    })
  )
}

/** The bounds of several places; undefined without places. */
const boundsOfAll = (places: ReadonlyArray<AreaRecord>): Bounds | undefined =>
  places.reduce<Bounds | undefined>(
    (all, { bounds }) =>
      all === undefined
        ? bounds
        : {
            west: Math.min(all.west, bounds.west),
            east: Math.max(all.east, bounds.east),
            south: Math.min(all.south, bounds.south),
            north: Math.max(all.north, bounds.north)
          },
    undefined
  )
