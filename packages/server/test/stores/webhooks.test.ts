/** Deliveries of webhooks on every adapter, by several servers on one storage, to a real receiver. */
import {
  ExitTokens,
  Movements,
  OrganizationPremises,
  Organizations,
  parseReceiverEntry,
  Places,
  PresenceFeed,
  secretText,
  type Stores,
  Timestamp,
  User,
  UserId,
  WebhookEventType,
  WebhookReceivers,
  Webhooks,
  WebhookStore
} from "@sojourn/core"
import { layerWebhooks } from "@sojourn/server"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { afterAll, describe, expect, it, vi } from "vitest"
import { certificates, startReceiver, verified } from "../webhooks/Receiver.ts"
import { anAnonymousOrganization, AREA, OWNER } from "../services/fixtures.ts"
import { PAIRS, serverOn } from "./pairs.ts"
import { adapters } from "./registry.ts"

const user = User(UserId.make("phone"))

const receiver = await startReceiver()
afterAll(receiver.stop)

const allow = [Result.getOrThrow(parseReceiverEntry(receiver.origin))]
const receivers = Layer.succeed(WebhookReceivers, { allow })

/** Delivers as a server does, until the scope that is returned is closed. */
const deliverer = Effect.fnUntraced(function* (
  stores: Context.Context<Stores>,
  tokens: Context.Context<ExitTokens>,
  reachable: typeof receivers = receivers
) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  const deliveries = Layer.fresh(layerWebhooks({ certificates: [certificates.authority.pem] })).pipe(
    Layer.provide([Layer.succeedContext(stores), Layer.succeedContext(tokens), reachable])
  )
  yield* Layer.buildWithScope(deliveries, scope)
  return Scope.close(scope, Exit.void)
})

let serial = 0

const scene = Effect.fnUntraced(function* (name: string) {
  const tokens = yield* Layer.build(ExitTokens.layerEphemeral)
  const [one, other] = yield* PAIRS[name]!
  const server = yield* Effect.provide(serverOn(one, tokens), receivers)
  const organizations = Context.get(server, Organizations)
  const webhooks = Context.get(server, Webhooks)
  const { id } = yield* Effect.provide(anAnonymousOrganization(`organization ${++serial}`), server)
  return {
    one,
    other,
    tokens,
    id,
    hook: Effect.fnUntraced(function* (types?: ReadonlyArray<WebhookEventType>) {
      const path = `/${name}/${++serial}`
      const { secret, webhook } = yield* webhooks.create(OWNER, {
        organizationId: id,
        url: `${receiver.origin}${path}`,
        types
      })
      return { webhook, secret: secretText(secret), received: () => receiver.received(path) }
    }),
    list: webhooks.list(OWNER, id),
    describe: (description: string) => organizations.edit(OWNER, id, { description }),
    place: Context.get(server, Places).create(OWNER, { organizationId: id, trackingArea: AREA }),
    enter: Context.get(server, Movements).track(user, { _tag: "Entrance", premises: OrganizationPremises(id) })
  }
})

const eventually = (check: () => void) => Effect.promise(() => vi.waitFor(check, { timeout: 120_000, interval: 50 }))

const live = (body: Effect.Effect<void, unknown, Scope.Scope>) => Effect.runPromise(Effect.scoped(body))

