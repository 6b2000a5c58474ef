/** Fixtures of the laws of musters: calls of the port, and visitors. */
import { assert } from "@effect/vitest"
import {
  type AdministratorId,
  type Marking,
  type MusterId,
  type MusterPerson,
  type MusterReport,
  MusterStore,
  type OrgAuthServerId,
  type Place,
  PlacePremises,
  type Premises,
  type Timestamp,
  type Opened
} from "@sojourn/core"
import { Effect, type Result } from "effect"
import { NOW, after } from "../../arbitraries/times.ts"
import { type OrganizationFixture, aPerson, aPlace, aUserLinkedTo, anOrganization, enter, leave } from "./fixtures.ts"
import { located } from "./located.ts"
import { same } from "./outcome.ts"
import { readFrom } from "./presenceFeed.ts"

/** A minute after `NOW`, two minutes, ... */
export const minute = (minutes: number): Timestamp => after(NOW, minutes * 60_000)

/** An organization that knows people, with two places. */
export const anOrganizationWithPlaces = Effect.gen(function* () {
  const fixture = yield* anOrganization({ trackingMode: "authenticated" })
  const hall = yield* aPlace(fixture, { left: 0, bottom: 0, right: 4, top: 8 })
  const yard = yield* aPlace(fixture, { left: 4, bottom: 0, right: 8, top: 8 })
  return { fixture, hall, yard, inHall: PlacePremises(hall.id), inYard: PlacePremises(yard.id) }
})

/** A linked person of an organization, with what their phone does. */
export const aVisitor = Effect.fnUntraced(function* ({ id }: OrganizationFixture) {
  const person = aPerson()
  const user = yield* aUserLinkedTo(id, person)
  const enters = (premises: Premises, timestamp: Timestamp = NOW) =>
    enter(premises, { by: user, timestamp, now: after(timestamp, Math.max(0, NOW - timestamp)) })
  const leaves = (stay: Opened, timestamp: Timestamp = NOW) => leave(stay, { by: user, timestamp, now: timestamp })
  return { person, user, enters, leaves }
})

/** Five visitors. */
export const visitorsOf = (fixture: OrganizationFixture) => {
  const visitor = aVisitor(fixture)
  return Effect.all([visitor, visitor, visitor, visitor, visitor])
}

/** The answer to the only call of an operation. */
const only = <A, E, F>(answers: Effect.Effect<ReadonlyArray<Result.Result<A, E>>, F>): Effect.Effect<A, E | F> =>
  Effect.flatMap(answers, ([answer]) => Effect.fromResult(answer!))

export const insideOf = (premises: Premises, administratorId: AdministratorId) =>
  MusterStore.use((store) => only(store.inside(premises, [administratorId])))

export const start = (
  { id: organizationId, owner }: OrganizationFixture,
  {
    administratorId = owner,
    note,
    now = minute(1)
  }: { readonly administratorId?: AdministratorId; readonly note?: string; readonly now?: Timestamp } = {}
) => MusterStore.use((store) => store.start({ organizationId, administratorId, kind: "drill", note, now }))

export const list = ({ id, owner }: OrganizationFixture, administratorId = owner) =>
  MusterStore.use((store) => only(store.list(id, [administratorId])))

export const get = ({ owner }: Pick<OrganizationFixture, "owner">, musterId: MusterId) =>
  MusterStore.use((store) => only(store.get(musterId, [owner])))

export const mark = (administratorId: AdministratorId, musterId: MusterId, marking: Marking, now = minute(2)) =>
  MusterStore.use((store) => only(store.mark(musterId, [{ administratorId, marking, now }])))

export const marked = (...people: readonly [OrgAuthServerId, ...ReadonlyArray<OrgAuthServerId>]): Marking => ({
  _tag: "MarkPeople",
  people
})
export const unmarked = (...people: readonly [OrgAuthServerId, ...ReadonlyArray<OrgAuthServerId>]): Marking => ({
  _tag: "UnmarkPeople",
  people
})
export const counted = (count: number): Marking => ({ _tag: "MarkCount", count })
export const sweep = ({ id: placeId }: Pick<Place, "id">): Marking => ({ _tag: "MarkSwept", placeId, isSwept: true })
export const unsweep = ({ id: placeId }: Pick<Place, "id">): Marking => ({ _tag: "MarkSwept", placeId, isSwept: false })
/** What a muster says of a place that was swept. */
export const swept = ({ id: placeId }: Pick<Place, "id">, by: AdministratorId, at: Timestamp) => ({ placeId, at, by })

export const end = ({ owner }: Pick<OrganizationFixture, "owner">, musterId: MusterId, now = minute(9)) =>
  MusterStore.use((store) => only(store.end(musterId, [{ administratorId: owner, now }])))

export const countsOf = ({ inside, safe, left, missing }: MusterReport) => ({ inside, safe, left, missing })

/** What a muster says of a person. */
export const stateOf = located(({ people }: MusterReport, person: OrgAuthServerId): MusterPerson => {
  const found = (people ?? []).filter(({ orgAuthServerId }) => orgAuthServerId === person)
  assert.strictEqual(found.length, 1, "a person of a muster is in it once")
  return found[0]!
})

export const proveState = (muster: MusterReport, person: OrgAuthServerId, state: object) =>
  same(stateOf(muster, person), { orgAuthServerId: person, ...state })

export const isOf = ({ people }: MusterReport, person: OrgAuthServerId): boolean =>
  (people ?? []).some(({ orgAuthServerId }) => orgAuthServerId === person)

/** The muster events of an organization's feed, in order. */
export const musterEvents = (fixture: OrganizationFixture) =>
  Effect.map(readFrom(fixture), (events) =>
    events.flatMap((event) =>
      event._tag === "MusterChanged" ? [{ musterId: event.musterId, state: event.state }] : []
    )
  )
