/** A rule of one's own, as a pure function, property-tested alone and around the core's use cases in memory. */
import { assert, it } from "@effect/vitest"
import * as Memory from "@sojourn/adapter-memory"
import * as Sojourn from "@sojourn/core"
import { Arbitrary, Data, Effect, Result, Schema } from "effect"

/** The rule: a house takes so many people and no more. */
class HouseFull extends Data.TaggedError("HouseFull")<{ readonly capacity: number }> {}
const mayEnter = (inside: number, capacity: number): Result.Result<void, HouseFull> =>
  inside < capacity ? Result.void : Result.fail(new HouseFull({ capacity }))

const capacity = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })))
const crossings = Arbitrary.schema(Schema.Array(Schema.Literals(["in", "out"])))

it.prop("a person who may enter a house may also enter a larger one", { inside: capacity, capacity }, (house) => {
  const fits = (seats: number) => Result.isSuccess(mayEnter(house.inside, seats))
  return !fits(house.capacity) || fits(house.capacity + 1)
})

const tim = Sojourn.User(Sojourn.UserId.make("tim"))
const ada = { administratorId: Sojourn.AdministratorId.make("ada"), mail: Sojourn.Mail.make("ada@example.org") }
const owner = Sojourn.Administrator(ada.administratorId, ada.mail)
const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'

/** The rule at work: the door asks the counter, then lets in. There is one door, so no entrance comes between. */
const door = Effect.fnUntraced(function* (premises: Sojourn.Premises, capacity: number) {
  const { counter } = yield* Sojourn.Presence.use((presence) => presence.counter(owner, premises))
  yield* Effect.fromResult(mayEnter(counter, capacity))
  return yield* Sojourn.Movements.use((movements) => movements.track(tim, { _tag: "Entrance", premises }))
})

it.effect.prop(
  "whatever people do, a house is never fuller than it may be, and refuses no one while there is space",
  { capacity, crossings },
  Effect.fnUntraced(
    function* ({ capacity, crossings }) {
      const operator = Sojourn.Operator(Sojourn.OperatorId.make("operator"))
      const draft = { name: "House", trackingArea, trackingMode: "anonymous" } as const
      const house = yield* Sojourn.Organizations.use((organizations) => organizations.create(operator, draft, ada))
      const premises = Sojourn.OrganizationPremises(house.id)
      const tokens: Array<string> = []
      for (const crossing of crossings) {
        if (crossing === "in") {
          const hadRoom = tokens.length < capacity
          const entered = yield* Effect.result(door(premises, capacity))
          assert.strictEqual(Result.isSuccess(entered), hadRoom)
          if (Result.isSuccess(entered)) tokens.push(entered.success.exitToken)
        } else {
          const exitToken = tokens.pop()
          if (exitToken === undefined) continue
          yield* Sojourn.Movements.use((movements) => movements.track(tim, { _tag: "Exit", premises, exitToken }))
        }
        const { counter } = yield* Sojourn.Presence.use((presence) => presence.counter(owner, premises))
        assert.strictEqual(counter, tokens.length)
      }
    },
    Effect.provide(Memory.layer, { local: true })
  ) // each history has a memory of its own
)
