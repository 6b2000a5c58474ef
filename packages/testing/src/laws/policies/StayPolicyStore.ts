/** Laws of `StayPolicyStore`: policies, sweep leases, and the stays and accesses that sweeps delete. */
import { assert } from "@effect/vitest"
import {
  FavoriteStore,
  OrganizationId,
  OrganizationStore,
  PlacePremises,
  Retention,
  type RetryKey,
  StayPolicyStore,
  isPastRetention
} from "@sojourn/core"
import { Arbitrary, Effect, Option } from "effect"
import { integer } from "../../arbitraries/choice.ts"
import { NOW, after } from "../../arbitraries/times.ts"
import {
  type OrganizationFixture,
  aPerson,
  aPlace,
  aUserLinkedTo,
  anOrganization,
  changeOrganization,
  closedBy,
  closedOf,
  countIn,
  deleteOrganization,
  enter,
  favoritesOf,
  leave,
  neverCreated,
  premisesOf,
  someUser,
  timesIn,
  unused,
  aLinkedPerson
} from "../shared/fixtures.ts"
import { pluck, race, refused, same, times, concurrently, total } from "../shared/outcome.ts"
import {
  DAY,
  HOUR,
  NINETY_DAYS,
  TWELVE_HOURS,
  abandonBatch,
  changePolicy,
  forgetBatch,
  takeLease
} from "../shared/policies.ts"
import { entriesOf } from "../shared/auditEntries.ts"
import { eventsSince, versionOf } from "../shared/presenceFeed.ts"
import { type Laws, suite } from "../shared/suite.ts"

const read = ({ id }: OrganizationFixture) => StayPolicyStore.use((store) => store.get(id))

/** Those of some organizations that have a policy, in the order in which they are listed. */
const listed = (fixtures: ReadonlyArray<OrganizationFixture>) => {
  const ids = fixtures.map(({ organization }) => organization.id)
  return StayPolicyStore.use((store) => Effect.map(store.list, (all) => all.filter((id) => ids.includes(id))))
}

