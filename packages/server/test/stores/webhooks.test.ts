/** Deliveries of webhooks by two servers on one PostgreSQL, to a real receiver. `webhooks/deliveries.test.ts` has one server on memory. */
import {
  Administrator,
  AdministratorId,
  eventJson,
  layerSecretKeys,
  layerSecretKeysEphemeral,
  Mail,
  Movements,
  OrganizationPremises,
  Organizations,
  parseReceiverEntry,
  PermissionStore,
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
import { layerWebhooks } from "@sojourn/service"
import { Context, Effect, Exit, Fiber, Layer, Option, Redacted, Result, Schedule, Scope } from "effect"
import { afterAll, describe, expect, it, vi } from "vitest"
import { certificates, faultsOfCoverage, startReceiver, verified } from "../webhooks/Receiver.ts"
import { anAnonymousOrganization, AREA, OWNER } from "../services/fixtures.ts"
import { PAIRS, serverOn } from "./pairs.ts"

const user = User(UserId.make("phone"))

const receiver = await startReceiver()
afterAll(receiver.stop)

const allow = [Result.getOrThrow(parseReceiverEntry(receiver.origin))]
const receivers = Layer.succeed(WebhookReceivers, { allow })

/** Delivers as a server does, until the scope that is returned is closed. */
const deliverer = Effect.fnUntraced(function* (
  stores: Context.Context<Stores>,
  tokens: Context.Context<Layer.Success<typeof layerSecretKeysEphemeral>>,
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
  const tokens = yield* Layer.build(layerSecretKeysEphemeral)
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
    hook: Effect.fnUntraced(function* (types?: ReadonlyArray<WebhookEventType>, owner = OWNER) {
      const path = `/${name}/${++serial}`
      const { secret, webhook } = yield* webhooks.create(owner, {
        organizationId: id,
        url: `${receiver.origin}${path}`,
        types
      })
      return { webhook, secret: secretText(secret), received: () => receiver.received(path) }
    }),
    webhooks,
    /** The events of the feed after a version. */
    eventsAfter: (version: number) =>
      Effect.map(Context.get(one, PresenceFeed).eventsAfter([{ organizationId: id, version }], 1000), ([page]) =>
        (page?._tag === "Events" ? page.events : []).map((event) => JSON.parse(eventJson(event)))
      ),
    list: webhooks.list(OWNER, id),
    describe: (description: string) => organizations.edit(OWNER, id, { description }),
    place: Context.get(server, Places).create(OWNER, { organizationId: id, trackingArea: AREA }),
    enter: Context.get(server, Movements).track(user, { _tag: "Entrance", premises: OrganizationPremises(id) })
  }
})

const eventually = (check: () => void) => Effect.promise(() => vi.waitFor(check, { timeout: 120_000, interval: 50 }))

/** Reads again until a condition holds. */
const until = <A, E>(read: Effect.Effect<A, E>, isSo: (value: A) => boolean) =>
  Effect.repeat(read, { until: isSo, schedule: Schedule.spaced("50 millis") })

const live = (body: Effect.Effect<void, unknown, Scope.Scope>) => Effect.runPromise(Effect.scoped(body))

