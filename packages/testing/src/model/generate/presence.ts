/** The feed, capacities, histories, musters and webhooks. */
import {
  type Administrator,
  DEFAULT_WARN_AT,
  type HistoryStep,
  type MusterId,
  type OrgAuthServerId,
  type PlaceId,
  type Timestamp,
  type Webhook,
  type WebhookId,
  type WebhookWithSecret
} from "@sojourn/core"
import { Effect } from "effect"
import {
  type At,
  type DeliveryOutcome,
  pick,
  type PlaceRef,
  premises,
  type Ref,
  request,
  type Request
} from "../Request.ts"
import { BEGINNING, isAt, type KnownOrganization, openStays, organizationAt } from "../World.ts"
import {
  ANY_PERSON,
  at as organizationOfPremises,
  type Make,
  never,
  OPERATOR,
  ownerOf,
  type Scene,
  someAdministrator,
  someCrowd,
  someOrganization
} from "./subjects.ts"

const MINUTE = 60_000

export const publish = () => request("Publish", OPERATOR, {}, (s) => s.feed.publish)

export const someCapacity: Make = (scene) => {
  const { draw, world } = scene
  const where = someCrowd(scene)
  const by = someAdministrator(scene, organizationOfPremises(scene, where), "manager")
  const inside = openStays(world).filter((stay) => isAt(stay.at, where)).length
  const limit = draw.pick([1, 2, 3, 40, 60, null, inside + 1, inside + 1])
  const capacity =
    limit === null ? undefined : { capacity: limit, warnAt: draw.pick([DEFAULT_WARN_AT, 0.05, 0.05, 0.1, 0.5, 1]) }
  return request("SetCapacity", by, { at: where, capacity }, (s, a) =>
    pick(s.capacities.set(by, premises(a.at), a.capacity), ["premises", "capacity"])
  )
}

export const readHistory = (by: Administrator, where: At, step: HistoryStep, from: number, to: number) =>
  request("ReadHistory", by, { at: where, step, from, to }, (s, a) =>
    s.histories.rows(by, premises(a.at), { step, from: from as Timestamp, to: to as Timestamp })
  )

export const someHistoryCommand: Make = (scene) => {
  const { draw, world } = scene
  if (draw.chance(0.35)) {
    const retention = draw.pick([2, 2, 90, 2000, 9000]) * MINUTE
    return request("KeepHistory", OPERATOR, { retention }, (s) => s.feed.keepHistory(retention))
  }
  const stays = openStays(world).slice(-30)
  const stay = stays.length === 0 ? undefined : draw.pick(stays)
  const where = stay?.at ?? someCrowd(scene)
  const step = draw.pick(["minute", "minute", "hour", "day"] as const)
  const length = { minute: 1, hour: 60, day: 1440 }[step] * MINUTE
  const from = draw.pick([stay?.recorded ?? world.now, world.now, BEGINNING]) - draw.below(5 * length)
  const steps = draw.weighted([
    [20, () => 1 + draw.below(12)],
    [1, () => 0],
    [1, () => 1501]
  ])
  const by = someAdministrator(scene, organizationAt(world, where), "viewer")
  return readHistory(by, where, step, from, from + steps * length + draw.below(3))
}

const peopleIn = ({ world }: Scene, organization: KnownOrganization | undefined): ReadonlyArray<OrgAuthServerId> =>
  openStays(world).flatMap(({ at, person }) =>
    person !== undefined && organizationAt(world, at) === organization ? [person] : []
  )

/** How many people are marked at once who were never inside: with two more, as many as one call may mark. Two such crowds are too many. */
const CROWD = 998

export const mark = (by: Administrator, muster: Ref<MusterId>, marked: number | ReadonlyArray<OrgAuthServerId>) =>
  request(
    "MarkSafe",
    by,
    { muster, marked },
    (s, a) =>
      s.musters.mark(
        by,
        a.muster,
        typeof marked === "number"
          ? { _tag: "MarkCount", count: marked }
          : { _tag: "MarkPeople", people: marked as never }
      ),
    { id: "musterId" }
  )

const unmark = (by: Administrator, muster: Ref<MusterId>, people: ReadonlyArray<OrgAuthServerId>) =>
  request(
    "MarkMissing",
    by,
    { muster, people },
    (s, a) => s.musters.mark(by, a.muster, { _tag: "UnmarkPeople", people: people as never }),
    { id: "musterId" }
  )

const sweep = (by: Administrator, muster: Ref<MusterId>, place: PlaceRef, isSwept: boolean) =>
  request(
    "MarkSwept",
    by,
    { muster, place },
    (s, a) => s.musters.mark(by, a.muster, { _tag: "MarkSwept", placeId: a.place, isSwept }),
    { id: "musterId" }
  )

const endMuster = (by: Administrator, muster: Ref<MusterId>) =>
  request("EndMuster", by, { muster }, (s, a) => s.musters.end(by, a.muster), { id: "musterId" })

export const readMuster = (by: Administrator, muster: Ref<MusterId>) =>
  request("ReadMuster", by, { muster }, (s, a) => s.musters.get(by, a.muster), { id: "musterId" })

const startMuster = (by: Administrator, { ref }: KnownOrganization, kind: "drill" | "evacuation") =>
  request("StartMuster", by, { organizationId: ref, kind }, (s, a) => s.musters.start(by, a), { id: "musterId" })

