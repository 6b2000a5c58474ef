/** A small world with data of every kind, written through the published interface, and a backup of it. */
import { makeWebHandler } from "@sojourn/adapter-http"
import { layerSecretKeys } from "@sojourn/core"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { backUp } from "../../src/backup/database.ts"
import { keysIn } from "../../src/backup/keys.ts"
import { layerDemoDirectory } from "../../src/demo/people.ts"
import { authorizationOf, makeCallers } from "../callers.ts"
import { makeFixtures, square, want, whole } from "../fixtures.ts"
import { issuerKey } from "../../src/keys/IssuerKey.ts"
import { layerInterface } from "@sojourn/service"
import { layerPostgres } from "@sojourn/service"
import { tokenKeys } from "../../src/keys/TokenKeys.ts"

type Fixtures = ReturnType<typeof makeFixtures>

const makeWorld = async (fixtures: Fixtures): Promise<void> => {
  const { authenticated, bind, enter, operator, organization, owner, place, post, put, sojourn } = fixtures
  const museum = await organization({ name: "Museum", city: "Padova", description: "Ünïcode 🏛" })
  const works = await authenticated({ name: "Works" })
  const closing = await organization({ name: "Closing" })

  want(await put(operator, `/operator/organization/${museum.id}/constraint`, { maxArea: 1e12 }), 200)
  want(await put(operator, `/operator/organization/${museum.id}/policy`, { retention: 3_155_760_000 }), 200)
  await bind(museum.id, sojourn.administrator("viewer"), "viewer")
  const invitation = { organizationId: works.id, mail: "invited@world.example", permission: "manager" }
  want(await post(owner, "/administrator/createadministrator", invitation), 201)
  const hall = await place(museum.id, square(0), { name: "Hall" })
  const shop = await place(works.id)
  const [guest, user] = [sojourn.user("guest"), await fixtures.linked(works.id, "ada")]
  want(await post(user, "/favorite/addfavorite", { organizationId: works.id }), 201)
  want(await post(owner, "/organization/requestdeletion", { organizationId: closing.id, requestReason: "moved" }), 204)

  for (const [who, organizationId, placeId] of [
    [guest, museum.id, hall.id],
    [user, works.id, shop.id]
  ] as const) {
    for (const where of [whole(organizationId), { kind: "place" as const, id: placeId, organizationId }]) {
      await fixtures.stay(who, where)
      want(await enter(who, where), 201)
    }
  }
}

/** Makes the world in a database of its own, and writes a backup of it. */
export const backUpWorld = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const data = yield* files.makeTempDirectoryScoped({ prefix: "sojourn-world-" })
  const postgres = yield* EmbeddedPostgres
  const address = { ...postgres.connection, database: yield* postgres.temporaryDatabase() }
  const key = yield* issuerKey(data)
  const keys = yield* tokenKeys(data, Redacted.make(""))
  const storage = Layer.provideMerge(layerSecretKeys(keys), layerPostgres(address, { keys, migrate: true }))
  const options = { key, directory: layerDemoDirectory, policy: { allow: [] }, corsOrigins: [] }
  const dispatcher = yield* Layer.build(Layer.provide(layerInterface(options), storage))
  const handle = yield* Effect.provideContext(makeWebHandler, dispatcher)
  yield* Effect.promise(() =>
    makeWorld(
      makeFixtures({
        ...makeCallers(key),
        call: async (who, method, path, { json } = {}) => {
          const headers = { ...(await authorizationOf(who)), "content-type": "application/json" }
          const body = json === undefined ? null : JSON.stringify(json)
          const response = await handle(new Request(`http://world.example${path}`, { method, headers, body }))
          const text = await response.text()
          return { status: response.status, headers: {}, text, json: text === "" ? undefined : JSON.parse(text) }
        }
      })
    )
  )
  yield* backUp({ address }, yield* keysIn(data), file)
})