// At the same moment: they wait for leases to end.
describe.concurrent("on postgres", () => {
  const name = "postgres"

  it("servers that start and stop deliver each event once, in order, with secrets that all of them derive", () =>
    live(
      Effect.gen(function* () {
        const { one, other, tokens, hook, list, describe, enter, eventsAfter } = yield* scene(name)
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
        // Events of presence are published a moment after they are recorded.
        yield* eventually(() => expect(hooks.map(({ received }) => inside(received()))).toEqual([0, 0, 24, 24]))
        const events = yield* eventsAfter(0)
        const eventsOf = ({ webhook }: (typeof hooks)[number]) =>
          events.filter(({ type, version }) => webhook.types.includes(type) && version > webhook.progress.processed)
        yield* eventually(() => {
          for (const hook of hooks) {
            const delivered = hook.received().map((one) => verified(hook.secret, one).data)
            expect(faultsOfCoverage(delivered, eventsOf(hook))).toEqual([])
          }
        })
        for (const { received } of hooks) {
          expect(new Set(received().map(({ headers }) => headers["webhook-id"])).size).toBe(received().length)
        }
        yield* stop
        // What the last server knew is stored.
        for (const [index, { progress }] of (yield* list).entries()) {
          expect(progress.delivered).toBe(hooks[index]!.received().at(-1)!.json.data.version)
          expect(progress.batchEnd).toBeUndefined()
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

  it("after a webhook was removed, or its owner is none any more, no server delivers what is recorded then", () =>
    live(
      Effect.gen(function* () {
        const { one, other, tokens, id, hook, list, webhooks, describe, place } = yield* scene(name)
        const ben = Administrator(AdministratorId.make(`ben ${serial}`), Mail.make(`ben-${serial}@example.org`))
        const { administratorId, mail } = ben
        const permission = {
          administratorId,
          organizationId: id,
          level: "owner",
          mail,
          nominatedBy: administratorId
        } as const
        const change = Context.get(other, PermissionStore).change
        yield* change({
          organizationId: id,
          administrator: ben,
          decide: () => Result.succeed({ _tag: "Grant", permission, account: Option.some({ administratorId, mail }) })
        })
        const hooks = yield* Effect.all([hook(), hook(), hook(), hook(), hook([...WebhookEventType.literals], ben)])
        const [kept, , , , bens] = hooks
        yield* deliverer(one, tokens)
        yield* deliverer(other, tokens)
        yield* describe("delivered")
        yield* eventually(() => expect(hooks.map(({ received }) => received().length)).toEqual([1, 1, 1, 1, 1]))
        // All of them are idle: their servers know them, and read the next event as soon as it is published.
        for (const { webhook } of hooks.slice(1, 4)) yield* webhooks.remove(OWNER, webhook.webhookId)
        yield* change({
          organizationId: id,
          administrator: ben,
          decide: () => Result.succeed({ _tag: "Withdraw", permission })
        })
        yield* describe("recorded after the end")
        yield* place
        yield* eventually(() => expect(kept.received()).toHaveLength(3))
        yield* Effect.sleep("3 seconds")
        expect(hooks.map(({ received }) => received().length)).toEqual([3, 1, 1, 1, 1])
        expect((yield* list).map(({ createdBy, progress: { state } }) => [createdBy, state])).toEqual([
          [OWNER.administratorId, "active"],
          [administratorId, "disabled"]
        ])
        const enabled = yield* webhooks.enable(OWNER, bens.webhook.webhookId)
        expect([enabled.createdBy, enabled.progress.state]).toEqual([OWNER.administratorId, "active"])
        yield* eventually(() => expect(bens.received()).toHaveLength(3))
      })
    ))

  it("a test is sent by one server of several, once, also of a disabled webhook, and is no event", () =>
    live(
      Effect.gen(function* () {
        const { one, other, tokens, hook, list, webhooks, describe } = yield* scene(name)
        const { received, secret, webhook } = yield* hook()
        const attempts = webhooks.attempts(OWNER, webhook.webhookId)
        const path = new URL(webhook.url).pathname
        receiver.answer(path, (response) => response.writeHead(410, { "retry-after": "60" }).end())
        yield* deliverer(one, tokens)
        yield* deliverer(other, tokens)
        yield* webhooks.test(OWNER, webhook.webhookId)
        yield* eventually(() => expect(received()).toHaveLength(1))
        const { type, timestamp, subject, data } = verified(secret, received()[0]!)
        expect({ type, subject, data }).toEqual({
          type: "webhook.test",
          subject: `webhook/${webhook.webhookId}`,
          data: { webhookId: Number(webhook.webhookId), organizationId: Number(webhook.organizationId) }
        })
        yield* until(attempts, (all) => all.length > 0)
        const failure = "the receiver answered 410"
        expect(yield* attempts).toEqual([{ at: expect.any(Number), ms: expect.any(Number), status: 410, failure }])
        expect(new Date((yield* attempts)[0]!.at).toISOString() >= timestamp).toBe(true)
        // The test's outcome changes nothing: the webhook is disabled by its next delivery.
        expect((yield* list)[0]?.progress).toEqual(webhook.progress)
        yield* describe("refused")
        yield* until(list, ([one]) => one?.progress.state === "disabled")
        receiver.answer(path, (response) => response.writeHead(204).end())
        yield* webhooks.test(OWNER, webhook.webhookId)
        yield* eventually(() => expect(received()).toHaveLength(3))
        yield* until(attempts, (all) => all.length === 3)
        expect((yield* attempts).map(({ version, status }) => [version, status])).toEqual([
          [undefined, 204],
          [webhook.progress.processed + 1, 410],
          [undefined, 410]
        ])
        const { state, delivered } = (yield* list)[0]!.progress
        expect([state, delivered]).toEqual(["disabled", undefined])
        expect(new Set(received().map(({ headers }) => headers["webhook-id"])).size).toBe(3)
      })
    ))

  it("a webhook with a new secret signs with both, and a replay delivers again what it delivered", () =>
    live(
      Effect.gen(function* () {
        const { one, tokens, hook, webhooks, describe, place, eventsAfter } = yield* scene(name)
        const { received, secret, webhook } = yield* hook()
        const { webhookId } = webhook
        yield* deliverer(one, tokens)
        yield* describe("with the first secret")
        yield* eventually(() => expect(received()).toHaveLength(1))
        const renew = Effect.map(webhooks.renewSecret(OWNER, webhookId), (renewed) => secretText(renewed.secret))
        const second = yield* renew
        yield* place
        yield* eventually(() => expect(received()).toHaveLength(2))
        const third = yield* renew
        yield* describe("with the third secret")
        yield* eventually(() => expect(received()).toHaveLength(3))
        const isSigned = (nth: number) =>
          [secret, second, third].map((one) => Result.isSuccess(Result.try(() => verified(one, received()[nth]!))))
        expect([isSigned(0), isSigned(1), isSigned(2)]).toEqual([
          [true, false, false],
          [true, true, false],
          [false, true, true]
        ])
        const [first] = yield* eventsAfter(0)
        yield* webhooks.replay(OWNER, webhookId, first.version)
        // Both changes of the organization wait now: one delivery stands for them.
        yield* eventually(() => expect(received()).toHaveLength(5))
        const delivered = received().map(({ json }) => json.data)
        expect(faultsOfCoverage(delivered.slice(3), yield* eventsAfter(0))).toEqual([])
        expect(delivered.slice(3)).toEqual([delivered[1], { ...delivered[2], fromVersion: delivered[0].version }])
        expect(received()[3]!.headers["webhook-id"]).toBe(received()[1]!.headers["webhook-id"])
        expect(received()[4]!.headers["webhook-id"]).not.toBe(received()[2]!.headers["webhook-id"])
      })
    ))

  it("a webhook whose server was killed is leased by another server after its lease ends, and resumes after its position", () =>
    live(
      Effect.gen(function* () {
        const { one, tokens, hook, describe } = yield* scene(name)
        const { webhook, received } = yield* hook()
        yield* describe("before")
        const store = Context.get(one, WebhookStore)
        const now = Timestamp(Date.now())
        const lease = { holder: "killed", now, until: Timestamp(now + 3000), most: 10 }
        expect((yield* store.lease(lease)).taken).toHaveLength(1)
        const progress = { ...webhook.progress, processed: webhook.progress.processed + 1 }
        expect(yield* store.record({ ...webhook, holder: "killed", progress })).toBe(true)
        yield* deliverer(one, tokens)
        yield* describe("after")
        yield* eventually(() => expect(received()).toHaveLength(1))
        expect(received()[0]!.json.data.version).toBe(progress.processed + 1)
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

  it("events that were deleted before their delivery are skipped, and the list reports it", () =>
    live(
      Effect.gen(function* () {
        const { one, tokens, hook, list, describe } = yield* scene(name)
        const { received, webhook } = yield* hook()
        const store = Context.get(one, WebhookStore)
        const now = Timestamp(Date.now())
        yield* store.lease({ holder: "restored", now, until: now, most: 10 })
        // As after a restore: the position is of events that the feed does not have.
        const progress = { ...webhook.progress, processed: webhook.progress.processed + 1000 }
        yield* store.record({ ...webhook, holder: "restored", progress })
        yield* describe("left out")
        yield* deliverer(one, tokens)
        yield* until(list, ([one]) => one?.progress.lastFailure !== undefined)
        const [after] = yield* list
        expect(after?.progress).toMatchObject({ state: "active", processed: webhook.progress.processed + 1 })
        expect(after?.progress.lastFailure?.reason).toMatch(/forgotten/)
        yield* describe("delivered")
        yield* eventually(() => expect(received()).toHaveLength(1))
        expect(received()[0]!.json.data.version).toBe(webhook.progress.processed + 2)
      })
    ))

  it("a webhook whose next events were deleted resumes with the oldest stored event", () =>
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
        yield* until(list, ([one]) => one?.progress.delivered === received()[0]!.json.data.version)
      })
    ))

  it("a webhook whose key was retired is disabled, with instructions in its failure", () =>
    live(
      Effect.gen(function* () {
        const { one, hook, list, describe } = yield* scene(name)
        const { received } = yield* hook()
        yield* describe("not signed")
        const others = layerSecretKeys([{ id: 7, secret: Redacted.make(new Uint8Array(32)) }])
        const keys = yield* Layer.build(Layer.provide(others, Layer.succeedContext(one)))
        yield* deliverer(one, keys)
        yield* until(list, ([one]) => one?.progress.state === "disabled")
        expect((yield* list)[0]?.progress.lastFailure?.reason).toMatch(/get a new secret/)
        expect(received()).toEqual([])
      })
    ))
})
