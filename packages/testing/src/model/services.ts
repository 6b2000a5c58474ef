/** Drives the use cases of one process, without HTTP, on any adapter of the stores. */
import {
  Accesses,
  AccountLinks,
  AccountLinkStore,
  Administrator,
  Administrators,
  afterDelivery,
  afterFailure,
  allPages,
  AreaLimitsInForce,
  type Caller,
  Capacities,
  DeletionRequests,
  eventTypeOf,
  Favorites,
  Histories,
  layerSecretKeysEphemeral,
  layerServices,
  Movements,
  Musters,
  type OrganizationId,
  OrganizationPremises,
  Organizations,
  PermissionStore,
  PersonalData,
  type PlaceId,
  Places,
  Presence,
  type PresenceEvent,
  PresenceFeed,
  PresenceSubscriptions,
  Reports,
  StayEndings,
  StayPolicies,
  type Stores,
  Sweeps,
  Timestamp,
  type Webhook,
  type WebhookProgress,
  Webhooks,
  WebhookStore
} from "@sojourn/core"
import { Cause, Clock, Context, Effect, Layer, Option } from "effect"
import { proveSum, readAllAfter } from "../laws/shared/presenceFeed.ts"
import { layerModelDirectory } from "./directory.ts"
import type { StartDriver, StartOracle } from "./Driver.ts"
import { administratorRef, OPERATOR, USERS } from "./generate/subjects.ts"
import { MODEL_AREA_LIMITS } from "./grid.ts"
import { SKIPPED } from "./linearize.ts"
import { makeManualClock } from "./ManualClock.ts"
import { type Answer, type DeliveryOutcome, Ref, type Request, type Services } from "./Request.ts"
import type { KnownOrganization } from "./World.ts"

/** A service whose every operation runs `pause` before and after it. */
export const withPauses = <Service extends object>(service: Service, pause: Effect.Effect<void>): Service => {
  const around = (operation: Effect.Effect<unknown, unknown>) =>
    Effect.andThen(
      pause,
      Effect.onExit(operation, () => pause)
    )
  return Object.fromEntries(
    Object.entries(service).map(([name, member]) => [
      name,
      typeof member === "function"
        ? (...operands: ReadonlyArray<unknown>) => around(member(...operands))
        : Effect.isEffect(member)
          ? around(member as Effect.Effect<unknown, unknown>)
          : member
    ])
  ) as Service
}

/** A feed whose use cases publish nothing by themselves: a driver publishes when a request says so. */
export const withoutPublishing = (feed: PresenceFeed["Service"]): PresenceFeed["Service"] => ({
  ...feed,
  publish: () => Effect.succeed({ organizations: [], nextAt: Option.none() }),
  appended: Effect.never
})

/** How many events a page holds: few, so that there are several pages. */
const PAGE = 5

/** How long a server holds webhooks, in milliseconds. */
const LEASE = 60_000

/** The most webhooks that a server takes at once. */
const MAX_LEASED_WEBHOOKS = 1_000

const PAUSE = 5
const TRIES = 20

const now = Effect.map(Clock.currentTimeMillis, Timestamp)

/** Publishes until nothing is left that another transaction had locked: a server's next call would publish it. */
export const publishAll = (
  feed: PresenceFeed["Service"],
  tries = TRIES
): Effect.Effect<{ readonly nextAt: number | undefined }> =>
  Effect.flatMap(now, (at) =>
    Effect.flatMap(Effect.orDie(feed.publish(at)), ({ nextAt }) =>
      tries > 0 && Option.exists(nextAt, (next) => next - at <= SKIPPED)
        ? Effect.andThen(Effect.sleep(PAUSE), publishAll(feed, tries - 1))
        : Effect.succeed({ nextAt: Option.getOrUndefined(nextAt) })
    )
  )

/** Sweeps every organization. A failure is a defect: no model knows the state that it leaves. */
export const sweepAll = ({ sweep }: Sweeps["Service"]): Effect.Effect<void> =>
  Effect.flatMap(Effect.orDie(sweep(0)), ({ failures: [failure] }) =>
    failure === undefined ? Effect.void : Effect.die(failure)
  )

const progressAfter = (
  { progress }: Webhook,
  events: ReadonlyArray<PresenceEvent>,
  outcome: DeliveryOutcome,
  at: Timestamp,
  processed: number
): WebhookProgress => {
  const last = events.at(-1)
  if (last === undefined) return { ...progress, processed }
  if (outcome === "delivered") return { ...afterDelivery(progress, last, at), processed }
  return afterFailure({ ...progress, attempts: 0 }, { at, reason: outcome, isFinal: outcome === "gone" }, 0)
}

