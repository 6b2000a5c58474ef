/** What a change over two cells leaves where it is cut off between its steps, and that the same call does the rest. */
import { layerStoresOf } from "@sojourn/adapter-memory"
import {
  Administrator,
  AdministratorId,
  Administrators,
  CellNumber,
  type CellStore,
  Mail,
  Organizations,
  OrganizationStore,
  PermissionStore,
  StorageIdentity,
  StoreError,
  type Stores
} from "@sojourn/core"
import { storesOverCells } from "@sojourn/service"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { anAnonymousOrganization } from "../services/fixtures.ts"

const cutOff = Effect.fail(new StoreError({ operation: "a test", cause: "cut off" }))

/** The use cases over a home cell that gets no organizations, and a cell with a fault in its stores. */
const twoCells = (withFault: (stores: Context.Context<Stores | CellStore>) => Context.Context<Stores | CellStore>) =>
  Layer.provideMerge(
    Layer.mergeAll(Administrators.layer, Organizations.layer),
    Layer.effectContext(
      Effect.gen(function* () {
        const build = (number: number) => Layer.build(Layer.fresh(layerStoresOf(CellNumber.make(number))))
        const home = { number: CellNumber.make(0), weight: 0, stores: yield* build(0) }
        return storesOverCells([home, { number: CellNumber.make(1), weight: 1, stores: withFault(yield* build(1)) }])
      })
    )
  )

const owner = Administrator(AdministratorId.make("owner"), Mail.make("owner@example.org"))

describe("a change over two cells that is cut off", () => {
  it.effect("leaves a free name and a usable account where the organization was not created", () => {
    let faults = 1
    const layer = twoCells((stores) => {
      const store = Context.get(stores, OrganizationStore)
      const create: typeof store.create = (creation) =>
        Effect.suspend(() => (faults-- > 0 ? cutOff : store.create(creation)))
      return Context.add(stores, OrganizationStore, { ...store, create })
    })
    return Effect.gen(function* () {
      const store = yield* OrganizationStore
      assert.strictEqual((yield* Effect.flip(anAnonymousOrganization("Library", owner)))._tag, "StoreError")
      assert.deepStrictEqual(yield* store.findByName("Library"), Option.none())
      const { id } = yield* anAnonymousOrganization("Library", owner)
      assert.deepStrictEqual(
        Option.map(yield* store.findByName("Library"), (found) => found.id),
        Option.some(id)
      )
      const refusal = yield* Effect.flip(anAnonymousOrganization("Library", owner))
      assert.strictEqual(refusal._tag, "OrganizationNameTaken")
    }).pipe(Effect.provide(layer))
  })

  it.effect("leaves an account that can be bound where the permission was not granted", () => {
    let changes = 0
    const layer = twoCells((stores) => {
      const store = Context.get(stores, PermissionStore)
      // The first call of a grant decides, the second one writes.
      const change: typeof store.change = (asked) =>
        Effect.suspend(() => (++changes === 2 ? cutOff : store.change(asked)))
      return Context.add(stores, PermissionStore, { ...store, change })
    })
    return Effect.gen(function* () {
      const administrators = yield* Administrators
      const { id: organizationId } = yield* anAnonymousOrganization("Library", owner)
      const administrator = { administratorId: AdministratorId.make("ada"), mail: Mail.make("ada@example.org") }
      const creation = { organizationId, administrator, level: "manager" } as const
      assert.strictEqual((yield* Effect.flip(administrators.create(owner, creation)))._tag, "StoreError")
      assert.strictEqual((yield* administrators.listByOrganization(owner, organizationId)).length, 1)
      assert.strictEqual((yield* Effect.flip(administrators.create(owner, creation)))._tag, "AdministratorExists")
      const { administratorId } = administrator
      const bound = yield* administrators.bind(owner, {
        organizationId,
        administrator: { administratorId },
        level: "manager"
      })
      assert.deepStrictEqual([bound.administratorId, bound.mail], [administratorId, administrator.mail])
      assert.strictEqual((yield* administrators.listByOrganization(owner, organizationId)).length, 2)
    }).pipe(Effect.provide(layer))
  })
})

describe("the identity of a storage over cells", () => {
  it.effect("is the home cell's, and known while the home cell is away", () =>
    Effect.gen(function* () {
      const build = (number: number) =>
        Effect.map(Layer.build(Layer.fresh(layerStoresOf(CellNumber.make(number)))), (stores) => ({
          number: CellNumber.make(number),
          weight: 1,
          stores
        }))
      const [home, near, far] = [yield* build(0), yield* build(1), yield* build(2)]
      const identityOf = ({ stores }: { readonly stores: Context.Context<StorageIdentity> }) =>
        Context.get(stores, StorageIdentity).read
      const identity = yield* identityOf(home)
      assert.strictEqual(yield* identityOf({ stores: storesOverCells([home, near, far]) }), identity)
      yield* Effect.yieldNow
      const away = { ...home, stores: Context.add(home.stores, StorageIdentity, { read: cutOff }) }
      assert.strictEqual(yield* identityOf({ stores: storesOverCells([away, near, far]) }), identity)
      const lost = { ...near, stores: Context.add(near.stores, StorageIdentity, { read: cutOff }) }
      assert.strictEqual(yield* identityOf({ stores: storesOverCells([away, lost, far]) }), identity)
    })
  )
})
