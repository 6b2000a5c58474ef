/** The use case that consumers run on each storage: a person enters and leaves. */
import { Administrator, AdministratorId, Mail, Movements, Operator, OperatorId } from "@sojourn/core"
import { OrganizationPremises, Organizations, Presence, User, UserId } from "@sojourn/core"
import { Effect } from "effect"

const mail = Mail.make("ada@example.org")
const ada = Administrator(AdministratorId.make("ada"), mail)

export const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'

/** A person enters and leaves: the counter in between and at the end. */
export const day = Effect.gen(function* () {
  const movements = yield* Movements
  const organizations = yield* Organizations
  const presence = yield* Presence
  const draft = { name: "Museum", trackingArea, trackingMode: "anonymous" } as const
  const owner = { administratorId: ada.administratorId, mail }
  const museum = yield* organizations.create(Operator(OperatorId.make("op")), draft, owner)
  const premises = OrganizationPremises(museum.id)
  const tim = User(UserId.make("tim"))
  const { exitToken } = yield* movements.track(tim, { _tag: "Entrance", premises })
  const inside = yield* presence.counter(ada, premises)
  yield* movements.track(tim, { _tag: "Exit", premises, exitToken })
  const left = yield* presence.counter(ada, premises)
  return [inside.counter, left.counter]
})