const policyLaws: Laws = (it) => {
  it("an organization has no policy until it is given one, and none again when all of it is lifted", function* (one, other, third) {
    const fixtures = [one, other, third]
    same(yield* read(one), {})
    same(yield* listed(fixtures), [])
    same(yield* changePolicy(third, { retention: NINETY_DAYS }), { retention: NINETY_DAYS })
    same(yield* changePolicy(one, { longestStay: TWELVE_HOURS }), { longestStay: TWELVE_HOURS })
    same(yield* changePolicy(one, { retention: NINETY_DAYS }), { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    same(yield* read(one), { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    same(yield* read(other), {})
    same(yield* listed(fixtures), [one.organization.id, third.organization.id])
    same(yield* changePolicy(one, { longestStay: null }), { retention: NINETY_DAYS })
    same(yield* changePolicy(one, { retention: null }), {})
    same(yield* read(one), {})
    same(yield* listed(fixtures), [third.organization.id])
    assert.strictEqual((yield* takeLease(one))._tag, "None")
  })

  it("the time zone of a policy is the organization's own, and a change of it is an event", function* (fixture, other) {
    const user = someUser()
    const store = yield* OrganizationStore
    yield* FavoriteStore.use((favorites) =>
      favorites.add({ userId: user, organizationId: fixture.id, creationDate: NOW })
    )
    const zones = Effect.gen(function* () {
      const read = yield* store.get(fixture.id)
      const found = yield* store.findByName(fixture.organization.name)
      const page = yield* store.list(OrganizationId.make(fixture.id - 1n))
      const all = [Option.getOrThrow(read), Option.getOrThrow(found), page.items[0]!, ...(yield* favoritesOf(user))]
      return [...new Set(pluck(all, "timeZone"))]
    })
    same(yield* zones, [undefined])
    const before = yield* versionOf(fixture)
    same(yield* changePolicy(fixture, { timeZone: "Europe/Rome", retention: NINETY_DAYS }), {
      timeZone: "Europe/Rome",
      retention: NINETY_DAYS
    })
    same(yield* zones, ["Europe/Rome"])
    yield* changePolicy(fixture, { timeZone: "Europe/Rome", retention: null })
    yield* changeOrganization(fixture.id, (organization) => ({ ...organization, description: "changed" }))
    same(yield* zones, ["Europe/Rome"])
    yield* changePolicy(fixture, { timeZone: null })
    same(yield* zones, [undefined])
    same(yield* read(fixture), {})
    same(Option.getOrThrow(yield* store.get(other.id)).timeZone, undefined)
    const event = { _tag: "OrganizationChanged", changed: "updated" }
    same(yield* eventsSince(fixture, before), [event, event, event])
  })

  it("the longest retention is kept to the second", function* (fixture) {
    const retention = Retention.make(36_525 * 86_400)
    yield* changePolicy(fixture, { retention })
    same(yield* read(fixture), { retention })
  })

  it("changes of one policy at one moment all count", function* (fixture) {
    yield* concurrently([
      changePolicy(fixture, { longestStay: TWELVE_HOURS }),
      changePolicy(fixture, { retention: NINETY_DAYS })
    ])
    same(yield* read(fixture), { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
  })

  it("an organization that does not exist, or no longer, has no policy to read, to change or to follow", function* (fixture) {
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    yield* deleteOrganization(fixture)
    for (const gone of [fixture, neverCreated(fixture)]) {
      yield* refused(read(gone), "OrganizationNotFound")
      yield* refused(changePolicy(gone, { retention: NINETY_DAYS }), "OrganizationNotFound")
      assert.strictEqual((yield* takeLease(gone))._tag, "None")
    }
    same(yield* listed([fixture]), [])
  })
}

const MINUTE = 60_000

const leaseLaws: Laws = (it) => {
  it("of 20 concurrent requests for a lease one is granted, and no other before it is due", function* (fixture) {
    yield* changePolicy(fixture, { retention: NINETY_DAYS })
    const ask = (milliseconds: number) => takeLease(fixture, after(NOW, milliseconds), MINUTE)
    const first = yield* concurrently(times(20, () => ask(0)))
    assert.strictEqual(first.filter(Option.isSome).length, 1)
    for (const early of [1, -1, MINUTE - 1, 1 - MINUTE]) assert.isTrue(Option.isNone(yield* ask(early)), `${early}`)
    assert.isTrue(Option.isSome(yield* ask(MINUTE)))
    // A clock that runs behind does not wait for one that ran ahead.
    assert.isTrue(Option.isSome(yield* ask(0)))
  })

  it("each organization has a lease of its own", function* (one, other) {
    yield* changePolicy(one, { longestStay: TWELVE_HOURS })
    yield* changePolicy(other, { longestStay: TWELVE_HOURS })
    assert.isTrue(Option.isSome(yield* takeLease(one, NOW, MINUTE)))
    assert.isTrue(Option.isSome(yield* takeLease(other, NOW, MINUTE)))
  })

  it("a lease allows nothing after the next was taken", function* (fixture) {
    const store = yield* StayPolicyStore
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    yield* enter(fixture.premises)
    const now = after(NOW, DAY)
    const late = Option.getOrThrow(yield* takeLease(fixture, now))
    const next = Option.getOrThrow(yield* takeLease(fixture, now))
    assert.strictEqual(yield* store.abandon({ lease: late, now, most: 10, isFirst: true }), 0)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    assert.strictEqual(yield* store.abandon({ lease: next, now, most: 10, isFirst: true }), 1)
  })
}

const abandonmentLaws: Laws = (it) => {
  it("a stay of a place is abandoned after the longest stay, counted no more, and no exit matches it", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    const early = yield* enter(premises)
    const late = yield* enter(premises, { now: after(NOW, 1) })
    assert.strictEqual(yield* abandonBatch(fixture, after(NOW, 12 * HOUR)), 0)
    assert.strictEqual(yield* abandonBatch(fixture, after(NOW, 12 * HOUR + 1)), 1)
    assert.strictEqual(yield* countIn(premises, fixture), 1)
    const now = after(NOW, 12 * HOUR + 2)
    for (const timestamp of [undefined, NOW, after(NOW, HOUR), now]) {
      yield* refused(leave(early, timestamp === undefined ? { now } : { now, timestamp }), "ExitNotMatched")
    }
    const closed = yield* leave(late, { now })
    same(yield* closedOf(premises, fixture, [early, late]), [closed])
    assert.strictEqual(yield* countIn(premises, fixture), 0)
  })

  it("a person whose stay of a place was abandoned enters anew, and the time counts for no person", function* () {
    const { fixture, premises } = yield* premisesOf("place", { trackingMode: "authenticated" })
    const { person, user: by } = yield* aLinkedPerson(fixture)
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    const first = yield* enter(premises, { by })
    const now = after(NOW, DAY)
    assert.strictEqual(yield* abandonBatch(fixture, now), 1)
    yield* refused(leave(first, { by, now }), "ExitNotMatched")
    const second = yield* enter(premises, { by, now })
    assert.notStrictEqual(second.id, first.id)
    assert.strictEqual(yield* countIn(premises, fixture), 1)
    const closed = yield* leave(second, { by, now: after(now, HOUR) })
    same(yield* closedBy(premises, fixture, [person]), [closed])
    if (premises._tag === "PlacePremises")
      same(yield* timesIn(premises.placeId, fixture), [{ orgAuthServerId: person, milliseconds: HOUR }])
  })

  it("the service's own record of the entrance counts, whatever time it claimed", function* (fixture) {
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    const reportedLate = yield* enter(fixture.premises, { timestamp: after(NOW, -7 * DAY) })
    yield* enter(fixture.premises, { timestamp: after(NOW, 299_999) })
    assert.strictEqual(yield* abandonBatch(fixture, after(NOW, 12 * HOUR)), 0)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 2)
    yield* leave(reportedLate)
    assert.strictEqual(yield* abandonBatch(fixture, after(NOW, 12 * HOUR + 1)), 1)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })

  it("a policy is one organization's, and holds for its places and for who was inside before it", function* (fixture, other) {
    const place = PlacePremises((yield* aPlace(fixture)).id)
    for (const premises of [fixture.premises, place, other.premises]) yield* enter(premises)
    const now = after(NOW, 400 * DAY)
    assert.strictEqual(yield* abandonBatch(fixture, now), 0)
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    assert.strictEqual(yield* abandonBatch(fixture, now), 2)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    assert.strictEqual(yield* countIn(place, fixture), 0)
    assert.strictEqual(yield* countIn(other.premises, other), 1)
  })

  it("a policy that was lifted has no effect any more, not even in a lease that goes on", function* (fixture) {
    const store = yield* StayPolicyStore
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    yield* enter(fixture.premises)
    const now = after(NOW, DAY)
    const lease = Option.getOrThrow(yield* takeLease(fixture, now))
    yield* changePolicy(fixture, { longestStay: null })
    assert.strictEqual(yield* store.abandon({ lease, now, most: 10, isFirst: true }), 0)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
  })

  it("a batch ends so many stays at most, of whatever premises", function* (fixture) {
    const place = PlacePremises((yield* aPlace(fixture)).id)
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    yield* Effect.all(times(10, (n) => enter(n < 5 ? fixture.premises : place)))
    const left = Effect.zipWith(
      countIn(fixture.premises, fixture),
      countIn(place, fixture),
      (one, other) => one + other
    )
    for (const [batch, count] of [
      [4, 6],
      [4, 2],
      [2, 0],
      [0, 0]
    ] as const) {
      assert.strictEqual(yield* abandonBatch(fixture, after(NOW, DAY), 4), batch)
      assert.strictEqual(yield* left, count)
    }
  })

  it("a retry key stands for its stay for its day, also after that was abandoned", function* (fixture) {
    const key = unused("retry") as RetryKey
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    const first = yield* enter(fixture.premises, { key })
    const now = after(NOW, 13 * HOUR)
    assert.strictEqual(yield* abandonBatch(fixture, now), 1)
    assert.strictEqual((yield* enter(fixture.premises, { key, now })).id, first.id)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
  })
}

const retentionLaws: Laws = (it) => {
  it("an access of a place is forgotten when its exit lies further back than the retention", function* () {
    const { fixture, premises } = yield* premisesOf("place")
    yield* changePolicy(fixture, { retention: NINETY_DAYS })
    const [short, long, open] = [yield* enter(premises), yield* enter(premises), yield* enter(premises)]
    yield* leave(short, { timestamp: after(NOW, 1000), now: after(NOW, 1000) })
    const closed = yield* leave(long, { timestamp: after(NOW, 1001), now: after(NOW, 1001) })
    assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 90 * DAY + 1000)), 0)
    assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 90 * DAY + 1001)), 1)
    same(yield* closedOf(premises, fixture, [short, long, open]), [closed])
    yield* refused(leave(short, { timestamp: after(NOW, 1000) }), "ExitNotMatched")
    assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 400 * DAY)), 1)
    same(yield* closedOf(premises, fixture, [short, long, open]), [])
    assert.strictEqual(yield* countIn(premises, fixture), 1)
  })

  it("nothing of a person's forgotten accesses is listed or summed", function* () {
    const { fixture, premises } = yield* premisesOf("place", { trackingMode: "authenticated" })
    const [one, other] = [aPerson(), aPerson()]
    yield* changePolicy(fixture, { retention: NINETY_DAYS })
    const users = new Map([
      [one, yield* aUserLinkedTo(fixture.id, one)],
      [other, yield* aUserLinkedTo(fixture.id, other)]
    ])
    const lasting = Effect.fnUntraced(function* (person: typeof one, from: number) {
      const options = { by: users.get(person)!, now: after(NOW, from) }
      return yield* leave(yield* enter(premises, options), { ...options, now: after(options.now, HOUR) })
    })
    yield* lasting(one, 0)
    yield* lasting(other, HOUR)
    const kept = yield* lasting(one, 30 * DAY)
    assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 100 * DAY)), 2)
    same(yield* closedBy(premises, fixture, [one, other]), [kept])
    assert.strictEqual(premises._tag, "PlacePremises")
    if (premises._tag === "PlacePremises")
      same(yield* timesIn(premises.placeId, fixture), [{ orgAuthServerId: one, milliseconds: HOUR }])
  })

  it("a retention is one organization's, and none keeps everything", function* (fixture, other) {
    const closed = yield* leave(yield* enter(other.premises))
    yield* leave(yield* enter(fixture.premises))
    const now = after(NOW, 400 * DAY)
    assert.strictEqual(yield* forgetBatch(fixture, now), 0)
    yield* changePolicy(fixture, { retention: NINETY_DAYS })
    assert.strictEqual(yield* forgetBatch(other, now), 0)
    assert.strictEqual(yield* forgetBatch(fixture, now), 1)
    same(yield* closedOf(other.premises, other, [closed]), [closed])
  })

  it("an access that was reported late is kept until the retention has passed since its report at most", function* (fixture) {
    yield* changePolicy(fixture, { retention: NINETY_DAYS })
    const timely = yield* leave(yield* enter(fixture.premises))
    const timestamp = after(NOW, -200 * DAY)
    const late = yield* leave(yield* enter(fixture.premises, { timestamp }), { timestamp })
    const atOnce = yield* forgetBatch(fixture, NOW)
    assert.isAtMost(atOnce, 1)
    same(yield* closedOf(fixture.premises, fixture, [timely]), [timely])
    assert.strictEqual(yield* forgetBatch(fixture, after(NOW, 90 * DAY + 1)), 2 - atOnce)
    same(yield* closedOf(fixture.premises, fixture, [timely, late]), [])
  })

  it("what is forgotten at once is past retention", function* (fixture, other) {
    const store = yield* StayPolicyStore
    yield* changePolicy(fixture, { retention: NINETY_DAYS })
    const kept = yield* leave(yield* enter(other.premises))
    const closed = yield* leave(yield* enter(fixture.premises))
    yield* store.forgetAtOnce(after(NOW, 90 * DAY))
    same(yield* closedOf(fixture.premises, fixture, [closed]), [closed])
    yield* store.forgetAtOnce(after(NOW, 90 * DAY + 1))
    assert.isAtMost(yield* forgetBatch(fixture, after(NOW, 90 * DAY + 1)), 1)
    same(yield* closedOf(fixture.premises, fixture, [closed]), [])
    same(yield* closedOf(other.premises, other, [kept]), [kept])
  })

  it.prop(
    "of any accesses that were reported in time those are forgotten that are past retention, batch by batch",
    {
      stays: Arbitrary.array(Arbitrary.all({ place: integer(0, 1), entered: integer(0, 5), lasted: integer(0, 100) }), {
        maxLength: 12
      }),
      waited: integer(60, 120),
      most: integer(1, 5)
    },
    function* ({ stays, waited, most }) {
      const fixture = yield* anOrganization()
      const premises = [fixture.premises, PlacePremises((yield* aPlace(fixture)).id)]
      const policy = yield* changePolicy(fixture, { retention: NINETY_DAYS })
      const opened = yield* Effect.forEach(
        stays.toSorted((one, other) => one.entered - other.entered),
        ({ place, entered, lasted }) =>
          Effect.map(enter(premises[place]!, { now: after(NOW, entered * DAY) }), (stay) => ({
            stay,
            now: after(NOW, (entered + lasted) * DAY)
          }))
      )
      const closed = yield* Effect.forEach(opened, ({ stay, now }) => leave(stay, { now }))
      const now = after(NOW, waited * DAY)
      const kept = closed.filter(({ exit }) => !isPastRetention(policy, exit, now))
      const batches = yield* Effect.all(times(13, () => forgetBatch(fixture, now, most)))
      assert.isTrue(batches.every((swept) => swept <= most))
      assert.strictEqual(total(batches), closed.length - kept.length)
      const found = yield* Effect.forEach(premises, (one) => closedOf(one, fixture, closed))
      const ids = (some: ReadonlyArray<{ readonly id: bigint }>) => some.map(({ id }) => String(id)).sort()
      same(ids(found.flat()), ids(kept))
    }
  )
}