/** What the driver itself does with a feed: it reads on in it, and delivers to webhooks. */
const makeFeed = Effect.fnUntraced(function* (feed: PresenceFeed["Service"], webhooks: WebhookStore["Service"]) {
  const subscriptions = yield* PresenceSubscriptions
  const histories = yield* Histories
  const read = new Map<OrganizationId, ReadonlyArray<PresenceEvent>>()
  const held = new Map<string, Webhook>()
  const eventsAfter = (id: OrganizationId, last: PresenceEvent | undefined) =>
    Effect.provideService(readAllAfter(id, last, PAGE), PresenceFeed, feed)

  const deliverTo = Effect.fnUntraced(function* (holder: string, webhook: Webhook, outcome: DeliveryOutcome) {
    const {
      webhookId,
      revision,
      organizationId,
      types,
      progress: { processed }
    } = webhook
    const [page] = yield* feed.eventsAfter([{ organizationId, version: 0 }], processed)
    const events = yield* eventsAfter(organizationId, page?._tag === "Events" ? page.events.at(-1) : undefined)
    const wanted = events.filter((event) => types.includes(eventTypeOf(event)))
    const progress = progressAfter(webhook, wanted, outcome, yield* now, events.at(-1)?.version ?? processed)
    if (!(yield* webhooks.record({ webhookId, revision, holder, progress })))
      return yield* Effect.die("the lease of a webhook was lost")
    held.set(`${holder} ${webhookId}`, { ...webhook, progress })
    return { webhookId, events: wanted.map((event) => ({ ...event, type: eventTypeOf(event), nth: event.version })) }
  })

  const services: Services["feed"] = {
    publish: publishAll(feed),
    read: Effect.fnUntraced(function* (administrator, id) {
      yield* subscriptions.authorize(administrator, [id])
      const [snapshot] = yield* feed.snapshots([id])
      if (snapshot === undefined) return yield* Effect.die("the feed of an organization is gone that exists")
      const before = read.get(id) ?? []
      const added = yield* eventsAfter(id, before.at(-1))
      const events = [...before, ...added]
      proveSum(snapshot, events)
      const isFirst = !read.has(id)
      read.set(id, events)
      const totals = snapshot.totals.map(({ placeId, entered, left, level, capacity }) => ({
        placeId,
        entered,
        left,
        level,
        capacity: capacity?.capacity
      }))
      return { events: isFirst ? [] : added.map((event) => ({ ...event, type: eventTypeOf(event) })), totals }
    }),
    keepHistory: (retention) => Effect.asVoid(Effect.andThen(histories.rollUp, histories.forgetMinutes(retention))),
    deliver: Effect.fnUntraced(function* (holder, outcome) {
      const at = yield* now
      const { kept, taken } = yield* webhooks.lease({
        holder,
        now: at,
        until: Timestamp(at + LEASE),
        most: MAX_LEASED_WEBHOOKS
      })
      const all = [...kept.map((id) => held.get(`${holder} ${id}`)!), ...taken]
      const inOrder = all.sort((one, other) => Number(one.webhookId - other.webhookId))
      return yield* Effect.forEach(inOrder, (webhook) => deliverTo(holder, webhook, outcome))
    })
  }
  const save = () => {
    const kept = [[...read], [...held]] as const
    return () => {
      read.clear()
      held.clear()
      for (const [id, events] of kept[0]) read.set(id, events)
      for (const [name, webhook] of kept[1]) held.set(name, webhook)
    }
  }
  return { services, save }
})

/** The answer to a request. A failure that is no refusal has no name that the oracle answers. */
export const answerOf = (outcome: Effect.Effect<unknown, { readonly _tag: string }>): Effect.Effect<Answer> =>
  outcome.pipe(
    Effect.map((value): Answer => ({ name: "Done", value })),
    Effect.catch(({ _tag }) => Effect.succeed<Answer>({ name: _tag }))
  )

/** The use cases of the core on some stores, built anew. */
const startServices = Effect.fnUntraced(function* <S, E>(
  stores: Layer.Layer<Stores | S, E>,
  pause: Effect.Effect<void>
) {
  const stored = yield* Effect.orDie(Layer.build(Layer.fresh(stores)))
  const paused = [...stored.mapUnsafe].map(
    // What is an effect itself is no store.
    ([key, store]) => [key, Effect.isEffect(store) ? store : withPauses(store as object, pause)] as const
  )
  const feed = Context.get(stored, PresenceFeed)
  const context = Context.add(Context.makeUnsafe<Stores>(new Map(paused)), PresenceFeed, withoutPublishing(feed))
  const layer = layerServices.pipe(
    Layer.provide([
      Layer.succeedContext(context),
      layerModelDirectory,
      Layer.succeed(AreaLimitsInForce, MODEL_AREA_LIMITS),
      layerSecretKeysEphemeral
    ])
  )
  const built = yield* Effect.orDie(Layer.build(Layer.fresh(layer)))
  const { clock, advance } = makeManualClock(yield* Clock.Clock)
  const { services: ofFeed, save } = yield* Effect.provideContext(
    makeFeed(withPauses(feed, pause), withPauses(Context.get(stored, WebhookStore), pause)),
    built
  )
  const services: Services = {
    accesses: Context.get(built, Accesses),
    accountLinks: Context.get(built, AccountLinks),
    administrators: Context.get(built, Administrators),
    capacities: Context.get(built, Capacities),
    deletionRequests: Context.get(built, DeletionRequests),
    favorites: Context.get(built, Favorites),
    histories: Context.get(built, Histories),
    movements: Context.get(built, Movements),
    musters: Context.get(built, Musters),
    organizations: Context.get(built, Organizations),
    personalData: Context.get(built, PersonalData),
    places: Context.get(built, Places),
    presence: Context.get(built, Presence),
    reports: Context.get(built, Reports),
    stayEndings: Context.get(built, StayEndings),
    stayPolicies: Context.get(built, StayPolicies),
    webhooks: Context.get(built, Webhooks),
    feed: ofFeed
  }
  const inTime = Effect.provideService(Clock.Clock, clock)
  const administrators = Context.get(built, Administrators)
  return {
    stored,
    built,
    saveFeed: save,
    advance,
    sweep: inTime(sweepAll(Context.get(built, Sweeps))),
    /** As the authentication of callers does: an administrator's account exists from the first call on. */
    signIn: (by: Caller): Effect.Effect<void> =>
      by._tag === "Administrator" ? inTime(Effect.ignore(administrators.recordSignIn(by))) : Effect.void,
    ask: (request: Request, args: unknown): Effect.Effect<Answer> =>
      inTime(answerOf(Effect.suspend(() => request.ask(services, args))))
  }
})

