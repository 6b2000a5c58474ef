/** Copies of the stores in memory: what is stored goes back to a copy, as often as it is wanted. */
import {
  Administrator,
  type AdministratorId,
  type Caller,
  type Mail,
  Operator,
  type OperatorId,
  type Organization,
  OrganizationPremises,
  type TrackedMovement,
  User,
  type UserId
} from "@sojourn/core"
import type { ModelServices } from "@sojourn/testing"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { oracle } from "./oracle.ts"

const by = Administrator("olga" as AdministratorId, "olga@example.org" as Mail)
const operator = Operator("opal" as OperatorId)
const user = User("ann" as UserId)
const trackingArea = '{"type":"Polygon","coordinates":[[[11,45],[11.01,45],[11.01,45.01],[11,45.01],[11,45]]]}'
const draft = { name: "Works", trackingMode: "anonymous", trackingArea } as const

it("restores a copy and repeats the same answers from it", async () => {
  const program = Effect.gen(function* () {
    const { ask, save } = yield* oracle
    const serve = (
      who: Caller,
      perform: (services: ModelServices) => ReturnType<ModelServices["presence"]["counter"]>
    ) => ask({ name: "", by: who, args: {}, ask: perform, id: "any", isUnordered: false })
    const made = yield* serve(operator, (s) =>
      s.organizations.create(operator, draft, { administratorId: by.administratorId, mail: by.mail! })
    )
    const { id } = made.value as Organization
    const premises = OrganizationPremises(id)
    const enter = serve(user, (s) => s.movements.track(user, { _tag: "Entrance", premises }))
    const { exitToken } = (yield* enter).value as TrackedMovement
    const read = Effect.all([
      serve(by, (s) => s.presence.counter(by, premises)),
      serve(by, (s) => s.places.list(by, id)),
      serve(by, (s) => s.musters.list(by, id)),
      serve(user, (s) => s.accesses.anonymous(premises, [exitToken])),
      serve(by, (s) => s.feed.read(by, id))
    ])
    const back = yield* save
    const before = yield* read
    yield* back
    const goOn = Effect.all([
      serve(user, (s) => s.movements.track(user, { _tag: "Exit", premises, exitToken })),
      enter,
      serve(by, (s) => s.places.create(by, { organizationId: id, trackingArea })),
      serve(by, (s) => s.musters.start(by, { organizationId: id, kind: "drill" })),
      serve(operator, (s) => s.feed.publish),
      Effect.map(read, (all) => ({ name: all.every(({ name }) => name === "Done") ? "Done" : "refused", value: all }))
    ])
    const first = yield* goOn
    yield* back
    expect(yield* read).toEqual(before)
    yield* back
    expect(yield* goOn).toEqual(first)
    expect(first.map(({ name }) => name)).toEqual(Array.from(first, () => "Done"))
  })
  await Effect.runPromise(Effect.scoped(program))
})