const now = after(NOW, DAY)

/** Abandons until nothing is left to abandon; what others were writing is met again. */
const abandonAll = Effect.fnUntraced(function* (
  fixture: Parameters<typeof abandonBatch>[0],
  most: number
): Effect.fn.Return<number, Effect.Error<ReturnType<typeof abandonBatch>>, StayPolicyStore> {
  let sum = 0
  for (let empty = 0; empty < 3;) {
    const swept = yield* abandonBatch(fixture, now, most)
    sum += swept
    empty = swept === 0 ? empty + 1 : 0
  }
  return sum
})

const policyRaceLaws: Laws = (it) => {
  it("of an exit and an abandonment of one stay at one moment exactly one wins, 60 times", function* (fixture) {
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    const opened = yield* concurrently(times(60, () => enter(fixture.premises)))
    const inside = yield* enter(fixture.premises, { now })
    const [{ succeeded, refusals }, swept] = yield* concurrently([
      race(opened.map((stay, n) => leave(stay, { now: after(now, n) }))),
      abandonAll(fixture, 7)
    ])
    assert.strictEqual(succeeded.length + swept, 60)
    same(refusals, swept === 0 ? {} : { ExitNotMatched: swept })
    assert.strictEqual((yield* closedOf(fixture.premises, fixture, opened)).length, succeeded.length)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 1)
    yield* leave(inside, { now })
  })

  it("a person who enters while their stay is abandoned is inside once, and leaves with what they were given", function* () {
    const fixture = yield* anOrganization({ trackingMode: "authenticated" })
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS })
    const people = times(20, () => aPerson())
    const users = yield* Effect.forEach(people, (person) => aUserLinkedTo(fixture.id, person))
    yield* concurrently(users.map((by) => enter(fixture.premises, { by })))
    const [entered, swept] = yield* concurrently([
      race(users.map((by) => Effect.map(enter(fixture.premises, { by, now }), (stay) => ({ by, stay })))),
      abandonAll(fixture, 3)
    ])
    same(entered.refusals, {})
    // An entrance that was answered with the earlier stay has lost it by now.
    const { succeeded, refusals } = yield* race(entered.succeeded.map(({ by, stay }) => leave(stay, { by, now })))
    assert.strictEqual(swept, 20)
    assert.strictEqual(succeeded.length + (refusals["ExitNotMatched"] ?? 0), 20)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    assert.strictEqual((yield* closedBy(fixture.premises, fixture, people)).length, succeeded.length)
  })

  it("a sweep that ends something leaves one entry of each policy", function* (fixture, other) {
    const store = yield* StayPolicyStore
    const later = after(NOW, 100 * DAY)
    for (const one of [fixture, other]) {
      yield* changePolicy(one, { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    }
    const [first] = yield* concurrently(times(6, () => enter(fixture.premises)))
    yield* leave(first!)
    const ofPolicies = (swept: OrganizationFixture) =>
      Effect.map(entriesOf(swept), (entries) =>
        entries
          .filter(({ actor }) => actor.kind === "policy")
          .map(({ actor, action, target }) => [actor.id, action, target?.id])
      )
    for (const swept of [fixture, other]) {
      const lease = Option.getOrThrow(yield* takeLease(swept, later))
      for (const isFirst of [true, false]) {
        const batch = { lease, now: later, most: 3, isFirst }
        yield* store.abandon(batch)
        yield* store.forget(batch)
      }
    }
    const id = `${fixture.id}`
    same(yield* ofPolicies(fixture), [
      ["longestStay", "stay.abandon", id],
      ["retention", "access.forget", id]
    ])
    same(yield* ofPolicies(other), [])
  })

  it("two sweeps at one moment end each stay once", function* (fixture) {
    const store = yield* StayPolicyStore
    yield* changePolicy(fixture, { longestStay: TWELVE_HOURS, retention: NINETY_DAYS })
    const stays = yield* concurrently(times(40, () => enter(fixture.premises)))
    yield* concurrently(stays.slice(0, 20).map((stay) => leave(stay)))
    const later = after(NOW, 100 * DAY)
    const lease = Option.getOrThrow(yield* takeLease(fixture, later))
    const batch = { lease, now: later, most: 5, isFirst: true }
    const batches = concurrently(times(8, () => Effect.all([store.abandon(batch), store.forget(batch)])))
    const swept = total((yield* batches).flat())
    // What two batches met at one moment one of them left to the other.
    const rest = (yield* abandonBatch(fixture, later)) + (yield* forgetBatch(fixture, later))
    assert.strictEqual(swept + rest, 40)
    assert.strictEqual(yield* countIn(fixture.premises, fixture), 0)
    same(yield* closedOf(fixture.premises, fixture, stays), [])
  })
}

/** What every `StayPolicyStore` promises. */
export const stayPolicyStoreLaws = suite("StayPolicyStore", [
  policyLaws,
  leaseLaws,
  abandonmentLaws,
  retentionLaws,
  policyRaceLaws
])
