/** Movements: exit-token keys, claimed identities, and the order of refusals. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  Accesses,
  AccountLinkStore,
  type SecretKey,
  keyOfStorage,
  layerSecretKeys,
  Movements,
  OrganizationPremises,
  Organizations,
  OrgAuthServerId,
  makeExitTokenScheme,
  StayId,
  StayLog,
  StorageIdentity,
  Timestamp,
  User,
  UserId
} from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { anOrganization } from "./fixtures.ts"

const key = (id: number): SecretKey => ({ id, secret: Redacted.make(new Uint8Array(32).fill(id)) })
const under = (...keys: ReadonlyArray<SecretKey>) =>
  Layer.provide(Layer.merge(Movements.layer, Accesses.layer), Layer.orDie(layerSecretKeys(keys)))

const [ada, bob] = [OrgAuthServerId.make("ada"), OrgAuthServerId.make("bob")]
const [linked, unlinked] = [User(UserId.make("user of ada")), User(UserId.make("user of nobody"))]

/** Creates an organization in which one user is linked to Ada. */
const ground = (mode: "anonymous" | "authenticated") =>
  Effect.gen(function* () {
    const { id } = yield* anOrganization(mode)
    yield* AccountLinkStore.use((links) =>
      links.put({ userId: linked.userId, organizationId: id, orgAuthServerId: ada })
    )
    return OrganizationPremises(id)
  }).pipe(Effect.provide(Organizations.layer))

describe("an entrance", () => {
  it.effect("and its exit are returned with their kind, token, times and person", () =>
    Effect.gen(function* () {
      const premises = yield* ground("authenticated")
      const [entrance, exit] = [Timestamp(1_000), Timestamp(2_000)]
      const movements = yield* Movements
      const came = yield* movements.track(linked, { _tag: "Entrance", premises, timestamp: entrance })
      const { exitToken } = came
      assert.deepStrictEqual(came, { _tag: "Entrance", premises, timestamp: entrance, exitToken, orgAuthServerId: ada })
      const went = yield* movements.track(linked, { _tag: "Exit", premises, exitToken, timestamp: exit })
      assert.deepStrictEqual(went, { _tag: "Exit", premises, timestamp: exit, exitToken, orgAuthServerId: ada })
    }).pipe(Effect.provide(Layer.provideMerge(under(key(1)), layerStores)))
  )

  it.effect("of a person with an open stay fails while the key of that stay is not configured", () =>
    Effect.gen(function* () {
      const premises = yield* ground("authenticated")
      const enter = Movements.use((movements) => movements.track(linked, { _tag: "Entrance", premises }))
      const { exitToken } = yield* Effect.provide(enter, under(key(1)))
      const failed = yield* Effect.flip(Effect.provide(enter, under(key(2))))
      assert.strictEqual(failed._tag, "StoreError")
      const fields = "operation" in failed ? [failed.operation, failed.cause] : []
      assert.deepStrictEqual(fields, ["derive exit token", "key 1 is not configured"])
      const again = yield* Effect.provide(enter, under(key(2), key(1)))
      assert.strictEqual(again.exitToken, exitToken, "the key is back, and the stay is the one that was open")
    }).pipe(Effect.provide(layerStores))
  )
})

describe("an exit that matches no stay", () => {
  const expectations = [
    ["authenticated", linked, bob, "IdentityNotOwn"],
    ["authenticated", linked, ada, "ExitNotMatched"],
    ["authenticated", linked, undefined, "ExitNotMatched"],
    // An unlinked user may be Bob; with a token of Ada's stay the claim contradicts the stay's person.
    ["authenticated", unlinked, bob, "ExitNotMatched", "IdentityNotOwn"],
    ["anonymous", linked, bob, "ExitNotMatched"],
    ["anonymous", unlinked, undefined, "ExitNotMatched"]
  ] as const

  it.effect("is refused for a false claim before it is refused for its token", () =>
    Effect.gen(function* () {
      const premisesOf = { anonymous: yield* ground("anonymous"), authenticated: yield* ground("authenticated") }
      const movements = yield* Movements
      const tokens = makeExitTokenScheme([keyOfStorage(key(1), yield* (yield* StorageIdentity).read)])
      for (const [mode, by, claimed, ofNonsense, ofToken = ofNonsense] of expectations) {
        const premises = premisesOf[mode]
        const stay = Timestamp(1_000)
        const visitor = mode === "anonymous" ? unlinked : linked
        const gone = { organizationId: premises.organizationId, stayId: StayId.make(404n) }
        const { exitToken } = yield* movements.track(visitor, { _tag: "Entrance", premises, timestamp: stay })
        yield* movements.track(visitor, { _tag: "Exit", premises, exitToken, timestamp: stay })
        for (const [token, expected] of [
          ["nonsense", ofNonsense],
          [exitToken, ofToken],
          // A genuine token of a stay that no longer exists.
          [Option.getOrThrow(tokens.derive(1, premises, gone)), ofNonsense]
        ] as const) {
          const exit = { _tag: "Exit" as const, premises, exitToken: token, timestamp: Timestamp(5_000) }
          const refused = yield* Effect.flip(movements.track(by, { ...exit, orgAuthServerId: claimed }))
          assert.strictEqual(refused._tag, expected, JSON.stringify([mode, by, claimed, token]))
        }
      }
    }).pipe(Effect.provide(Layer.provideMerge(under(key(1)), layerStores)))
  )
})

describe("a list of accesses by tokens", () => {
  it.effect("queries no store when none of its tokens is genuine", () => {
    const silent = Layer.effect(
      StayLog,
      Effect.map(StayLog, (log) => ({ ...log, closedByIds: () => Effect.die("the store was queried") }))
    )
    return Effect.gen(function* () {
      const premises = yield* ground("anonymous")
      const found = yield* Accesses.use((accesses) => accesses.anonymous(premises, ["nonsense", ""]))
      assert.deepStrictEqual(found, [])
    }).pipe(Effect.provide(Layer.provide(under(key(1)), silent)), Effect.provide(layerStores))
  })
})
