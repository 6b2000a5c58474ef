import { AdministratorId, OrganizationId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Subscriber } from "../src/presence/Subscriber.ts"

/** What a stream writes that ends before it is known where it begins, as while the server drains. */
const endedEarly = (lastEventId: string | undefined) => {
  const subscription = {
    administratorId: AdministratorId.make("ada"),
    credential: Redacted.make("token"),
    organizationIds: [OrganizationId.make(1n)],
    lastEventId
  }
  const subscriber = new Subscriber(subscription, Infinity, () => {})
  subscriber.end("shutdown")
  return Effect.map(subscriber.take, ([chunk]) => new TextDecoder().decode(chunk))
}

describe("a presence stream that ends before it begins", () => {
  it.effect("ends with the id that it should resume from, so that the client goes on there", () =>
    Effect.gen(function* () {
      assert.include(yield* endedEarly("epoch;1:41"), 'id: epoch;1:41\nevent: end\ndata: {"reason":"shutdown"}\n\n')
    })
  )

  for (const lastEventId of [undefined, "", "epoch", "epoch;1:41\nevent: snapshot"]) {
    it.effect(`ends without an id after ${JSON.stringify(lastEventId)}, so that the client keeps its own`, () =>
      Effect.gen(function* () {
        assert.match(yield* endedEarly(lastEventId), /^retry: 1000\n+event: end\ndata: \{"reason":"shutdown"\}\n\n$/)
      })
    )
  }
})
