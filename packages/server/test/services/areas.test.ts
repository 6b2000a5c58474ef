/** Parsing and comparison of areas by the use cases: authority, retries, work limits and fairness. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  type AreaChecking,
  AreaComparer,
  AreaLimitsInForce,
  DEFAULT_AREA_LIMITS,
  layerSecretKeysEphemeral,
  layerServices,
  Organizations,
  OrganizationStore,
  PlaceId,
  Places,
  PlaceStore,
  StoreError
} from "@sojourn/core"
import { rectangleArea } from "@sojourn/testing"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Result } from "effect"
import { administrator, anOrganization, AREA, layerNoDirectory, OWNER } from "./fixtures.ts"

const over = (stores: typeof layerStores, limits = DEFAULT_AREA_LIMITS) =>
  Layer.fresh(
    layerServices.pipe(
      Layer.provideMerge([stores, layerNoDirectory, layerSecretKeysEphemeral]),
      Layer.provide(Layer.succeed(AreaLimitsInForce, limits))
    )
  )

/** The stores in memory, some of them changed. */
const changed = (
  change: (
    stores: Context.Context<Layer.Success<typeof layerStores>>,
    places: PlaceStore["Service"],
    organizations: OrganizationStore["Service"]
  ) => Context.Context<Layer.Success<typeof layerStores>>
): typeof layerStores =>
  Layer.effectContext(
    Effect.map(Layer.build(layerStores), (stores) =>
      change(stores, Context.get(stores, PlaceStore), Context.get(stores, OrganizationStore))
    )
  )

/** The nth of `columns` columns of a square of 2 by 2 degrees. */
const column = (n: number, of = 200) =>
  `{"type":"Polygon","coordinates":[[${[
    [n, 0],
    [n + 1, 0],
    [n + 1, 1],
    [n, 1],
    [n, 0]
  ]
    .map(([x, y]) => `[${11.87 + (x! * 0.002) / of},${45.41 + y! * 0.001}]`)
    .join()}]]}`

/** A text that records whether it is read. */
const observedText = (text: string) => {
  const seen = { read: false }
  const value = {
    length: text.length,
    toString: () => {
      seen.read = true
      return text
    }
  }
  return { seen, text: value as unknown as string }
}