/** An organization where people are, or where a muster goes on, mostly. */
const mustered = (scene: Scene): KnownOrganization => {
  const { draw, world } = scene
  const peopled = world.organizations.filter((one) => peopleIn(scene, one).length > 0)
  const open = world.organizations.filter(({ musters }) => musters.some(({ isOpen }) => isOpen))
  return draw.prefer(
    0.9,
    [...peopled.filter((one) => open.includes(one)), ...draw.pick([peopled, open])],
    world.organizations
  )
}

/** Starts a muster, marks people of the last one, or ends it. */
export const musterWork = (scene: Scene, organization: KnownOrganization, by: Administrator, end = 2): Request => {
  const { draw } = scene
  const last = organization.musters.findLast(({ isOpen }) => isOpen) ?? organization.musters.at(-1)
  if (last === undefined || (!last.isOpen && draw.chance(0.7)))
    return startMuster(by, organization, draw.pick(["drill", "evacuation"]))
  const isCounted = (last.mode === "anonymous") !== draw.chance(0.05)
  const person = () => draw.prefer(0.85, peopleIn(scene, organization), ANY_PERSON)
  const crowd = () =>
    Array.from({ length: CROWD }, (_, nth) => `stranger-${nth + CROWD * draw.below(2)}` as OrgAuthServerId)
  return draw.weighted<Request>([
    [
      8,
      () =>
        mark(
          by,
          last.ref,
          isCounted
            ? draw.below(4)
            : [person(), ...(draw.chance(0.3) ? [person()] : []), ...(draw.chance(0.05) ? crowd() : [])]
        )
    ],
    [2, () => unmark(by, last.ref, [person(), person()])],
    [
      2,
      () => sweep(by, last.ref, draw.prefer(0.9, organization.places, [never<PlaceId>("placeId")]), draw.chance(0.7))
    ],
    [end, () => endMuster(by, last.ref)],
    [1, () => readMuster(by, last.ref)],
    [1, () => startMuster(by, organization, "drill")]
  ])
}

export const someMusterCommand: Make = (scene) => {
  const organization = mustered(scene)
  const level = scene.draw.pick(["manager", "manager", "viewer"] as const)
  const by = someAdministrator(scene, organization, level)
  return scene.draw.chance(0.05) ? readMuster(by, never<MusterId>("musterId")) : musterWork(scene, organization, by)
}

/** Musters that begin, go on and end while something else happens. */
export const mustersAtOnce = (
  scene: Scene,
  meanwhile: (organization: KnownOrganization) => Request
): ReadonlyArray<Request> => {
  const organization = mustered(scene)
  const by = ownerOf(scene, organization)
  const work = Array.from({ length: 1 + scene.draw.below(2) }, () => musterWork(scene, organization, by, 4))
  const others = Array.from({ length: 1 + scene.draw.below(2) }, () => meanwhile(organization))
  return scene.draw.chance(0.5) ? [...work, ...others] : [...others, ...work]
}

/** What owners see of a webhook. */
export const webhookOf = ({ webhookId, organizationId, url, types, createdBy, progress }: Webhook) => ({
  webhookId,
  organizationId,
  url,
  types,
  createdBy,
  state: progress.state,
  delivered: progress.delivered,
  failedAt: progress.lastFailure?.at
})

const created = ({ webhook }: WebhookWithSecret) => webhookOf(webhook)

const createWebhook = ({ draw }: Scene, { ref }: KnownOrganization, by: Administrator) => {
  const url = draw.chance(0.9) ? "https://hooks.example.org/events" : "http://hooks.example.org/"
  const types = draw.pick([
    undefined,
    ["presence.changed"],
    ["presence.changed", "capacity.changed"],
    ["place.changed", "organization.changed", "muster.changed"]
  ] as const)
  return request("CreateWebhook", by, { organizationId: ref, url, types }, (s, a) =>
    Effect.map(s.webhooks.create(by, a), (made) => created(made as WebhookWithSecret))
  )
}

/** Mostly the organization with the most webhooks, so that some have as many as they may. */
const busiest = (scene: Scene): KnownOrganization => {
  const [first] = scene.world.organizations.toSorted((one, other) => other.webhooks.length - one.webhooks.length)
  return first !== undefined && scene.draw.chance(0.9) ? first : someOrganization(scene)
}

export const deliver = (server: string, outcome: DeliveryOutcome) =>
  request("Deliver", OPERATOR, { server, outcome }, (s) => s.feed.deliver!(server, outcome))

export const someWebhookCommand: Make = (scene) => {
  const { draw } = scene
  const organization = busiest(scene)
  const by = someAdministrator(scene, organization, "owner")
  const webhook = draw.pick([...organization.webhooks.slice(-6), never<WebhookId>("webhookId")])
  return draw.weighted<Request>([
    [12, () => createWebhook(scene, organization, by)],
    [1, () => request("RemoveWebhook", by, { webhook }, (s, a) => Effect.asVoid(s.webhooks.remove(by, a.webhook)))],
    [
      2,
      () =>
        request("EnableWebhook", by, { webhook }, (s, a) =>
          Effect.map(s.webhooks.enable(by, a.webhook), (one) => webhookOf(one as Webhook))
        )
    ],
    [8, () => deliver(draw.pick(["one", "two"]), draw.pick(["delivered", "delivered", "delivered", "failed", "gone"]))]
  ])
}

/** Webhooks that are created at one moment, of which an organization may have no more than so many. */
export const webhooksAtOnce = (scene: Scene): ReadonlyArray<Request> => {
  const organization = busiest(scene)
  const by = ownerOf(scene, organization)
  return Array.from({ length: 2 + scene.draw.below(3) }, () => createWebhook(scene, organization, by))
}
