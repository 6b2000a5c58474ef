/** Laws of `StayLog` for windows of time: accesses in parts, and the time of people inside. */
import {
  type ClosedStay,
  ClosedStayOrder,
  type OrgAuthServerId,
  PermissionLevel,
  PlacePremises,
  type Premises,
  samePremises,
  StayLog,
  type StayWindow,
  timeInside,
  Timestamp
} from "@sojourn/core"
import { assert } from "@effect/vitest"
import { Arbitrary, Effect } from "effect"
import { anyOf, integer, oneOf } from "../../../arbitraries/choice.ts"
import { after, NOW } from "../../../arbitraries/times.ts"
import {
  aBoundAdministrator,
  aLinkedPerson,
  anOrganization,
  aPlace,
  enter,
  MISSING_PREMISES,
  type OrganizationFixture,
  removePlace,
  setTrackingMode,
  someAdministrator
} from "../../shared/fixtures.ts"
import { refused, same } from "../../shared/outcome.ts"
import type { Laws } from "../../shared/suite.ts"
import { aStay } from "./readings.ts"

const DAY = 86_400_000

/** A stay of one of the people at one of the premises, or an anonymous one. */
interface DrawnStay {
  readonly person: number
  readonly at: number
  readonly from: number
  readonly length: number
}

/** Many entrances are at one instant; lengths are on both sides of a day, and of some days. */
const drawnStay: Arbitrary.Arbitrary<DrawnStay> = Arbitrary.all({
  person: integer(0, 2),
  at: integer(0, 2),
  from: oneOf(anyOf([0, 1, -1]), integer(-5, 5), integer(-40 * DAY, 40 * DAY)),
  length: oneOf(anyOf([0, 1, DAY - 1, DAY, DAY + 1, 2 * DAY, 4 * DAY]), integer(0, 10), integer(0, 100 * DAY))
})

const drawnStays = Arbitrary.array(drawnStay, { maxLength: 25 })

/** All times are long ago. */
const MIDDLE = after(NOW, -300 * DAY)

/** An authenticated organization with a hall and a room, and people of it. */
const aSite = Effect.gen(function* () {
  const fixture = yield* anOrganization({ trackingMode: "authenticated" })
  const hall = yield* aPlace(fixture, { left: 0, bottom: 0, right: 4, top: 8 })
  const room = yield* aPlace(fixture, { left: 4, bottom: 0, right: 8, top: 8 })
  const people = yield* Effect.all([aLinkedPerson(fixture), aLinkedPerson(fixture), aLinkedPerson(fixture)])
  const premises: ReadonlyArray<Premises> = [fixture.premises, PlacePremises(hall.id), PlacePremises(room.id)]
  const live = ({ person, at, from, length }: DrawnStay) =>
    aStay(premises[at]!, MIDDLE - NOW + from, length, people[person]!.user)
  return { fixture, hall, premises, people: people.map(({ person }) => person), live }
})

type Asked = Partial<StayWindow> & { readonly premises: Premises }

const windowOf = ({ owner }: Pick<OrganizationFixture, "owner">, asked: Asked) =>
  StayLog.use((log) =>
    log.closedInWindow(owner, {
      isOwn: false,
      people: undefined,
      from: after(MIDDLE, -100 * DAY),
      to: after(MIDDLE, 100 * DAY),
      after: undefined,
      most: 1_000,
      ...asked
    })
  )

/** All parts of a window. `between` runs after the first. */
const allOf = Effect.fnUntraced(function* <E, R>(
  fixture: OrganizationFixture,
  asked: Asked & { readonly most: number },
  between: Effect.Effect<unknown, E, R>
) {
  const stays: Array<ClosedStay> = []
  let part: ReadonlyArray<ClosedStay>
  do {
    part = yield* windowOf(fixture, { ...asked, after: stays.at(-1) })
    assert.isAtMost(part.length, asked.most)
    if (stays.length === 0) yield* between
    stays.push(...part)
  } while (part.length === asked.most)
  return stays
})

const insideOf = ({ owner }: Pick<OrganizationFixture, "owner">, premises: Premises, from: number, to: number) =>
  StayLog.use((log) => log.timePerPersonInside(owner, premises, { from: Timestamp(from), to: Timestamp(to) }))