describe("an area", () => {
  it.effect("is neither read nor compared for an administrator who may not change it, and locks nothing", () => {
    /** Stores that fail on any operation with areas once an organization and a place were created. */
    let isReady = false
    const refused = Effect.die("the store was queried")
    const guarded = changed((stores, places, organizations) =>
      stores.pipe(
        Context.add(PlaceStore, {
          ...places,
          previewCreation: (creation) => (isReady ? refused : places.previewCreation(creation)),
          create: (creation) => (isReady ? refused : places.create(creation)),
          previewUpdate: (update) => (isReady ? refused : places.previewUpdate(update)),
          update: (update) => (isReady ? refused : places.update(update))
        }),
        Context.add(OrganizationStore, {
          ...organizations,
          preview: (query) => (isReady ? refused : organizations.preview(query)),
          update: (update) => (isReady ? refused : organizations.update(update))
        })
      )
    )
    return Effect.gen(function* () {
      const { id: organizationId } = yield* anOrganization("anonymous")
      const places = yield* Places
      const organizations = yield* Organizations
      const { id: placeId } = yield* places.create(OWNER, { organizationId, trackingArea: AREA })
      isReady = true
      const outsider = administrator("outsider")
      const { seen, text } = observedText(AREA)
      const nowhere = PlaceId.make(404n)
      const changes: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        places.create(outsider, { organizationId, trackingArea: text }),
        places.edit(outsider, placeId, { trackingArea: text }),
        places.edit(outsider, placeId, { name: "Hall" }),
        places.edit(OWNER, nowhere, { trackingArea: text }),
        organizations.edit(outsider, organizationId, { trackingArea: text }),
        organizations.edit(outsider, organizationId, { name: "Mine" }),
        organizations.editTrackingArea(outsider, organizationId, text)
      ]
      const refusals = yield* Effect.forEach(changes, (one) => Effect.map(Effect.flip(one), ({ _tag }) => _tag))
      const low = "PermissionTooLow"
      assert.deepStrictEqual(refusals, [low, low, low, "PlaceNotFound", low, low, low])
      assert.isFalse(seen.read)
    }).pipe(Effect.provide(over(guarded)))
  })

  it.effect("yields to other fibers while it is compared with many areas", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* anOrganization("anonymous")
      const places = yield* Places
      const organizations = yield* Organizations
      for (let n = 0; n < 200; n++) yield* places.create(OWNER, { organizationId, trackingArea: column(n) })
      let turns = 0
      let isDone = false
      const others = Effect.whileLoop({
        while: () => !isDone,
        body: () => Effect.yieldNow,
        step: () => void turns++
      })
      // The area touches every place, so none is skipped.
      const edit = organizations.editTrackingArea(OWNER, organizationId, column(0, 1))
      yield* Effect.all(
        [
          Effect.ensuring(
            edit,
            Effect.sync(() => void (isDone = true))
          ),
          others
        ],
        {
          concurrency: "unbounded"
        }
      )
      assert.isAbove(turns, 3)
    }).pipe(Effect.provide(over(layerStores)))
  )

  it.effect("of a place is refused as overload when 256 comparisons are queued, and these are all decided", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* anOrganization("anonymous")
      const places = yield* Places
      const creations = Array.from({ length: 300 }, (_, n) =>
        Effect.result(places.create(OWNER, { organizationId, trackingArea: column(n, 300) }))
      )
      const results = yield* Effect.all(creations, { concurrency: "unbounded" })
      const refused = results.flatMap((result) => (result._tag === "Failure" ? [result.failure] : []))
      assert.strictEqual(refused.length, 300 - 256)
      for (const refusal of refused) assert.isTrue(refusal instanceof StoreError && refusal.isOverload === true)
      // The queue is empty again.
      yield* places.create(OWNER, { organizationId, trackingArea: column(299, 300) })
    }).pipe(Effect.provide(over(layerStores)))
  )

  it.live("is refused when comparing it takes more work than one decision may", () =>
    Effect.gen(function* () {
      const stores = Layer.succeedContext(yield* Layer.build(layerStores))
      const { id: organizationId } = yield* Effect.provide(anOrganization("anonymous"), over(stores))
      yield* Effect.gen(function* () {
        const places = yield* Places
        const refusal = yield* Effect.flip(places.create(OWNER, { organizationId, trackingArea: column(0) }))
        assert.deepStrictEqual({ ...refusal }, { _tag: "AreaTooComplex", mostWork: 1 } as never)
        assert.deepStrictEqual(yield* places.list(OWNER, organizationId), { items: [], hasMore: false })
      }).pipe(Effect.provide(over(stores, { ...DEFAULT_AREA_LIMITS, work: 1 })))
    }).pipe(Effect.scoped)
  )

  it.effect("is compared in one check between one reading and one write", () => {
    const steps: Array<string> = []
    const noting = <Args extends ReadonlyArray<never>, A, E>(
      step: string,
      run: (...args: Args) => Effect.Effect<A, E>
    ) =>
      ((...args: Args) =>
        Effect.suspend(() => {
          steps.push(step)
          return run(...args)
        })) as never
    const watched = changed((stores, places, organizations) =>
      stores.pipe(
        Context.add(PlaceStore, {
          ...places,
          previewCreation: noting("read", places.previewCreation),
          create: noting("write", places.create),
          previewUpdate: noting("read", places.previewUpdate),
          update: noting("write", places.update)
        }),
        Context.add(OrganizationStore, {
          ...organizations,
          preview: noting("read", organizations.preview),
          update: noting("write", organizations.update)
        })
      )
    )
    const { firstFault } = AreaComparer.defaultValue()
    return Effect.gen(function* () {
      const { id: organizationId } = yield* anOrganization("anonymous")
      const places = yield* Places
      const organizations = yield* Organizations
      const stepsOf = <A, E>(change: Effect.Effect<A, E>) =>
        Effect.map(
          Effect.andThen(
            Effect.sync(() => void (steps.length = 0)),
            change
          ),
          () => [...steps]
        )
      const all = ["read", "check", "write"]
      const create = places.create(OWNER, { organizationId, trackingArea: column(0, 4) })
      assert.deepStrictEqual(yield* stepsOf(create), all)
      const { id } = yield* places.create(OWNER, { organizationId, trackingArea: column(1, 4) })
      const edit = places.edit(OWNER, id, { trackingArea: column(2, 8) })
      assert.deepStrictEqual(yield* stepsOf(edit), all)
      const redraw = organizations.editTrackingArea(OWNER, organizationId, column(0, 1))
      assert.deepStrictEqual(yield* stepsOf(redraw), all)
      assert.deepStrictEqual(yield* stepsOf(places.edit(OWNER, id, { level: 1 })), ["read", "write"])
      assert.deepStrictEqual(yield* stepsOf(places.edit(OWNER, id, { level: 0 })), all)
      assert.deepStrictEqual(yield* stepsOf(places.edit(OWNER, id, { name: "Hall" })), ["write"])
    }).pipe(
      Effect.provide(over(watched)),
      Effect.provideService(AreaComparer, { firstFault: noting("check", firstFault) })
    )
  })

  it.effect("that is malformed is refused as such, whatever else is wrong with the change", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* anOrganization("anonymous")
      const places = yield* Places
      const bowTie = `{"type":"Polygon","coordinates":[[[11.87,45.41],[11.871,45.411],[11.871,45.41],[11.87,45.411],[11.87,45.41]]]}`
      const draft = { organizationId, parentId: PlaceId.make(404n) }
      for (const trackingArea of ["[1]", bowTie]) {
        const refusal = yield* Effect.flip(places.create(OWNER, { ...draft, trackingArea }))
        assert.strictEqual(refusal._tag, "TrackingAreaMalformed")
      }
      const refusal = yield* Effect.flip(places.create(OWNER, { ...draft, trackingArea: column(0) }))
      assert.strictEqual(refusal._tag, "ParentNotFound")
    }).pipe(Effect.provide(over(layerStores)))
  )

  it.effect("is compared again only with places that changed during its comparison", () => {
    const compared: Array<number> = []
    let interfere: Effect.Effect<unknown, unknown> = Effect.void
    const { firstFault } = AreaComparer.defaultValue()
    const watched: AreaChecking = {
      firstFault: (check, limit) =>
        Effect.tap(firstFault(check, limit), () => {
          compared.push(check.relations.length)
          const once = interfere
          interfere = Effect.void
          return Effect.orDie(once)
        })
    }
    return Effect.gen(function* () {
      const { id: organizationId } = yield* anOrganization("anonymous")
      const places = yield* Places
      const store = yield* PlaceStore
      const one = yield* places.create(OWNER, { organizationId, trackingArea: column(0, 4) })
      yield* places.create(OWNER, { organizationId, trackingArea: column(2, 4) })
      compared.length = 0
      // Another server changes the first place so that it overlaps the third one.
      const trackingArea = rectangleArea({ left: 0, bottom: 0, right: 1, top: 1 })
      interfere = store.update({
        placeId: one.id,
        administratorId: OWNER.administratorId,
        bounds: undefined,
        decide: ({ place }) => Result.succeed({ place: { ...place, trackingArea }, positions: [] })
      })
      const refusal = yield* Effect.flip(places.create(OWNER, { organizationId, trackingArea: column(1, 4) }))
      assert.strictEqual(refusal._tag, "PlacesOverlap")
      assert.deepStrictEqual(compared, [3, 1])
    }).pipe(Effect.provide(over(layerStores)), Effect.provideService(AreaComparer, watched))
  })
})
