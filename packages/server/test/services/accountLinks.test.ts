/** The conditions under which an organization's authentication server is queried. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  AccountLinks,
  AuthenticationServers,
  DirectoryBounds,
  layerServices,
  OrganizationDirectory,
  type OrganizationId,
  Organizations,
  OrgAuthServerId,
  layerSecretKeysEphemeral,
  User,
  UserId
} from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { anOrganization, credentials, OWNER, SERVER } from "./fixtures.ts"

const ada = OrgAuthServerId.make("ada")
const user = User(UserId.make("user of ada"))

/** A directory with one person, Ada, that records its queries. */
const recordingDirectory = () => {
  const queries: Array<string> = []
  const answering = <A>(question: string, answer: A) =>
    Effect.sync(() => {
      queries.push(question)
      return answer
    })
  const layer = Layer.succeed(OrganizationDirectory, {
    authenticate: (server) => answering(`authenticate at ${server.text}`, ada),
    information: (server) =>
      answering(`information of ${server.text}`, [{ orgAuthServerId: ada, name: "Ada", surname: "Lovelace" }])
  })
  return { queries, layer: Layer.mergeAll(layer, layerSecretKeysEphemeral) }
}

/** Both use cases that query an organization's authentication server. */
const questions = (
  organizationId: OrganizationId,
  account = credentials()
): ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, AccountLinks>> => [
  AccountLinks.use((links) => links.link(user, organizationId, account)),
  AccountLinks.use((links) => links.information(OWNER, organizationId, account, "everyone"))
]

describe("an authentication server", () => {
  it.effect("is queried with credentials, but never with an empty name or password", () => {
    const { queries, layer } = recordingDirectory()
    return Effect.gen(function* () {
      const { id } = yield* anOrganization("authenticated")
      for (const account of [credentials("", "secret"), credentials("ada", ""), credentials("", "")]) {
        for (const question of questions(id, account)) {
          assert.strictEqual((yield* Effect.flip(question))._tag, "DirectoryRefused")
        }
      }
      assert.deepStrictEqual(queries, [])
      const [link, information] = yield* Effect.all(questions(id))
      assert.deepStrictEqual(link, { userId: user.userId, organizationId: id, orgAuthServerId: ada })
      assert.deepStrictEqual(information, [{ orgAuthServerId: ada, name: "Ada", surname: "Lovelace" }])
      assert.deepStrictEqual(queries, [`authenticate at ${SERVER}`, `information of ${SERVER}`])
    }).pipe(Effect.provide(layerServices.pipe(Layer.provide([layerStores, layer]))))
  })

  it.effect("is not queried after the operator has withdrawn it from the allowed servers", () => {
    const { queries, layer } = recordingDirectory()
    const changed = Layer.succeed(AuthenticationServers, {
      allow: [{ scheme: "ldaps" as const, host: "other.example.org", port: 636 }]
    })
    return Effect.gen(function* () {
      const { id } = yield* anOrganization("authenticated").pipe(Effect.provide(Organizations.layer))
      for (const question of questions(id)) {
        const refused = yield* Effect.flip(
          question.pipe(Effect.provide(AccountLinks.layer.pipe(Layer.provide([layer, changed]))))
        )
        const reason = "the operator does not allow this server"
        assert.deepStrictEqual({ ...refused }, { _tag: "DirectoryUnreachable", reason })
      }
      assert.deepStrictEqual(queries, [])
    }).pipe(Effect.provide(layerStores))
  })

  it.effect("has slots that a second caller gets by evicting a query of the first, and that interruption frees", () => {
    const ended: Array<string> = []
    const hanging = Layer.succeed(OrganizationDirectory, {
      authenticate: () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => ended.push("link"))),
      information: () => Effect.succeed([])
    })
    const bounds = Layer.succeed(DirectoryBounds, { total: 10, organization: 2, caller: 2 })
    return Effect.gen(function* () {
      const { id } = yield* anOrganization("authenticated")
      const link = AccountLinks.use((links) => links.link(user, id, credentials()))
      const [first, second] = [yield* Effect.forkChild(link), yield* Effect.forkChild(link)]
      yield* Effect.yieldNow
      assert.strictEqual((yield* Effect.flip(link))._tag, "TooManyDirectoryQuestions")
      // The other caller has no query in flight, so the newest of the caller with two is evicted.
      yield* AccountLinks.use((links) => links.information(OWNER, id, credentials(), "everyone"))
      assert.strictEqual((yield* Effect.flip(Fiber.join(second)))._tag, "DirectoriesBusy")
      assert.strictEqual(first.pollUnsafe(), undefined)
      yield* Fiber.interrupt(first)
      assert.strictEqual(ended.length, 2)
      const third = yield* Effect.forkChild(link)
      yield* Effect.yieldNow
      assert.strictEqual(third.pollUnsafe(), undefined)
      yield* Fiber.interrupt(third)
    }).pipe(
      Effect.provide(
        layerServices.pipe(
          Layer.provide(bounds),
          Layer.provide([layerStores, Layer.mergeAll(hanging, layerSecretKeysEphemeral)])
        )
      )
    )
  })

  it.effect("that is not configured is refused as missing", () => {
    const { layer } = recordingDirectory()
    return Effect.gen(function* () {
      const { id } = yield* anOrganization("anonymous")
      yield* Organizations.use((organizations) => organizations.edit(OWNER, id, { authenticationServerURL: null }))
      for (const question of questions(id)) {
        assert.strictEqual((yield* Effect.flip(question))._tag, "AuthenticationServerMissing")
      }
    }).pipe(Effect.provide(layerServices.pipe(Layer.provide([layerStores, layer]))))
  })
})
