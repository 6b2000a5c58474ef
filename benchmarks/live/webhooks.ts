import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { Operator, OperatorId } from "@sojourn/core"
import { Effect } from "effect"
import { type Answer, type Asked, bodyOf, makeClient } from "../../packages/server/test/faults/asking.ts"
import { bearer } from "../../packages/server/test/faults/town.ts"
import { rectangle } from "../../packages/server/src/demo/areas.ts"
import { certificates, startReceiver } from "../../packages/server/test/webhooks/Receiver.ts"
import { makePlace, type Place } from "../arrivals/Place.ts"
import { temporaryDirectory } from "../compare/Databases.ts"
import { LoadFailed } from "../load/Load.ts"

/** Webhooks whose organizations change, of which some have receivers that never answer. */
export interface WebhookScene {
  readonly webhooks: number
  readonly slow: number
}

export const WEBHOOK_SCENES: ReadonlyArray<WebhookScene> = [
  { webhooks: 1, slow: 0 },
  { webhooks: 100, slow: 0 },
  { webhooks: 1_000, slow: 0 },
  { webhooks: 100, slow: 50 }
]

/** An organization has at most so many webhooks. */
const OF_ONE = 10

/** How often each organization changes. */
const CHANGES = 10

/** How long all deliveries may take, in milliseconds. */
const PATIENCE = 300_000

/** Creates organizations with webhooks on a server, lets them change, and waits for what is delivered. */
const deliver = async (place: Place, receiver: Awaited<ReturnType<typeof startReceiver>>, scene: WebhookScene) => {
  const client = makeClient()
  const operator = await bearer(place.key, Operator(OperatorId.make("operator")))
  const ask = async (asked: Asked): Promise<Answer> => {
    const answer = await client.ask(place.baseUrl, asked)
    // The server is busy.
    if (answer.status === 503) {
      await pause(100)
      return ask(asked)
    }
    if (answer.status < 200 || answer.status > 299) {
      throw new LoadFailed({ reason: `${asked.path} was answered with ${answer.status}` })
    }
    return answer
  }
  const latencies: Array<number> = []
  const owner = { administratorId: "owner", mail: "owner@example.test" }
  const organizations: Array<number> = []
  for (let made = 0; made < scene.webhooks; made++) {
    if (made % OF_ONE === 0) {
      const draft = {
        name: `Webhooks ${made}`,
        trackingMode: "anonymous",
        trackingArea: rectangle(11, 45, 12, 46),
        owner
      }
      const path = "/operator/organization"
      const answer = await ask({ method: "POST", path, token: operator, json: draft })
      organizations.push(bodyOf<{ readonly id: number }>(answer).id)
    }
    const path = `/${made}`
    const isSlow = made < scene.slow
    receiver.answer(path, (response, _, { json }) => {
      if (isSlow) return
      latencies.push(Date.now() - Date.parse(json.timestamp))
      response.writeHead(204).end()
    })
    const json = { url: `${receiver.origin}${path}` }
    await ask({ method: "POST", path: `/webhook/organization/${organizations.at(-1)}`, token: place.owner, json })
  }

  const began = performance.now()
  const change = async (id: number) => {
    for (let n = 0; n < CHANGES; n++) {
      await ask({ method: "PUT", path: "/organization", token: place.owner, json: { id, description: `change ${n}` } })
    }
  }
  await Promise.all(organizations.map(change))
  const expected = (scene.webhooks - scene.slow) * CHANGES
  while (latencies.length < expected && performance.now() - began < PATIENCE) {
    await pause(50)
  }
  const seconds = (performance.now() - began) / 1000
  client.close()
  const sorted = latencies.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  const slow = scene.slow === 0 ? "" : `, ${scene.slow} of them slow`
  const line = `${scene.webhooks} webhooks${slow}: ${sorted.length} of ${expected} deliveries, ${(sorted.length / seconds).toFixed(0)} a second, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
  if (sorted.length !== expected) throw new LoadFailed({ reason: line })
  return line
}

/** Measures the deliveries of webhooks, each scene on a server of its own. Every event must arrive once. `say` is told each result. */
export const webhooks = (say: (line: string) => void, scenes = WEBHOOK_SCENES) =>
  Effect.forEach(scenes, (scene) =>
    Effect.gen(function* () {
      const receiver = yield* Effect.acquireRelease(
        Effect.promise(() => startReceiver()),
        ({ stop }) => Effect.promise(stop)
      )
      const authority = join(yield* temporaryDirectory, "authority.pem")
      writeFileSync(authority, certificates.authority.pem)
      const flags = ["--storage", "embedded", "--webhook-allow", receiver.origin, "--webhook-ca", authority]
      const place = yield* makePlace(flags)
      say(yield* Effect.promise(() => deliver(place, receiver, scene)))
    }).pipe(Effect.scoped)
  )