describe.each(adapters.map(([name]) => name).filter((name) => Object.hasOwn(PAIRS, name)))("on %s", (name) => {
  it("servers that come and go tell each event once, in order, with secrets that all of them derive", () =>
    live(
      Effect.gen(function* () {
        const { one, other, tokens, hook, list, describe, enter } = yield* scene(name)
        const hooks = yield* Effect.all([hook(), hook(), hook(WebhookEventType.literals), hook(["presence.changed"])])
        let stop = yield* deliverer(one, tokens)
        for (let n = 0; n < 24; n++) {
          yield* describe(`change ${n}`)
          yield* enter
          // Each server ends while deliveries are underway, and another goes on.
          if (n % 6 === 5) {
            const next = yield* deliverer(n % 12 === 5 ? other : one, tokens)
            yield* stop
            stop = next
          }
          yield* Effect.sleep("20 millis")
        }
        const inside = (all: ReturnType<(typeof hooks)[number]["received"]>) =>
          all.reduce((sum, { json }) => sum + (json.data.entered ?? 0), 0)
        yield* eventually(() => {
          const counts = hooks.map(({ received }) => [
            received().filter(({ json }) => json.type === "organization.changed").length,
            inside(received())
          ])
          expect(counts).toEqual([
            [24, 0],
            [24, 0],
            [24, 24],
            [0, 24]
          ])
        })
        for (const { received, secret } of hooks) {
          const versions = received().map((one) => verified(secret, one).data.version)
          expect(versions).toEqual([...new Set(versions)].toSorted((one, two) => one - two))
          expect(new Set(received().map(({ headers }) => headers["webhook-id"])).size).toBe(received().length)
        }
        yield* stop
        // What the last server knew is stored.
        for (const [index, { progress }] of (yield* list).entries()) {
          expect(progress.delivered).toBe(hooks[index]!.received().at(-1)!.json.data.version)
          expect(progress.until).toBeUndefined()
        }
      })
    ))

  it("a server that ends completes the delivery in progress, and no other server repeats it", () =>
    live(
      Effect.gen(function* () {
        const { one, other, tokens, hook, describe, list } = yield* scene(name)
        const { webhook, received } = yield* hook()
        const path = new URL(webhook.url).pathname
        let finish = () => {}
        receiver.answer(path, (response) => void (finish = () => response.writeHead(200).end()))
        const stop = yield* deliverer(one, tokens)
        yield* describe("in progress")
        yield* eventually(() => expect(received()).toHaveLength(1))
        yield* deliverer(other, tokens)
        const stopped = yield* Effect.forkScoped(stop)
        // Longer than a lease lasts.
        yield* Effect.sleep("9 seconds")
        finish()
        yield* Fiber.join(stopped)
        receiver.answer(path, (response) => response.writeHead(204).end())
        yield* describe("by the other server")
        yield* eventually(() => expect(received()).toHaveLength(2))
        const [first, second] = received().map(({ json }) => json.data.version)
        expect(second).toBe(first + 1)
        expect((yield* list)[0]?.progress.lastFailure).toBeUndefined()
      })
    ))

  it("a webhook whose server was killed is taken over when its lease ends, and goes on after its position", () =>
    live(
      Effect.gen(function* () {
        const { one, tokens, hook, describe } = yield* scene(name)
        const { webhook, received } = yield* hook()
        yield* describe("before")
        const store = Context.get(one, WebhookStore)
        const now = Timestamp(Date.now())
        const lease = { holder: "killed", now, until: Timestamp(now + 3000), most: 10 }
        expect((yield* store.lease(lease)).taken).toHaveLength(1)
        const progress = { ...webhook.progress, handled: webhook.progress.handled + 1 }
        expect(yield* store.record({ ...webhook, holder: "killed", progress })).toBe(true)
        yield* deliverer(one, tokens)
        yield* describe("after")
        yield* eventually(() => expect(received()).toHaveLength(1))
        expect(received()[0]!.json.data.version).toBe(progress.handled + 1)
        expect(yield* store.record({ ...webhook, holder: "killed", progress })).toBe(false)
      })
    ))

  it("a defect of one delivery holds up the next one, and ends none", () =>
    live(
      Effect.gen(function* () {
        const { one, tokens, hook, describe } = yield* scene(name)
        const { received } = yield* hook()
        let defects = 0
        const faulty = Layer.succeed(WebhookReceivers, {
          get allow() {
            if (++defects === 1) throw new Error("a defect")
            return allow
          }
        })
        yield* deliverer(one, tokens, faulty)
        yield* describe("with a defect")
        yield* eventually(() => expect(received()).toHaveLength(1))
        yield* describe("after it")
        yield* eventually(() => expect(received()).toHaveLength(2))
        const versions = received().map(({ json }) => json.data.version)
        expect(versions).toEqual([versions[0], versions[0] + 1])
        expect(defects).toBeGreaterThan(1)
      })
    ))

  it("events that were forgotten before they could be delivered are left out, and the list says so", () =>
    live(
      Effect.gen(function* () {
        const { one, tokens, hook, list, describe } = yield* scene(name)
        const { received, webhook } = yield* hook()
        const store = Context.get(one, WebhookStore)
        const now = Timestamp(Date.now())
        yield* store.lease({ holder: "restored", now, until: now, most: 10 })
        // As after a restore: the position is of events that the feed does not have.
        const progress = { ...webhook.progress, handled: webhook.progress.handled + 1000 }
        yield* store.record({ ...webhook, holder: "restored", progress })
        yield* describe("left out")
        yield* deliverer(one, tokens)
        yield* Effect.repeat(list, {
          until: ([one]) => one?.progress.lastFailure !== undefined,
          schedule: Schedule.spaced("50 millis")
        })
        const [after] = yield* list
        expect(after?.progress).toMatchObject({ state: "active", handled: webhook.progress.handled + 1 })
        expect(after?.progress.lastFailure?.reason).toMatch(/forgotten/)
        yield* describe("delivered")
        yield* eventually(() => expect(received()).toHaveLength(1))
        expect(received()[0]!.json.data.version).toBe(webhook.progress.handled + 2)
      })
    ))

  it("a webhook whose next events were forgotten goes on with the oldest that is kept", () =>
    live(
      Effect.gen(function* () {
        const { one, tokens, hook, list, describe, place } = yield* scene(name)
        const { received } = yield* hook(["place.changed"])
        // As after a server was killed that had passed events of other types: the position is before all of them.
        yield* describe("one")
        yield* describe("two")
        yield* place
        const { forget } = Context.get(one, PresenceFeed)
        expect(yield* forget(Timestamp(Date.now() + 60_000), 1000)).toBe(2)
        yield* deliverer(one, tokens)
        yield* eventually(() => expect(received()).toHaveLength(1))
        expect(received()[0]!.json.data).toMatchObject({ type: "place.changed", changed: "created" })
        yield* Effect.repeat(list, {
          until: ([one]) => one?.progress.delivered === received()[0]!.json.data.version,
          schedule: Schedule.spaced("50 millis")
        })
      })
    ))

  it("a webhook whose key was retired is disabled, and says what to do", () =>
    live(
      Effect.gen(function* () {
        const { one, hook, list, describe } = yield* scene(name)
        const { received } = yield* hook()
        yield* describe("not signed")
        const keys = yield* Layer.build(ExitTokens.layer([{ id: 7, secret: Redacted.make(new Uint8Array(32)) }]))
        yield* deliverer(one, keys)
        yield* Effect.repeat(list, {
          until: ([one]) => one?.progress.state === "disabled",
          schedule: Schedule.spaced("50 millis")
        })
        expect((yield* list)[0]?.progress.lastFailure?.reason).toMatch(/create it again/)
        expect(received()).toEqual([])
      })
    ))
})
