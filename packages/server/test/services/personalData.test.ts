/** Export and erasure of personal data by operators. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  type ExportedData,
  Favorites,
  NOTHING_ERASED,
  NOTHING_STORED,
  OrganizationId,
  Organizations,
  PersonalData,
  PersonalDataStore,
  PersonSubject,
  OrgAuthServerId,
  Timestamp,
  User,
  UserId,
  UserSubject,
  AccountLinkStore,
  Movements,
  layerSecretKeysEphemeral,
  OrganizationPremises
} from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { anOrganization, OPERATOR } from "./fixtures.ts"

const layer = Layer.mergeAll(Favorites.layer, Organizations.layer, Movements.layer, PersonalData.layer).pipe(
  Layer.provideMerge(layerStores),
  Layer.provide(layerSecretKeysEphemeral)
)
const NOTHING_EXPORTED: ExportedData = { ...NOTHING_STORED, accesses: [], openStays: [] }
const user = User(UserId.make("ada"))
const ada = OrgAuthServerId.make("uid=ada")

/** A store that notes how many of its operations ran at once. */
const most = { collect: 0, erase: 0 }
const layerCounted = Layer.effect(
  PersonalDataStore,
  Effect.map(PersonalDataStore, (store) => {
    const running = { collect: 0, erase: 0 }
    const counted = <A, E>(kind: keyof typeof most, effect: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        most[kind] = Math.max(most[kind], ++running[kind])
        return Effect.andThen(Effect.yieldNow, effect)
      }).pipe(Effect.ensuring(Effect.sync(() => running[kind]--)))
    return PersonalDataStore.of({
      ...store,
      collect: (subject) => counted("collect", store.collect(subject)),
      erase: (subject, at) => counted("erase", store.erase(subject, at))
    })
  })
)

it.effect("at most one export and two erasures run at the same time", () =>
  Effect.gen(function* () {
    const personal = yield* PersonalData
    const subject = UserSubject(user.userId)
    yield* Effect.forEach(
      Array.from({ length: 50 }),
      () => Effect.all([personal.export(OPERATOR, subject), personal.erase(OPERATOR, subject)], { concurrency: 2 }),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(most, { collect: 1, erase: 2 })
    // Who waits and leaves gives its turn back.
    const waiting = yield* Effect.forkChild(personal.export(OPERATOR, subject))
    const next = yield* Effect.forkChild(personal.export(OPERATOR, subject))
    yield* Fiber.interrupt(waiting)
    assert.deepStrictEqual((yield* Fiber.join(next)).data, NOTHING_EXPORTED)
  }).pipe(
    Effect.provide(
      PersonalData.layer.pipe(
        Layer.provide(layerCounted.pipe(Layer.provideMerge(layerStores))),
        Layer.provide(layerSecretKeysEphemeral)
      )
    )
  )
)

describe("the data about a person", () => {
  it.effect("is exported with its current values, and erased once", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* anOrganization("anonymous")
      const { favorite } = yield* Favorites.use((favorites) => favorites.add(user, { organizationId }))
      yield* TestClock.adjust("1 minute")
      const personal = yield* PersonalData
      const subject = UserSubject(user.userId)
      const exported = yield* personal.export(OPERATOR, subject)
      const data = { ...NOTHING_EXPORTED, favorites: [favorite] }
      assert.deepStrictEqual(exported, { subject, exportDate: Timestamp(60_000), data })
      // The audit has the export.
      const erased = { ...NOTHING_ERASED, favorites: 1, mentions: 1 }
      assert.deepStrictEqual(yield* personal.erase(OPERATOR, subject), erased)
      assert.deepStrictEqual(yield* personal.erase(OPERATOR, subject), NOTHING_ERASED)
      assert.deepStrictEqual((yield* personal.export(OPERATOR, subject)).data, NOTHING_EXPORTED)
    }).pipe(Effect.provide(layer))
  )

  it.effect("is counted in the ledger of the day of its erasure", () =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* anOrganization("authenticated")
      yield* AccountLinkStore.use((links) => links.put({ userId: user.userId, organizationId, orgAuthServerId: ada }))
      const premises = OrganizationPremises(organizationId)
      yield* Movements.use((movements) => movements.track(user, { _tag: "Entrance", premises }))
      yield* TestClock.adjust("2 days")
      const personal = yield* PersonalData
      const erased = yield* personal.erase(OPERATOR, PersonSubject(organizationId, ada))
      assert.deepStrictEqual(erased, { ...NOTHING_ERASED, accountLinks: 1, openStays: 1 })
      assert.deepStrictEqual(yield* personal.erasures(OPERATOR, organizationId), [
        { organizationId, day: "1970-01-03", people: 1, accesses: 0, openStays: 1, totalTime: 0 }
      ])
      const nowhere = OrganizationId.make(404n)
      const refused = yield* Effect.flip(personal.erasures(OPERATOR, nowhere))
      assert.deepStrictEqual<unknown>({ ...refused }, { _tag: "OrganizationNotFound", organizationId: nowhere })
    }).pipe(Effect.provide(layer))
  )
})
