/** A small world with data of every kind, written through the published interface, and a backup of it. */
import { makeWebHandler } from "@sojourn/adapter-http"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import {
  Administrator,
  AdministratorId,
  layerSecretKeys,
  Mail,
  Operator,
  OperatorId,
  User,
  UserId
} from "@sojourn/core"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { backUp } from "../../src/backup/database.ts"
import { keysIn } from "../../src/backup/keys.ts"
import { DEMO_PASSWORD, DEMO_SERVER, layerDemoDirectory } from "../../src/demo/people.ts"
import { issuerKey } from "../../src/keys/IssuerKey.ts"
import { layerInterface } from "@sojourn/service"
import { layerPostgres } from "@sojourn/service"
import { tokenKeys } from "../../src/keys/TokenKeys.ts"

const CALLERS = {
  user: User(UserId.make("user")),
  guest: User(UserId.make("guest")),
  owner: Administrator(AdministratorId.make("owner"), Mail.make("owner@world.example")),
  operator: Operator(OperatorId.make("operator"))
}

/** Sends a request as a caller, which must succeed, and returns the body of the answer. */
type Send = (who: keyof typeof CALLERS, method: string, path: string, body?: unknown) => Promise<any>

const area = (west: number, east: number) =>
  `{"type":"Polygon","coordinates":[[[${west},45],[${east},45],[${east},46],[${west},46],[${west},45]]]}`

const makeWorld = async (does: Send): Promise<void> => {
  const owner = { administratorId: "owner", mail: "owner@world.example" }
  const organization = (name: string, more: object) =>
    does("operator", "POST", "/operator/organization", { name, trackingArea: area(11, 12), owner, ...more })
  const museum = await organization("Museum", { trackingMode: "anonymous", city: "Padova", description: "Ünïcode 🏛" })
  const works = await organization("Works", { trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER })
  const closing = await organization("Closing", { trackingMode: "anonymous" })

  await does("operator", "PUT", `/operator/organization/${museum.id}/constraint`, { maxArea: 1e12 })
  await does("operator", "PUT", `/operator/organization/${museum.id}/policy`, { retention: 3_155_760_000 })
  await does("operator", "POST", "/operator/administrator", { administratorId: "viewer", mail: "viewer@world.example" })
  await does("owner", "POST", "/administrator/bindadministrator", {
    organizationId: museum.id,
    administratorId: "viewer",
    permission: "viewer"
  })
  await does("owner", "POST", "/administrator/createadministrator", {
    organizationId: works.id,
    mail: "invited@world.example",
    permission: "manager"
  })
  const hall = await does("owner", "POST", "/place", {
    organizationId: museum.id,
    name: "Hall",
    trackingArea: area(11, 11.5)
  })
  const shop = await does("owner", "POST", "/place", { organizationId: works.id, trackingArea: area(11, 11.5) })
  await does("user", "POST", "/authenticationserver/link", {
    organizationId: works.id,
    username: "ada",
    password: DEMO_PASSWORD
  })
  await does("user", "POST", "/favorite/addfavorite", { organizationId: works.id })
  await does("owner", "POST", "/organization/requestdeletion", { organizationId: closing.id, requestReason: "moved" })

  const stays = [
    ["guest", "organization", { organizationId: museum.id }],
    ["guest", "place", { placeId: hall.id }],
    ["user", "organization", { organizationId: works.id }],
    ["user", "place", { placeId: shop.id }]
  ] as const
  for (const [who, kind, premises] of stays) {
    const move = (movementType: "entrance" | "exit", timestamp: string, exitToken?: string) =>
      does(who, "POST", `/movement/track/${kind}`, { ...premises, movementType, timestamp, exitToken })
    const { exitToken } = await move("entrance", "2026-01-01T10:00:00.000Z")
    await move("exit", "2026-01-01T11:30:00.123Z", exitToken)
    await move("entrance", "2026-01-02T10:00:00.000Z")
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
  const storage = Layer.merge(layerPostgres(address, { keys, migrate: true }), layerSecretKeys(keys))
  const options = { key, directory: layerDemoDirectory, policy: { allow: [] }, corsOrigins: [] }
  const dispatcher = yield* Layer.build(Layer.provide(layerInterface(options), storage))
  const handle = yield* Effect.provideContext(makeWebHandler, dispatcher)
  yield* Effect.promise(() =>
    makeWorld(async (who, method, path, body) => {
      const token = await Effect.runPromise(OwnIssuer.mint(key, CALLERS[who], { expiresIn: 3600 }))
      const headers = { authorization: `Bearer ${Redacted.value(token)}`, "content-type": "application/json" }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await handle(new Request(`http://world.example${path}`, { method, headers, ...sent }))
      if (response.status >= 300) throw new Error(`${method} ${path} answered ${response.status}`)
      return response.status === 204 ? undefined : response.json()
    })
  )
  yield* backUp({ address }, yield* keysIn(data), file)
})
