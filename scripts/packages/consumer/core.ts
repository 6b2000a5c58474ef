/** The core in another program, on stores in memory: a person enters and leaves. */
import { Administrator, AdministratorId, Mail, Movements, Operator, OperatorId } from "@sojourn/core"
import { OrganizationPremises, Organizations, Presence, User, UserId } from "@sojourn/core"
import * as Memory from "@sojourn/adapter-memory"
import { Effect } from "effect"
import assert from "node:assert/strict"

const mail = Mail.make("ada@example.org")
const ada = Administrator(AdministratorId.make("ada"), mail)
const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'

/** The counter in between and at the end. */
const day = Effect.gen(function* () {
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

assert.deepEqual(await Effect.runPromise(Effect.provide(day, Memory.layer)), [1, 0])

/** A module that is not public, under any name. */
for (const closed of ["@sojourn/core/domain/stays/Stay", "@sojourn/core/internal/Stay"]) {
  await assert.rejects(import(closed), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" })
}