export const windowLaws: Laws = (it) => {
  it.prop(
    "parts of a window hold each stay of a person once, in their order, whatever is added meanwhile",
    { before: drawnStays, meanwhile: drawnStays, most: integer(1, 4), from: integer(-3, 3), length: integer(1, 6) },
    function* ({ before, meanwhile, most, from, length }) {
      const { fixture, premises, people, live } = yield* aSite
      const stays = yield* Effect.forEach(before, live)
      const window = { from: after(MIDDLE, from), to: after(MIDDLE, from + length), most }
      const isInside = ({ entrance }: ClosedStay) => entrance >= window.from && entrance < window.to
      const asked: ReadonlyArray<readonly [asked: Asked, isOf: (stay: ClosedStay) => boolean]> = [
        [{ premises: fixture.premises }, () => true],
        [{ premises: fixture.premises, isOwn: true }, (stay) => samePremises(stay.premises, fixture.premises)],
        [{ premises: premises[1]! }, (stay) => samePremises(stay.premises, premises[1]!)],
        [{ premises: fixture.premises, people: people.slice(1) }, (stay) => stay.orgAuthServerId !== people[0]],
        [
          { premises: premises[2]!, people: [people[0]!, people[0]!] },
          (stay) => samePremises(stay.premises, premises[2]!) && stay.orgAuthServerId === people[0]
        ]
      ]
      for (const [query, isOf] of asked) {
        const expected = stays.filter((stay) => isInside(stay) && isOf(stay)).sort(ClosedStayOrder)
        same(yield* windowOf(fixture, { ...query, ...window, most: 1_000 }), expected)
        same(yield* allOf(fixture, { ...query, ...window }, Effect.void), expected)
      }
      const known = stays.filter(isInside).sort(ClosedStayOrder)
      const read = yield* allOf(fixture, { premises: fixture.premises, ...window }, Effect.forEach(meanwhile, live))
      same(
        read.filter((stay) => stays.some(({ id }) => id === stay.id)),
        known
      )
      same([...read].sort(ClosedStayOrder), read)
      assert.strictEqual(new Set(read.map(({ id }) => id)).size, read.length)
    }
  )

  it("a window leaves out open stays, anonymous ones, and those of places that were removed", function* () {
    const { fixture, hall, premises, people, live } = yield* aSite
    yield* live({ person: 0, at: 1, from: 0, length: 1 })
    const kept = yield* live({ person: 1, at: 0, from: 1, length: 1 })
    const { user } = yield* aLinkedPerson(fixture)
    yield* enter(fixture.premises, { by: user, timestamp: MIDDLE })
    yield* setTrackingMode(fixture.id, "anonymous")
    yield* aStay(premises[2]!, MIDDLE - NOW, 1)
    yield* setTrackingMode(fixture.id, "authenticated")
    yield* removePlace(fixture, hall)
    same(yield* windowOf(fixture, { premises: fixture.premises }), [kept])
    same(yield* windowOf(fixture, { premises: fixture.premises, people }), [kept])
    yield* refused(windowOf(fixture, { premises: premises[1]! }), "PremisesNotFound")
  })

  it("a window is for viewers of authenticated organizations", function* (other) {
    const { fixture, premises, live } = yield* aSite
    const stay = yield* live({ person: 0, at: 1, from: 0, length: 1000 })
    for (const level of PermissionLevel.literals) {
      const { administratorId: owner } = yield* aBoundAdministrator(fixture, level)
      same(yield* windowOf({ owner }, { premises: fixture.premises }), [stay])
      same(yield* windowOf({ owner }, { premises: premises[1]! }), [stay])
      same(yield* insideOf({ owner }, premises[1]!, MIDDLE, MIDDLE + 400), [
        { orgAuthServerId: stay.orgAuthServerId, milliseconds: 400 }
      ])
    }
    for (const owner of [other.owner, someAdministrator()]) {
      for (const where of premises) {
        yield* refused(windowOf({ owner }, { premises: where }), "PermissionTooLow")
        yield* refused(insideOf({ owner }, where, MIDDLE, MIDDLE + 1), "PermissionTooLow")
      }
    }
    for (const missing of MISSING_PREMISES) {
      yield* refused(windowOf(fixture, { premises: missing }), "PremisesNotFound")
      yield* refused(insideOf(fixture, missing, MIDDLE, MIDDLE + 1), "PremisesNotFound")
    }
    yield* setTrackingMode(fixture.id, "anonymous")
    yield* refused(windowOf(fixture, { premises: fixture.premises }), "PeopleNotTracked")
    yield* refused(windowOf(fixture, { premises: premises[1]! }), "PeopleNotTracked")
    yield* refused(windowOf(other, { premises: fixture.premises }), "PermissionTooLow")
  })

  it.prop(
    "the time per person inside a window is that of the stays as they are cut at its ends",
    { drawn: drawnStays, from: integer(-3 * DAY, 3 * DAY), length: oneOf(integer(1, 5), integer(1, 30 * DAY)) },
    function* ({ drawn, from, length }) {
      const { fixture, premises, people, live } = yield* aSite
      const stays = yield* Effect.forEach(drawn, live)
      const window = { from: after(MIDDLE, from), to: after(MIDDLE, from + length) }
      for (const where of premises.slice(0, 2)) {
        const timeOf = (person: OrgAuthServerId) =>
          stays
            .filter((stay) => stay.orgAuthServerId === person && samePremises(stay.premises, where))
            .reduce((sum, stay) => sum + timeInside(stay, window), 0)
        const expected = [...people]
          .sort()
          .map((orgAuthServerId) => ({ orgAuthServerId, milliseconds: timeOf(orgAuthServerId) }))
          .filter(({ milliseconds }) => milliseconds > 0)
        same(yield* insideOf(fixture, where, window.from, window.to), expected)
      }
    }
  )
}
