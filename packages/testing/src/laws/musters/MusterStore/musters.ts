/** Laws of musters: start, marks, end, and what each of them reports. */
import { type MusterReport, MusterId, MusterStore, OrganizationId } from "@sojourn/core"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  anOrganization,
  aPerson,
  aPlace,
  deleted,
  enter,
  leave,
  someAdministrator,
  tracks
} from "../../shared/fixtures.ts"
import type { Laws } from "../../shared/suite.ts"
import { race, refused, same, times } from "../../shared/outcome.ts"
import { aTimeLongAgo, forget, publish } from "../../feed/PresenceFeed/fixtures.ts"
import { DAY } from "../../policies/StayPolicyStore/fixtures.ts"
import {
  aSite,
  aVisitor,
  counted,
  end,
  get,
  isOf,
  list,
  mark,
  marked,
  minute,
  musterNews,
  numbersOf,
  start,
  stateOf
} from "../../shared/musterFixtures.ts"

const EMPTY = { inside: 0, safe: 0, left: 0, missing: 0 }
const NEVER_ISSUED = MusterId.make(9223372036854775807n)

const summary = ({ people: _, ...muster }: MusterReport) => muster

export const musterLaws: Laws = (it) => {
  it.effect("a muster has all people inside of the organization or a place of it when it begins", () =>
    Effect.gen(function* () {
      const { ground, hall, yard, inHall, inYard } = yield* aSite
      const { administratorId: manager } = yield* aBoundAdministrator(ground, "manager")
      const [ada, bob, cleo, gone] = [
        yield* aVisitor(ground),
        yield* aVisitor(ground),
        yield* aVisitor(ground),
        yield* aVisitor(ground)
      ]
      yield* ada.enters(ground.premises, minute(-5))
      yield* bob.enters(inYard, minute(-3))
      yield* bob.enters(inHall, minute(-4))
      yield* bob.enters(ground.premises, minute(-2))
      yield* cleo.enters(inHall, minute(-1))
      yield* leave(yield* gone.enters(inHall, minute(-9)), { by: gone.user })
      const muster = yield* start(ground, manager, "Fire in the hall")
      same(summary(muster), {
        id: muster.id,
        organizationId: ground.organization.id,
        mode: "authenticated",
        kind: "drill",
        note: "Fire in the hall",
        startedAt: minute(1),
        startedBy: manager,
        ...EMPTY,
        inside: 3,
        missing: 3
      })
      const missing = { state: "missing" }
      same(stateOf(muster, ada.person), { orgAuthServerId: ada.person, placeIds: [], since: minute(-5), ...missing })
      same(stateOf(muster, bob.person), {
        orgAuthServerId: bob.person,
        placeIds: [hall.id, yard.id],
        since: minute(-4),
        ...missing
      })
      same(stateOf(muster, cleo.person), {
        orgAuthServerId: cleo.person,
        placeIds: [hall.id],
        since: minute(-1),
        ...missing
      })
      same(yield* get(ground, muster.id), muster)
      same(yield* list(ground), [summary(muster)])
      same(yield* musterNews(ground), [{ musterId: muster.id, state: "started" }])
    })
  )

  it.effect("people come in, leave and are marked safe: the muster says where each is", () =>
    Effect.gen(function* () {
      const { ground, hall, inHall } = yield* aSite
      const { administratorId: viewer } = yield* aBoundAdministrator(ground, "viewer")
      const [ada, bob, late, brief] = [
        yield* aVisitor(ground),
        yield* aVisitor(ground),
        yield* aVisitor(ground),
        yield* aVisitor(ground)
      ]
      const adaOutside = yield* ada.enters(ground.premises)
      const adaInHall = yield* ada.enters(inHall)
      yield* bob.enters(inHall)
      const { id } = yield* start(ground)

      yield* late.enters(inHall, minute(2))
      const briefly = yield* brief.enters(inHall, minute(2))
      yield* leave(briefly, { by: brief.user, timestamp: minute(3), now: minute(3) })
      yield* leave(adaInHall, { by: ada.user, timestamp: minute(3), now: minute(3) })
      let muster = yield* get(ground, id)
      same(numbersOf(muster), { inside: 4, safe: 0, left: 1, missing: 3 })
      same(stateOf(muster, ada.person).placeIds, [])
      same(stateOf(muster, late.person).since, minute(2))
      same(stateOf(muster, brief.person), {
        orgAuthServerId: brief.person,
        placeIds: [hall.id],
        since: minute(2),
        state: "left",
        at: minute(3)
      })

      const stranger = aPerson()
      muster = yield* mark(viewer, id, marked(bob.person, late.person, stranger, brief.person, bob.person), minute(4))
      same(numbersOf(muster), { inside: 5, safe: 3, left: 1, missing: 1 })
      same(stateOf(muster, stranger), { orgAuthServerId: stranger, placeIds: [], state: "safe", at: minute(4) })
      for (const { person } of [bob, late]) {
        same(stateOf(muster, person), {
          orgAuthServerId: person,
          placeIds: [hall.id],
          since: person === bob.person ? NOW : minute(2),
          state: "safe",
          at: minute(4)
        })
      }
      same(yield* get(ground, id), muster)

      yield* leave(adaOutside, { by: ada.user, timestamp: minute(5), now: minute(5) })
      yield* brief.enters(ground.premises, minute(6))
      muster = yield* get(ground, id)
      same(numbersOf(muster), { inside: 5, safe: 4, left: 1, missing: 0 })
      same(stateOf(muster, ada.person), {
        orgAuthServerId: ada.person,
        placeIds: [],
        since: NOW,
        state: "left",
        at: minute(5)
      })
      // Marked while outside, and back in: safe.
      same(stateOf(muster, brief.person).state, "safe")
    })
  )

  it.effect("marking twice changes nothing and publishes nothing", () =>
    Effect.gen(function* () {
      const { ground, inHall } = yield* aSite
      const [ada, bob] = [yield* aVisitor(ground), yield* aVisitor(ground)]
      yield* ada.enters(inHall)
      yield* bob.enters(inHall)
      const { id } = yield* start(ground)
      const once = yield* mark(ground.owner, id, marked(ada.person), minute(2))
      same(yield* mark(ground.owner, id, marked(ada.person, ada.person), minute(3)), once)
      const published = ["started", "updated"].map((state) => ({ musterId: id, state }))
      same(yield* musterNews(ground), published)
      const both = yield* mark(ground.owner, id, marked(ada.person, bob.person), minute(4))
      same(stateOf(both, ada.person).at, minute(2))
      same(stateOf(both, bob.person).at, minute(4))
      same(yield* musterNews(ground), [...published, { musterId: id, state: "updated" }])
    })
  )

  it.effect("an ended muster stays as it was at its end, and ending it again changes nothing", () =>
    Effect.gen(function* () {
      const { ground, inHall } = yield* aSite
      const [ada, bob, cleo] = [yield* aVisitor(ground), yield* aVisitor(ground), yield* aVisitor(ground)]
      const adaInHall = yield* ada.enters(inHall)
      yield* bob.enters(inHall)
      yield* leave(yield* cleo.enters(inHall, minute(-1)), { by: cleo.user })
      const { id } = yield* start(ground)
      yield* leave(yield* cleo.enters(inHall, minute(2)), { by: cleo.user, timestamp: minute(3), now: minute(3) })
      yield* mark(ground.owner, id, marked(bob.person))
      const open = yield* get(ground, id)
      const ended = yield* end(ground, id)
      same(ended, { ...open, endedAt: minute(9) })
      same(numbersOf(ended), { inside: 3, safe: 1, left: 1, missing: 1 })

      yield* leave(adaInHall, { by: ada.user, timestamp: minute(10), now: minute(10) })
      yield* cleo.enters(inHall, minute(11))
      same(yield* get(ground, id), ended)
      same(yield* end(ground, id, minute(12)), ended)
      same(yield* list(ground), [summary(ended)])
      const refusal = yield* refused(mark(ground.owner, id, marked(ada.person)), "MusterEnded")
      same(refusal.endedAt, minute(9))
      same(yield* get(ground, id), ended)
      same(
        (yield* musterNews(ground)).map(({ state }) => state),
        ["started", "updated", "ended"]
      )
    })
  )

  it.effect("one muster of an organization is open at a time; they are listed with the newest first", () =>
    Effect.gen(function* () {
      const { ground } = yield* aSite
      const other = yield* aSite
      same(yield* list(ground), [])
      const first = yield* start(ground)
      const refusal = yield* refused(start(ground), "MusterOpen")
      same(refusal.musterId, first.id)
      yield* start(other.ground)
      yield* end(ground, first.id)
      const second = yield* start(ground)
      assert.isTrue(second.id > first.id)
      same(
        (yield* list(ground)).map(({ id }) => id),
        [second.id, first.id]
      )
      const { succeeded, refusals } = yield* race(times(5, () => start(ground)))
      assert.deepStrictEqual([succeeded.length, refusals], [0, { MusterOpen: 5 }])
    })
  )

  it.effect("of musters that are started at the same moment one is", () =>
    Effect.gen(function* () {
      const { ground } = yield* aSite
      const { succeeded, refusals } = yield* race(times(8, () => start(ground)))
      assert.deepStrictEqual([succeeded.length, refusals], [1, { MusterOpen: 7 }])
      same(
        (yield* list(ground)).map(({ id }) => id),
        succeeded.map(({ id }) => id)
      )
    })
  )

  it.effect("what is missing is refused first, then who may not: viewers read and mark, managers start and end", () =>
    Effect.gen(function* () {
      const { ground } = yield* aSite
      const { administratorId: viewer } = yield* aBoundAdministrator(ground, "viewer")
      const { administratorId: manager } = yield* aBoundAdministrator(ground, "manager")
      const stranger = someAdministrator()
      const nowhere = {
        ...ground,
        organization: { ...ground.organization, id: OrganizationId.make(9223372036854775807n) }
      }
      yield* refused(start(nowhere), "OrganizationNotFound")
      yield* refused(list(nowhere), "OrganizationNotFound")
      yield* refused(get(ground, NEVER_ISSUED), "MusterNotFound")
      yield* refused(mark(stranger, NEVER_ISSUED, counted(1)), "MusterNotFound")
      yield* refused(end(ground, NEVER_ISSUED), "MusterNotFound")
      for (const who of [stranger, viewer]) yield* refused(start(ground, who), "PermissionTooLow")
      const { id } = yield* start(ground, manager)
      for (const who of [stranger, viewer]) {
        yield* refused(start(ground, who), "PermissionTooLow")
        yield* refused(end({ owner: who }, id), "PermissionTooLow")
      }
      yield* refused(list(ground, stranger), "PermissionTooLow")
      yield* refused(get({ owner: stranger }, id), "PermissionTooLow")
      yield* refused(mark(stranger, id, counted(1)), "PermissionTooLow")
      yield* refused(mark(viewer, id, counted(1)), "MarkingNotOfMode")
      same((yield* list(ground, viewer)).length, 1)
      same((yield* get({ owner: viewer }, id)).id, id)
      same(numbersOf(yield* mark(viewer, id, marked(aPerson()))), { ...EMPTY, inside: 1, safe: 1 })
      yield* end({ owner: manager }, id)
      yield* refused(mark(viewer, id, counted(1)), "MarkingNotOfMode")
      yield* refused(mark(viewer, id, marked(aPerson())), "MusterEnded")
      yield* refused(mark(stranger, id, marked(aPerson())), "PermissionTooLow")
    })
  )

  it.effect("an anonymous muster has numbers alone, of the organization itself", () =>
    Effect.gen(function* () {
      const ground = yield* anOrganization()
      const place = yield* aPlace(ground)
      const inside = yield* Effect.all(times(5, () => enter(ground.premises)))
      // Exits before it are published before it, after it, or were not published yet: none counts.
      yield* leave(yield* enter(ground.premises))
      yield* publish()
      yield* leave(yield* enter(ground.premises))
      const inPlace = yield* enter({ _tag: "PlacePremises", placeId: place.id })
      const muster = yield* start(ground)
      same(muster.mode, "anonymous")
      assert.isUndefined(muster.people)
      same(numbersOf(muster), { inside: 5, safe: 0, left: 0, missing: 5 })
      const { id } = muster
      yield* leave(inside[0]!)
      yield* leave(inside[1]!)
      yield* leave(inPlace)
      yield* enter(ground.premises)
      same(numbersOf(yield* get(ground, id)), { inside: 5, safe: 0, left: 2, missing: 3 })
      yield* publish()
      same(numbersOf(yield* get(ground, id)), { inside: 5, safe: 0, left: 2, missing: 3 })
      const once = yield* mark(ground.owner, id, counted(2))
      same(numbersOf(once), { inside: 5, safe: 2, left: 2, missing: 1 })
      same(yield* mark(ground.owner, id, counted(2)), once)
      same(numbersOf(yield* mark(ground.owner, id, counted(4))), { inside: 5, safe: 4, left: 2, missing: 0 })
      same(numbersOf(yield* mark(ground.owner, id, counted(0))), { inside: 5, safe: 0, left: 2, missing: 3 })
      yield* refused(mark(ground.owner, id, marked(aPerson())), "MarkingNotOfMode")
      const ended = yield* end(ground, id)
      yield* leave(inside[2]!)
      same(yield* get(ground, id), ended)
      same(numbersOf(ended), { inside: 5, safe: 0, left: 2, missing: 3 })
      same(
        (yield* musterNews(ground)).map(({ state }) => state),
        ["started", "updated", "updated", "updated", "ended"]
      )
      same(numbersOf(yield* start(ground)), { inside: 3, safe: 0, left: 0, missing: 3 })
    })
  )

  it.effect("an anonymous muster counts exits that the feed has forgotten", () =>
    Effect.gen(function* () {
      const since = yield* aTimeLongAgo
      const ground = yield* anOrganization({}, since)
      const inside = yield* Effect.all(times(4, () => enter(ground.premises, { now: since })))
      const leaves = Effect.fnUntraced(function* (index: number, days: number) {
        yield* leave(inside[index]!, { now: after(since, days * DAY) })
        yield* publish(after(since, days * DAY))
      })
      yield* leaves(0, 1)
      const { id } = yield* MusterStore.use((store) =>
        store.start({
          organizationId: ground.organization.id,
          administratorId: ground.owner,
          kind: "drill",
          note: undefined,
          now: after(since, 2 * DAY)
        })
      ).pipe(
        (starting) => Effect.andThen(TestClock.setTime(after(since, 2 * DAY)), starting),
        Effect.provide(TestClock.layer())
      )
      yield* leaves(1, 3)
      yield* leaves(2, 4)
      const numbers = { inside: 3, safe: 0, left: 2, missing: 1 }
      same(numbersOf(yield* get(ground, id)), numbers)
      // The last event is kept: that of the last exit.
      assert.isAbove(yield* forget(after(since, 20 * DAY)), 2)
      same(numbersOf(yield* get(ground, id)), numbers)
      same(numbersOf(yield* end(ground, id)), numbers)
    })
  )

  it.effect("a muster keeps the tracking mode that it began with", () =>
    Effect.gen(function* () {
      const { ground, inHall } = yield* aSite
      const ada = yield* aVisitor(ground)
      const adaInHall = yield* ada.enters(inHall)
      const known = yield* start(ground)
      yield* tracks(ground.organization.id, "anonymous")
      yield* enter(inHall)
      same(numbersOf(yield* get(ground, known.id)), { ...EMPTY, inside: 1, missing: 1 })
      yield* refused(mark(ground.owner, known.id, counted(1)), "MarkingNotOfMode")
      same(stateOf(yield* mark(ground.owner, known.id, marked(ada.person)), ada.person).state, "safe")
      yield* leave(adaInHall, { by: ada.user })
      same(stateOf(yield* end(ground, known.id), ada.person).state, "left")

      const anonymous = yield* start(ground)
      assert.isUndefined(anonymous.people)
      yield* tracks(ground.organization.id, "authenticated")
      yield* ada.enters(ground.premises)
      assert.isUndefined((yield* get(ground, anonymous.id)).people)
      yield* refused(mark(ground.owner, anonymous.id, marked(ada.person)), "MarkingNotOfMode")
      same(numbersOf(yield* mark(ground.owner, anonymous.id, counted(1))), { ...EMPTY, safe: 1 })
    })
  )

  it.effect("entrances and exits at the moment of a start are before it or after it", () =>
    Effect.gen(function* () {
      const { ground, inHall } = yield* aSite
      const visitors = yield* Effect.all(times(10, () => aVisitor(ground)))
      const inside = yield* Effect.all(visitors.map((visitor) => visitor.enters(inHall)))
      const comers = yield* Effect.all(times(10, () => aVisitor(ground)))
      const { succeeded, refusals } = yield* race([
        ...comers.slice(0, 5).map((comer) => Effect.asVoid(comer.enters(inHall))),
        ...inside.slice(0, 5).map((stay, n) => Effect.asVoid(leave(stay, { by: visitors[n]!.user }))),
        start(ground),
        ...comers.slice(5).map((comer) => Effect.asVoid(comer.enters(inHall))),
        ...inside.slice(5).map((stay, n) => Effect.asVoid(leave(stay, { by: visitors[n + 5]!.user })))
      ])
      same(refusals, {})
      const muster = yield* get(ground, succeeded.find((one) => one !== undefined)!.id)
      // All comers are inside, and those who left after the start are in it.
      for (const { person } of comers) same(stateOf(muster, person).state, "missing")
      for (const { person } of visitors) if (isOf(muster, person)) same(stateOf(muster, person).state, "left")
      assert.strictEqual(muster.missing, 10)
    })
  )

  it.effect("marks at the same moment are all kept, or come after the end", () =>
    Effect.gen(function* () {
      const { ground } = yield* aSite
      const people = times(20, () => aPerson())
      const { id } = yield* start(ground)
      const { refusals } = yield* race([
        ...people.map((person) => Effect.asVoid(mark(ground.owner, id, marked(person)))),
        Effect.asVoid(end(ground, id))
      ])
      const tooLate = refusals["MusterEnded"] ?? 0
      assert.strictEqual((yield* get(ground, id)).safe, 20 - tooLate)
      assert.deepStrictEqual(
        (yield* musterNews(ground)).map(({ state }) => state),
        ["started", ...times(20 - tooLate, () => "updated" as const), "ended"]
      )
    })
  )

  it.effect(
    "marking adds at most 1,000 people who were not known to be inside; a refused marking marks no person",
    () =>
      Effect.gen(function* () {
        const { ground, inHall } = yield* aSite
        const [ada, late] = [yield* aVisitor(ground), yield* aVisitor(ground)]
        yield* ada.enters(inHall)
        const { id } = yield* start(ground)
        const strangers = (count: number) => marked(aPerson(), ...times(count - 1, () => aPerson()))
        // Of these three two are too many.
        const { succeeded, refusals } = yield* race(
          times(3, () => Effect.asVoid(mark(ground.owner, id, strangers(600))))
        )
        assert.deepStrictEqual([succeeded.length, refusals], [1, { TooManyAdded: 2 }])
        same(numbersOf(yield* get(ground, id)), { inside: 601, safe: 600, left: 0, missing: 1 })

        const more = strangers(400)
        if (more._tag === "MarkCount") return assert.fail("people are marked")
        const refusal = yield* refused(
          mark(ground.owner, id, marked(ada.person, late.person, ...more.people)),
          "TooManyAdded"
        )
        same(refusal.limit, 1_000)
        same(numbersOf(yield* get(ground, id)), { inside: 601, safe: 600, left: 0, missing: 1 })
        same((yield* mark(ground.owner, id, more)).safe, 1_000)

        // Who comes in is no longer one of those who were added, nor is who was inside.
        yield* refused(mark(ground.owner, id, marked(late.person)), "TooManyAdded")
        yield* late.enters(inHall, minute(3))
        yield* mark(ground.owner, id, marked(ada.person, late.person, ...more.people))
        same(numbersOf(yield* get(ground, id)), { inside: 1_002, safe: 1_002, left: 0, missing: 0 })
        const updates = times(3, () => "updated" as const)
        assert.deepStrictEqual(
          (yield* musterNews(ground)).map(({ state }) => state),
          ["started", ...updates]
        )
        yield* refused(mark(ground.owner, id, marked(aPerson())), "TooManyAdded")
      })
  )

  it.effect("calls in one step are answered each by its own administrator, and in their order", () =>
    Effect.gen(function* () {
      const { ground, inHall } = yield* aSite
      const { administratorId: viewer } = yield* aBoundAdministrator(ground, "viewer")
      const stranger = someAdministrator()
      const [ada, bob] = [yield* aVisitor(ground), yield* aVisitor(ground)]
      yield* ada.enters(inHall)
      const { id } = yield* start(ground)
      const store = yield* MusterStore
      const verdicts = (answers: ReadonlyArray<Result.Result<unknown, { readonly _tag: string }>>) =>
        answers.map((answer) => (Result.isSuccess(answer) ? "accepted" : answer.failure._tag))
      const readers = [viewer, stranger, ground.owner]
      const accepted = ["accepted", "PermissionTooLow", "accepted"]
      same(verdicts(yield* store.get(id, readers)), accepted)
      same(verdicts(yield* store.inside(inHall, readers)), accepted)
      same(verdicts(yield* store.list(ground.organization.id, readers)), accepted)

      const marking = (administratorId: typeof viewer, minutes: number, ...people: Parameters<typeof marked>) => ({
        administratorId,
        marking: marked(...people),
        now: minute(minutes)
      })
      const answers = yield* store.mark(id, [
        marking(stranger, 2, ada.person),
        marking(viewer, 3, bob.person),
        { administratorId: viewer, marking: counted(1), now: minute(3) },
        marking(viewer, 4, ada.person, bob.person),
        marking(viewer, 5, bob.person)
      ])
      same(verdicts(answers), ["PermissionTooLow", "accepted", "MarkingNotOfMode", "accepted", "accepted"])
      const muster = yield* get(ground, id)
      same([stateOf(muster, ada.person).at, stateOf(muster, bob.person).at], [minute(4), minute(3)])
      for (const answer of answers) if (Result.isSuccess(answer)) same(answer.success, muster)

      const ending = (administratorId: typeof viewer, minutes: number) => ({ administratorId, now: minute(minutes) })
      const ends = yield* store.end(id, [ending(viewer, 6), ending(ground.owner, 7), ending(ground.owner, 8)])
      same(verdicts(ends), ["PermissionTooLow", "accepted", "accepted"])
      same((yield* get(ground, id)).endedAt, minute(7))
      assert.deepStrictEqual(
        (yield* musterNews(ground)).map(({ state }) => state),
        ["started", "updated", "updated", "ended"]
      )
    })
  )

  it.effect("musters are forgotten after their end, with their people, and no others", () =>
    Effect.gen(function* () {
      const { ground, inHall } = yield* aSite
      const ada = yield* aVisitor(ground)
      yield* ada.enters(inHall)
      const [old, recent] = [yield* start(ground), yield* end(ground, (yield* list(ground))[0]!.id, minute(2))]
      assert.strictEqual(old.id, recent.id)
      const later = yield* start(ground)
      yield* end(ground, later.id, minute(5))
      const open = yield* start(ground)
      const forget = MusterStore.use((store) => store.forget(minute(4), 1_000))
      assert.isAtLeast(yield* forget, 1)
      yield* refused(get(ground, old.id), "MusterNotFound")
      same(
        (yield* list(ground)).map(({ id }) => id),
        [open.id, later.id]
      )
      same(stateOf(yield* get(ground, later.id), ada.person).state, "missing")
    })
  )

  it.effect("musters end with their organization", () =>
    Effect.gen(function* () {
      const { ground, inHall } = yield* aSite
      const ada = yield* aVisitor(ground)
      yield* ada.enters(inHall)
      const ended = yield* start(ground)
      yield* end(ground, ended.id)
      const open = yield* start(ground)
      yield* deleted(ground)
      for (const { id } of [ended, open]) {
        yield* refused(get(ground, id), "MusterNotFound")
        yield* refused(end(ground, id), "MusterNotFound")
      }
      yield* refused(list(ground), "OrganizationNotFound")
    })
  )
}
