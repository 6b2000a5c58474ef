/** An entrance, an exit and the counter between them: the core on storage in memory, and nothing of HTTP. */
import { layerDirectories, layerStores } from "@sojourn/adapter-memory"
import { Administrator, AdministratorId, ExitTokens, layerServices, Mail, Movements, Operator } from "@sojourn/core"
import { OperatorId, OrganizationPremises, Organizations, Presence, User, UserId } from "@sojourn/core"
import { Effect, Layer } from "effect"

const sojourn = Layer.provide(layerServices, [layerStores, layerDirectories(new Map()), ExitTokens.layerEphemeral])
const square = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.4],[11.8,45.3]]]}'

const day = Effect.gen(function* () {
  const movements = yield* Movements
  const counter = Effect.flatMap(Presence, (presence) => presence.counter(ada, premises))
  const ada = Administrator(AdministratorId.make("ada"))
  const draft = { name: "Museum", trackingArea: square, trackingMode: "anonymous" } as const
  const owner = { administratorId: ada.administratorId, mail: Mail.make("ada@example.org") }
  const museum = yield* (yield* Organizations).create(Operator(OperatorId.make("op")), draft, owner)
  const premises = OrganizationPremises(museum.id)
  const entrance = yield* movements.track(User(UserId.make("tim")), { _tag: "Entrance", premises })
  console.log(`inside: ${(yield* counter).counter}`)
  yield* movements.track(User(UserId.make("tim")), { _tag: "Exit", premises, exitToken: entrance.exitToken })
  console.log(`inside: ${(yield* counter).counter}`)
})

await Effect.runPromise(Effect.provide(day, sojourn))
