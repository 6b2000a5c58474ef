/** The rules of a muster: the state and location of each person, marking, permissions, bounds and the CSV. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Option, Schema } from "effect"
import { anyOf, integer, level, LEVELS, maybe, mode, NOW, someOf, timestamp } from "@sojourn/testing"
import {
  AdministratorId,
  anonymousNumbers,
  byPerson,
  type CountedPlace,
  countStates,
  firstEntries,
  isAtLeast,
  isBlank,
  MarkedCount,
  MarkedPeople,
  type MusterEntry,
  MusterId,
  MusterNote,
  type MusterPerson,
  MUSTER_CSV_NAMES,
  musterCrowd,
  musterCsvLine,
  musterPremises,
  musterPeople,
  type MusterStay,
  keepEnded,
  markSafe,
  markSwept,
  mayAdd,
  mayListInside,
  mayMark,
  mayStartMuster,
  OrganizationId,
  OrganizationPremises,
  OrgAuthServerId,
  PersonInsideOrder,
  PlaceId,
  type SweptPlace,
  takeBackMarks,
  Timestamp
} from "../../../src/index.ts"
import { trials, verdict } from "../../trials.ts"

const several = <A>(item: Arbitrary.Arbitrary<A>, most = 6): Arbitrary.Arbitrary<ReadonlyArray<A>> =>
  Arbitrary.flatMap(integer(0, most), (count) => Arbitrary.all(Array.from({ length: count }, () => item)))

const boolean = anyOf([true, false])
const PEOPLE = ["ada", "bob", "cleo", "=1+1"].map((id) => OrgAuthServerId.make(id))
const person = anyOf([PEOPLE[0]!, ...PEOPLE.slice(1)])
const place = Arbitrary.map(integer(1, 3), (id) => PlaceId.make(BigInt(id)))
const minute = Arbitrary.map(integer(0, 5), (minutes) => Timestamp(NOW + minutes * 60_000))

const stay: Arbitrary.Arbitrary<MusterStay> = Arbitrary.map(
  Arbitrary.all({ orgAuthServerId: person, placeId: maybe(place), entrance: minute, stayed: maybe(integer(0, 3)) }),
  ({ stayed, ...of }) => ({
    ...of,
    exit: stayed === undefined ? undefined : Timestamp(of.entrance + stayed * 60_000)
  })
)
const entry: Arbitrary.Arbitrary<MusterEntry> = Arbitrary.map(
  Arbitrary.all({
    orgAuthServerId: person,
    placeIds: several(place, 2),
    since: maybe(minute),
    markedAt: minute,
    isMarked: anyOf([true, false]),
    endedAt: maybe(minute)
  }),
  ({ isMarked, markedAt, endedAt, ...of }) =>
    // An entry of a person who was not inside is there because they were marked.
    of.since === undefined ? { ...of, markedAt } : { ...of, ...(isMarked && { markedAt }), endedAt }
)
const entries = Arbitrary.map(several(entry), (all) => [
  ...new Map(all.map((one) => [one.orgAuthServerId, one])).values()
])
const stays = several(stay)

const stateOf = (people: ReadonlyArray<MusterPerson>, who: OrgAuthServerId) =>
  people.find(({ orgAuthServerId }) => orgAuthServerId === who)

describe("the people of a muster", () => {
  it.prop(
    "are those of its entries and stays, each once, in the order of their ids",
    { entries, stays },
    ({ entries, stays }) => {
      const expected = new Set([...entries, ...stays].map(({ orgAuthServerId }) => orgAuthServerId))
      assert.deepStrictEqual(
        musterPeople(entries, stays).map(({ orgAuthServerId }) => orgAuthServerId),
        [...expected].sort()
      )
    },
    trials()
  )

  it.prop(
    "left once they are inside of nothing any more, else are safe once marked, else missing",
    { entries, stays },
    ({ entries, stays }) => {
      for (const { orgAuthServerId: who, state } of musterPeople(entries, stays)) {
        const theirs = stays.filter(({ orgAuthServerId }) => orgAuthServerId === who)
        const known = entries.find(({ orgAuthServerId }) => orgAuthServerId === who)
        const isInside = theirs.some(({ exit }) => exit === undefined)
        const wasInside = theirs.length > 0 || known?.since !== undefined
        const isMarked = known?.markedAt !== undefined
        assert.strictEqual(state, !isInside && wasInside ? "left" : isMarked ? "safe" : "missing")
      }
    },
    trials()
  )

  it.prop(
    "are where their open stays are, since the first entrance of these, or where and when they were last inside",
    { stays },
    ({ stays }) => {
      for (const { orgAuthServerId: who, placeIds, since, at, state } of musterPeople([], stays)) {
        const theirs = stays.filter(({ orgAuthServerId }) => orgAuthServerId === who)
        const open = theirs.filter(({ exit }) => exit === undefined)
        const exits = theirs.map(({ exit }) => exit ?? -Infinity)
        const last = open.length > 0 ? open : theirs.filter(({ exit }) => exit === Math.max(...exits))
        const places = new Set(last.flatMap(({ placeId }) => (placeId === undefined ? [] : [placeId])))
        assert.deepStrictEqual(placeIds, [...places].sort())
        assert.strictEqual(since, Math.min(...last.map(({ entrance }) => entrance)))
        assert.strictEqual(at, state === "left" ? Math.max(...exits) : undefined)
      }
    },
    trials()
  )

  it.prop(
    "were last where the stays were that ended last, with their exit if none of these ended without one",
    { ended: several(Arbitrary.all({ stay, at: minute })), closed: several(stay) },
    ({ ended, closed }) => {
      const entries = new Map<OrgAuthServerId, MusterEntry>()
      for (const { stay, at } of ended) {
        entries.set(stay.orgAuthServerId, keepEnded(entries.get(stay.orgAuthServerId), stay, at))
      }
      const stays = closed.map((one) => ({ ...one, exit: one.exit ?? one.entrance }))
      for (const { orgAuthServerId: who, placeIds, since, at, state } of musterPeople([...entries.values()], stays)) {
        const lost = ended.filter(({ stay }) => stay.orgAuthServerId === who)
        const left = stays.filter(({ orgAuthServerId }) => orgAuthServerId === who)
        const lostAt = Math.max(...lost.map((one) => one.at))
        const leftAt = Math.max(...left.map(({ exit }) => exit))
        const last: ReadonlyArray<Omit<MusterStay, "exit">> =
          lostAt >= leftAt
            ? lost.filter((one) => one.at === lostAt).map((one) => one.stay)
            : left.filter(({ exit }) => exit === leftAt)
        assert.strictEqual(state, "left")
        assert.strictEqual(at, lostAt >= leftAt ? undefined : leftAt)
        assert.deepStrictEqual(placeIds, [...new Set(last.flatMap(({ placeId }) => placeId ?? []))].sort())
        assert.strictEqual(since, Math.min(...last.map(({ entrance }) => entrance)))
      }
    },
    trials()
  )

  it.prop(
    "who were inside at the start and have no stay any more left from where they were",
    { stays },
    ({ stays }) => {
      const open = stays.map(({ exit: _, ...of }) => of)
      const first = firstEntries(open)
      assert.deepStrictEqual(
        musterPeople(first, []),
        musterPeople([], open).map((of) => ({ ...of, state: "left" as const }))
      )
      assert.deepStrictEqual(musterPeople(first, open), musterPeople([], open))
    },
    trials()
  )

  it.prop(
    "add up to the numbers",
    { entries, stays },
    ({ entries, stays }) => {
      const people = musterPeople(entries, stays)
      const { inside, safe, left, missing } = countStates(people)
      assert.strictEqual(inside, people.length)
      assert.strictEqual(safe + left + missing, inside)
      assert.strictEqual(left, people.filter(({ state }) => state === "left").length)
      assert.strictEqual(missing, people.filter(({ state }) => state === "missing").length)
    },
    trials()
  )
})

describe("marking", () => {
  const marked = (all: ReadonlyArray<MusterEntry>, changes: ReadonlyArray<MusterEntry>) => [
    ...new Map([...all, ...changes].map((one) => [one.orgAuthServerId, one])).values()
  ]

  it.prop(
    "marks as safe the people who are inside or were never known to be, changes no one else, and is done once",
    { entries, stays, people: someOf(PEOPLE), now: minute, later: minute },
    ({ entries, stays, people: called, now, later }) => {
      const before = musterPeople(entries, stays)
      const changes = markSafe(entries, before, [...called, ...called], now)
      const after = marked(entries, changes)
      const people = musterPeople(after, stays)
      for (const who of called) {
        const was = stateOf(before, who)
        assert.strictEqual(stateOf(people, who)!.state, was?.state === "left" ? "left" : "safe")
        if (was?.state === "safe") assert.deepStrictEqual(stateOf(people, who), was)
        if (was?.state === "missing") assert.deepStrictEqual(stateOf(people, who), { ...was, state: "safe", at: now })
      }
      for (const other of before) {
        if (!called.includes(other.orgAuthServerId))
          assert.deepStrictEqual(stateOf(people, other.orgAuthServerId), other)
      }
      assert.deepStrictEqual(markSafe(after, people, called, later), [])
    },
    trials()
  )

  it.prop(
    "keeps where people are: they left from there when their stays are gone",
    { stays, now: minute },
    ({ stays, now }) => {
      const people = musterPeople([], stays)
      const all = markSafe([], people, PEOPLE, now)
      for (const { orgAuthServerId, placeIds, since, state } of musterPeople(all, [])) {
        const was = stateOf(people, orgAuthServerId)
        assert.strictEqual(state, was === undefined ? "safe" : "left")
        assert.deepStrictEqual({ placeIds, since }, { placeIds: was?.placeIds ?? [], since: was?.since })
      }
    },
    trials()
  )

  it.prop(
    "is for viewers, of what the muster knows, until it ends",
    {
      level: maybe(level),
      mode,
      endedAt: maybe(timestamp),
      isCount: boolean,
      takesBack: boolean,
      count: integer(0, 9)
    },
    ({ level, mode, endedAt, isCount, takesBack, count }) => {
      const marking = isCount
        ? ({ _tag: "MarkCount", count } as const)
        : ({ _tag: takesBack ? "UnmarkPeople" : "MarkPeople", people: [PEOPLE[0]!] } as const)
      assert.strictEqual(
        verdict(mayMark(Option.fromUndefinedOr(level), { mode, endedAt }, marking, () => false)),
        level === undefined
          ? "PermissionTooLow"
          : isCount !== (mode === "anonymous")
            ? "MarkingNotOfMode"
            : endedAt !== undefined
              ? "MusterEnded"
              : "accepted"
      )
    },
    trials()
  )
})

describe("taking marks back", () => {
  it.prop(
    "undoes marking, and takes out who was added by it alone",
    { entries, stays, called: several(person, 3), now: minute },
    ({ entries, stays, called, now }) => {
      const unmarked = entries.map(({ markedAt: _, ...entry }) => entry).filter((entry) => !isBlank(entry))
      const before = musterPeople(unmarked, stays)
      const after = new Map(unmarked.map((entry) => [entry.orgAuthServerId, entry as MusterEntry]))
      const marked = markSafe(unmarked, before, called, now)
      for (const entry of marked) after.set(entry.orgAuthServerId, entry)
      const people = musterPeople([...after.values()], stays)
      const takenBack = takeBackMarks([...after.values()], people, [...called, ...called])
      assert.deepStrictEqual(
        takenBack.map(({ orgAuthServerId }) => orgAuthServerId).sort(),
        [...new Set(called)].sort()
      )
      for (const entry of takenBack) {
        if (isBlank(entry)) after.delete(entry.orgAuthServerId)
        else after.set(entry.orgAuthServerId, entry)
      }
      assert.deepStrictEqual(musterPeople([...after.values()], stays), before)
      assert.deepStrictEqual(takeBackMarks([...after.values()], before, called), [])
    },
    trials()
  )

  it.prop(
    "leaves people without a mark, and those who were not called",
    { entries, stays, called: several(person, 3) },
    ({ entries, stays, called }) => {
      for (const { orgAuthServerId, markedAt } of takeBackMarks(entries, musterPeople(entries, stays), called)) {
        assert.isUndefined(markedAt)
        assert.isTrue(called.includes(orgAuthServerId))
        assert.isTrue(
          entries.some((entry) => entry.orgAuthServerId === orgAuthServerId && entry.markedAt !== undefined)
        )
      }
    },
    trials()
  )
})

describe("places that are searched", () => {
  const by = AdministratorId.make("ada")

  it.prop(
    "are kept by id with the first search, until it is taken back",
    { calls: several(Arbitrary.all({ placeId: place, isSwept: boolean, at: minute })) },
    ({ calls }) => {
      let swept: ReadonlyArray<SweptPlace> = []
      const expected = new Map<PlaceId, SweptPlace>()
      for (const { placeId, isSwept, at } of calls) {
        const after = markSwept(swept, { _tag: "MarkSwept", placeId, isSwept }, by, at)
        assert.strictEqual(after === swept, expected.has(placeId) === isSwept)
        if (!isSwept) expected.delete(placeId)
        else if (!expected.has(placeId)) expected.set(placeId, { placeId, at, by })
        swept = after
        assert.deepStrictEqual(
          swept,
          [...expected.values()].sort((one, other) => Number(one.placeId - other.placeId))
        )
      }
    },
    trials()
  )

  it("are those of the organization, for viewers, until the muster ends, whatever its mode", () => {
    const marking = { _tag: "MarkSwept", placeId: PlaceId.make(1n), isSwept: true } as const
    for (const mode of ["anonymous", "authenticated"] as const) {
      const verdictOn = (endedAt: Timestamp | undefined, hasPlace: boolean) =>
        verdict(mayMark(Option.some("viewer"), { mode, endedAt }, marking, () => hasPlace))
      assert.strictEqual(verdictOn(undefined, true), "accepted")
      assert.strictEqual(verdictOn(NOW, true), "MusterEnded")
      assert.strictEqual(verdictOn(NOW, false), "SweptPlaceUnknown")
      assert.strictEqual(verdict(mayMark(Option.none(), { mode }, marking, () => false)), "PermissionTooLow")
    }
  })
})

describe("the numbers of an anonymous muster", () => {
  it.prop(
    "say that as many are missing as were inside and neither left nor are safe, as these may be the same people",
    { inside: integer(0, 9), entered: integer(-2, 9), safe: integer(0, 20), exits: integer(-2, 20) },
    ({ inside: began, entered, safe, exits }) => {
      const { inside, left, missing, ...others } = anonymousNumbers({ inside: began, entered, exits }, safe)
      assert.deepStrictEqual(others, { safe })
      assert.strictEqual(inside, began + Math.max(0, entered))
      assert.strictEqual(left, Math.max(0, exits))
      assert.strictEqual(missing, Math.max(0, Math.min(inside - left, inside - safe)))
    },
    trials()
  )

  const counted = (id: bigint, inside: number, parentId?: bigint): CountedPlace => ({
    placeId: PlaceId.make(id),
    parentId: parentId === undefined ? undefined : PlaceId.make(parentId),
    inside
  })

  it.each<[string, number, ReadonlyArray<CountedPlace>, ReadonlyArray<bigint | undefined>]>([
    ["the organization itself where it has no places", 0, [], [undefined]],
    ["the organization itself where its places have no more", 3, [counted(1n, 1), counted(2n, 2)], [undefined]],
    ["its outermost places where these have more", 2, [counted(1n, 1), counted(2n, 2)], [1n, 2n]],
    ["empty ones among them, which people may come into", 0, [counted(1n, 7), counted(2n, 0)], [1n, 2n]],
    ["not their parts where these have no more", 0, [counted(1n, 4), counted(2n, 4, 1n)], [1n]],
    ["their parts where these have more", 0, [counted(1n, 4), counted(2n, 3, 1n), counted(3n, 2, 1n)], [2n, 3n]],
    [
      "parts of parts, in place of one part alone",
      5,
      [counted(1n, 0), counted(2n, 1, 1n), counted(3n, 4, 2n), counted(4n, 2, 1n), counted(5n, 1)],
      [3n, 4n, 5n]
    ],
    ["parts that make the outermost places more than the organization", 4, [counted(1n, 1), counted(2n, 5, 1n)], [2n]]
  ])("go by %s", (_, own, places, expected) => {
    assert.deepStrictEqual<ReadonlyArray<unknown>>(musterPremises(own, places), expected)
  })
})

describe("the bounds", () => {
  const premises = OrganizationPremises(OrganizationId.make(1n))

  it("lists of who is inside are for viewers of authenticated organizations", () => {
    for (const held of [undefined, ...LEVELS]) {
      const level = Option.fromUndefinedOr(held)
      const isBound = held !== undefined
      assert.strictEqual(
        verdict(mayListInside(level, "authenticated", premises)),
        isBound ? "accepted" : "PermissionTooLow"
      )
      assert.strictEqual(
        verdict(mayListInside(level, "anonymous", premises)),
        isBound ? "PeopleNotTracked" : "PermissionTooLow"
      )
    }
  })

  it("a manager starts a muster while none is open", () => {
    for (const held of [undefined, ...LEVELS]) {
      const level = Option.fromUndefinedOr(held)
      const isManager = held !== undefined && isAtLeast(held, "manager")
      assert.strictEqual(verdict(mayStartMuster(level, undefined)), isManager ? "accepted" : "PermissionTooLow")
      assert.strictEqual(
        verdict(mayStartMuster(level, MusterId.make(7n))),
        isManager ? "MusterOpen" : "PermissionTooLow"
      )
    }
  })

  it("marking is refused where it would add more people than were inside, and than 1,000", () => {
    for (const [inside, limit] of [
      [0, 1_000],
      [1_000, 1_000],
      [1_001, 1_001],
      [20_000, 20_000]
    ] as const) {
      assert.strictEqual(verdict(mayAdd(1, { inside, added: limit - 1 })), "accepted")
      assert.strictEqual(verdict(mayAdd(limit, { inside, added: 0 })), "accepted")
      assert.strictEqual(verdict(mayAdd(1, { inside, added: limit })), "TooManyAdded")
      assert.strictEqual(verdict(mayAdd(limit + 1, { inside, added: 0 })), "TooManyAdded")
      assert.strictEqual(verdict(mayAdd(0, { inside, added: limit + 5 })), "accepted")
    }
  })

  it.prop(
    "the crowd is the people of a muster by whether they were inside",
    { entries, stays },
    ({ entries, stays }) => {
      const people = musterPeople(entries, stays)
      const inside = people.filter(({ since }) => since !== undefined).length
      assert.deepStrictEqual(musterCrowd(entries, stays), { inside, added: people.length - inside })
    },
    trials()
  )

  it("a note has up to 512 characters, 1 to 1,000 people are marked, and 0 to 10,000,000 are counted", () => {
    const isNote = Schema.is(MusterNote)
    assert.isTrue(isNote("") && isNote("😀".repeat(512)))
    assert.isFalse(isNote("x".repeat(513)) || isNote("\u0000"))
    const arePeople = Schema.is(MarkedPeople)
    assert.isTrue(arePeople(["ada"]) && arePeople(Array.from({ length: 1_000 }, () => "ada")))
    assert.isFalse(arePeople([]) || arePeople(Array.from({ length: 1_001 }, () => "ada")) || arePeople([""]))
    const isCount = Schema.is(MarkedCount)
    assert.isTrue(isCount(0) && isCount(10_000_000))
    assert.isFalse(isCount(-1) || isCount(0.5) || isCount(10_000_001))
  })
})

describe("the order of who is inside", () => {
  it.prop(
    "is by person, then the organization as a whole, then the places by id",
    { stays },
    ({ stays }) => {
      const sorted = stays
        .map(({ orgAuthServerId, placeId, entrance }) => ({ orgAuthServerId, placeId, since: entrance }))
        .sort(PersonInsideOrder)
      for (const [i, one] of sorted.slice(1).entries()) {
        const other = sorted[i]!
        assert.isAtMost(byPerson(other, one), 0)
        if (byPerson(other, one) === 0) assert.isTrue((other.placeId ?? 0n) <= (one.placeId ?? 0n))
      }
    },
    trials()
  )
})

it("the CSV of a muster has a line for each person, with a guard before what a spreadsheet would take for a formula", () => {
  const [at, placeIds] = [Timestamp(Date.UTC(2026, 2, 1)), [PlaceId.make(1n), PlaceId.make(2n)]]
  const known = { orgAuthServerId: PEOPLE[3]!, placeIds, since: at, state: "left", at } as const
  const added = {
    orgAuthServerId: PEOPLE[0]!,
    placeIds: [],
    since: undefined,
    state: "missing",
    at: undefined
  } as const
  assert.strictEqual(MUSTER_CSV_NAMES, "\ufefforgAuthServerId,placeIds,since,state,at\r\n")
  assert.strictEqual(musterCsvLine(known), "'=1+1,1 2,2026-03-01T00:00:00.000Z,left,2026-03-01T00:00:00.000Z\r\n")
  assert.strictEqual(musterCsvLine(added), "ada,,,missing,\r\n")
})
