/** When the position of a webhook is written behind events of types that it does not ask for. */
import { deliverWebhooks, Organizations, Webhooks } from "@sojourn/core"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { anAnonymousOrganization, layerSendingTo, OWNER } from "./fixtures.ts"

const layer = layerSendingTo({ send: () => Effect.die("nothing is to be delivered") })

it.effect("is written some minutes after the last of these events", () =>
  Effect.gen(function* () {
    const { id: organizationId } = yield* anAnonymousOrganization("one")
    const [webhooks, organizations] = [yield* Webhooks, yield* Organizations]
    yield* webhooks.create(OWNER, { organizationId, url: "https://example.org/", types: ["muster.changed"] })
    const processed = Effect.map(webhooks.list(OWNER, organizationId), ([webhook]) => webhook!.progress.processed)
    const before = yield* processed
    yield* Effect.forkScoped(deliverWebhooks)
    for (const description of ["one", "two", "three"]) {
      yield* organizations.edit(OWNER, organizationId, { description })
      yield* TestClock.adjust("20 seconds")
    }
    assert.strictEqual(yield* processed, before)
    yield* TestClock.adjust("6 minutes")
    assert.strictEqual(yield* processed, before + 3)
  }).pipe(Effect.provide(layer))
)
