/** Passwords of administrators: the use cases on stores in memory, with a hasher that counts its calls. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  Administrator,
  AdministratorId,
  type AdministratorName,
  Administrators,
  Mail,
  type OrganizationId,
  Organizations,
  SignIns
} from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { anAnonymousOrganization, countingHasher } from "./fixtures.ts"

const services = Layer.mergeAll(SignIns.layer, Administrators.layer, Organizations.layer)
const layerWithout = Layer.provide(services, layerStores)

/** The services with a hasher that counts its calls. */
const counting = () => {
  const { calls, layer } = countingHasher()
  return { calls, layer: Layer.provide(services, Layer.merge(layerStores, layer)) }
}

const PASSWORD = Redacted.make("correct horse battery staple")
const owner = Administrator(AdministratorId.make("olga"), Mail.make("olga@example.org"))
const guest = Mail.make("Guest@example.org")

/** Creates an organization of the owner. */
const ground = anAnonymousOrganization("Sign-ins", owner)

const created = (fields: {
  readonly administratorId?: AdministratorId
  readonly password?: Redacted.Redacted<string>
}) =>
  Effect.gen(function* () {
    const { id } = yield* ground
    const { password, administratorId } = fields
    const administrator = { administratorId, mail: guest }
    return yield* Administrators.use((administrators) =>
      administrators.create(owner, { organizationId: id, administrator, level: "manager", password })
    )
  })

const signIn = (username: string, password = PASSWORD) =>
  SignIns.use((signIns) => signIns.withPassword(username, password, "a network"))

describe("a password", () => {
  it.effect("signs its administrator in by id, and by mail address in any letter case", () => {
    const { layer } = counting()
    return Effect.gen(function* () {
      const { administratorId } = yield* created({ password: PASSWORD })
      const expected = Administrator(administratorId)
      for (const username of [administratorId, guest, guest.toUpperCase()]) {
        assert.deepStrictEqual(yield* signIn(username), expected)
      }
    }).pipe(Effect.provide(layer))
  })

  it.effect(
    "gets the same refusal after the same work for wrong passwords, unknown accounts and accounts without one",
    () => {
      const { calls, layer } = counting()
      return Effect.gen(function* () {
        const { administratorId } = yield* created({ password: PASSWORD })
        const others: ReadonlyArray<readonly [username: string, password: string]> = [
          [administratorId, "another one"],
          [guest, ""],
          [owner.mail!, Redacted.value(PASSWORD)],
          [owner.administratorId, Redacted.value(PASSWORD)],
          ["nobody@example.org", Redacted.value(PASSWORD)],
          ["nobody", Redacted.value(PASSWORD)],
          ["", Redacted.value(PASSWORD)],
          ["x".repeat(300), Redacted.value(PASSWORD)]
        ]
        for (const [username, password] of others) {
          const { verify } = calls
          const refused = yield* Effect.flip(signIn(username, Redacted.make(password)))
          assert.strictEqual(refused._tag, "SignInRefused", username)
          assert.strictEqual(calls.verify, verify + 1, username)
        }
        assert.strictEqual(calls.hash, 1)
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("prevents the takeover of its account by a proof of the mail address, unlike an invitation", () => {
    const { layer } = counting()
    const taker = Administrator(AdministratorId.make("provider|1"), guest)
    const levelsOf = (administrator: Administrator) =>
      Effect.map(
        Administrators.use((administrators) => administrators.listOwn(administrator)),
        (all) => all.map(({ level }) => level)
      )
    return Effect.gen(function* () {
      for (const [fields, taken] of [
        [{ password: PASSWORD }, []],
        [{ administratorId: AdministratorId.make("by-id") }, []],
        [{}, ["manager"]]
      ] as const) {
        const levels = yield* Effect.gen(function* () {
          yield* created(fields)
          yield* Administrators.use((administrators) => administrators.recordSignIn(taker))
          return yield* levelsOf(taker)
        }).pipe(Effect.provide(Layer.fresh(layer)))
        assert.deepStrictEqual(levels, [...taken], JSON.stringify(fields))
      }
    })
  })

  it.effect("is discarded when the owner names an id, which may be another person's", () => {
    const { calls, layer } = counting()
    return Effect.gen(function* () {
      const { administratorId } = yield* created({ administratorId: AdministratorId.make("ceo"), password: PASSWORD })
      assert.strictEqual(administratorId, "ceo")
      for (const username of [administratorId, guest]) {
        assert.strictEqual((yield* Effect.flip(signIn(username)))._tag, "SignInRefused")
      }
      assert.strictEqual(calls.hash, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("leaves its mail address unproved: the account can be bound by id only", () => {
    const { layer } = counting()
    return Effect.gen(function* () {
      const { administratorId, organizationId } = yield* created({ password: PASSWORD })
      const administrators = yield* Administrators
      const bind = (where: OrganizationId, administrator: AdministratorName) =>
        administrators.bind(owner, { organizationId: where, administrator, level: "owner" })
      const { id } = yield* anAnonymousOrganization("Elsewhere", owner)
      for (const where of [id, organizationId]) {
        assert.strictEqual((yield* Effect.flip(bind(where, { mail: guest })))._tag, "AdministratorNotFound")
      }
      assert.strictEqual((yield* bind(id, { administratorId, mail: guest })).administratorId, administratorId)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is hashed only for owners", () => {
    const { calls, layer } = counting()
    return Effect.gen(function* () {
      const { organizationId } = yield* created({})
      const manager = Administrator(AdministratorId.make("provider|1"), guest)
      const administrators = yield* Administrators
      yield* administrators.recordSignIn(manager)
      for (const by of [manager, Administrator(AdministratorId.make("mallory"))]) {
        const administrator = { mail: Mail.make("new@example.org") }
        const creation = { organizationId, administrator, level: "viewer", password: PASSWORD } as const
        assert.strictEqual((yield* Effect.flip(administrators.create(by, creation)))._tag, "PermissionTooLow")
      }
      assert.strictEqual(calls.hash, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("signs no one in when the service stores no passwords", () =>
    Effect.gen(function* () {
      const { administratorId } = yield* created({ password: PASSWORD })
      for (const username of [administratorId, guest, "nobody"]) {
        assert.strictEqual((yield* Effect.flip(signIn(username)))._tag, "SignInRefused")
      }
    }).pipe(Effect.provide(layerWithout))
  )
})