/** Drives the use cases on some stores, built anew for each run. */
export const servicesDriver =
  <E>(stores: Layer.Layer<Stores, E>): StartDriver =>
  (pause) =>
    Effect.gen(function* () {
      const { advance, sweep, signIn, ask } = yield* startServices(stores, pause)
      const perform = (request: Request, args: unknown): Effect.Effect<Answer> =>
        // All concurrent requests start before the first is answered.
        Effect.yieldNow.pipe(
          Effect.andThen(signIn(request.by)),
          Effect.andThen(ask(request, args)),
          Effect.catchCause((cause) => Effect.succeed<Answer>({ name: `defect: ${Cause.pretty(cause)}` }))
        )
      return { delivers: true, perform, advance, sweep }
    })

const plainArgs = (value: unknown): unknown => {
  if (value instanceof Ref) return value.id
  if (Array.isArray(value)) return value.map(plainArgs)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainArgs(field)]))
}

/** The use cases on stores that can go back, to compare other services with: `save` keeps what they store. */
export const servicesOracle = <S, E>(
  stores: Layer.Layer<Stores | S, E>,
  save: Effect.Effect<Effect.Effect<void>, never, S>
): StartOracle =>
  Effect.gen(function* () {
    const { stored, built, saveFeed, ask, ...rest } = yield* startServices(stores, Effect.void)
    const links = Context.get(stored, AccountLinkStore)
    const permissions = Context.get(stored, PermissionStore)
    const organizations = Effect.gen(function* () {
      const all = yield* allPages((after?: OrganizationId) => Context.get(built, Organizations).list(USERS[0]!, after))
      const requested = yield* Context.get(built, DeletionRequests).list(OPERATOR, Option.some("pending"))
      return yield* Effect.forEach(
        all,
        Effect.fnUntraced(function* ({ id, trackingMode, authenticationServer }) {
          const granted = yield* permissions.listByOrganization(id)
          const owner = Administrator(granted.find(({ level }) => level === "owner")!.administratorId)
          const ties = yield* Effect.forEach(USERS, ({ userId }) =>
            Effect.map(links.tie(OrganizationPremises(id), userId), (tie) => ({
              userId,
              person: Option.flatMap(tie, ({ linked }) => linked)
            }))
          )
          const places = yield* allPages((after?: PlaceId) => Context.get(built, Places).list(owner, id, after))
          const musters = yield* Context.get(built, Musters).list(owner, id)
          const webhooks = yield* Context.get(built, Webhooks).list(owner, id)
          return {
            ref: new Ref("organizationId", id),
            mode: trackingMode,
            server: authenticationServer?.text,
            permissions: granted.map(({ administratorId, level }) => ({
              administrator: administratorRef(administratorId),
              level
            })),
            links: ties.flatMap(({ userId, person }) =>
              Option.isSome(person) ? [{ userId, person: person.value }] : []
            ),
            places: places.map((place) => new Ref("placeId", place.id)),
            musters: musters
              .map((one) => ({ ref: new Ref("musterId", one.id), mode: one.mode, isOpen: one.endedAt === undefined }))
              .toReversed(),
            webhooks: webhooks.map(({ webhookId }) => new Ref("webhookId", webhookId)),
            isEnding: requested.some(({ organizationId }) => organizationId === id)
          } satisfies KnownOrganization
        })
      )
    })
    return {
      ...rest,
      ask: (request) => ask(request, plainArgs(request.args)),
      organizations: Effect.orDie(organizations),
      save: Effect.map(Effect.provideContext(save, stored), (restore) => {
        const restoreFeed = saveFeed()
        return Effect.andThen(restore, Effect.sync(restoreFeed))
      })
    }
  })
