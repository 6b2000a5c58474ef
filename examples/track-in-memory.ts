/** An entrance, an exit and the counter between them: the core on storage in memory, and nothing of HTTP. */
import * as Memory from "@sojourn/adapter-memory"
import * as Sojourn from "@sojourn/core"
import { Effect } from "effect"

const tim = Sojourn.User(Sojourn.UserId.make("tim"))
const ada = Sojourn.Administrator(Sojourn.AdministratorId.make("ada"), Sojourn.Mail.make("ada@example.org"))
const operator = Sojourn.Operator(Sojourn.OperatorId.make("operator"))
const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'

const day = Effect.gen(function* () {
  const movements = yield* Sojourn.Movements
  const organizations = yield* Sojourn.Organizations
  const presence = yield* Sojourn.Presence
  const draft = { name: "Museum", trackingArea, trackingMode: "anonymous" } as const
  const museum = yield* organizations.create(operator, draft, { administratorId: ada.administratorId, mail: ada.mail! })
  const premises = Sojourn.OrganizationPremises(museum.id)
  const { exitToken } = yield* movements.track(tim, { _tag: "Entrance", premises })
  console.log(yield* presence.counter(ada, premises)) // one person inside
  yield* movements.track(tim, { _tag: "Exit", premises, exitToken })
  console.log(yield* presence.counter(ada, premises)) // 0 inside
})

await Effect.runPromise(Effect.provide(day, Memory.layer))
