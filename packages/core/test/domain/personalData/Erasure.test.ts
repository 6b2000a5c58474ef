/** The rules of erasure: last owners, names in kept records, and the totals in the ledger. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result } from "effect"
import {
  type AdministratorId,
  addErased,
  dayOf,
  type DeletionRequest,
  DeletionRequestId,
  ERASED,
  isMentionedIn,
  erasureEntry,
  formatTimestamp,
  lowersTotals,
  NOTHING_ERASED,
  OperatorId,
  OrganizationId,
  PlaceId,
  type Permission,
  type Removal,
  requireOtherOwners,
  addEntries,
  wholeSeconds,
  withoutDecider,
  withoutMaker,
  withoutMention
} from "../../../src/index.ts"
import { ADMINISTRATORS, anyOf, integer, NOW, permissions, timestamp } from "@sojourn/testing"
import { trials } from "../../trials.ts"

const several = <A>(item: Arbitrary.Arbitrary<A>, most = 4): Arbitrary.Arbitrary<ReadonlyArray<A>> =>
  Arbitrary.flatMap(integer(0, most), (count) => Arbitrary.all(Array.from({ length: count }, () => item)))

/** The permissions of several organizations, numbered from 1. */
const organizations = Arbitrary.map(several(permissions), (all) =>
  all.map((ofOne, i) =>
    ofOne.map((permission): Permission => ({ ...permission, organizationId: OrganizationId.make(BigInt(i + 1)) }))
  )
)

const ownersOf = (all: ReadonlyArray<Permission>) => all.filter(({ level }) => level === "owner")
const without = (all: ReadonlyArray<Permission>, who: AdministratorId) =>
  all.filter(({ administratorId }) => administratorId !== who)

const removal: Arbitrary.Arbitrary<Removal> = Arbitrary.all({
  accesses: integer(0, 5),
  openStays: integer(0, 2),
  inPlaces: several(integer(0, 100_000))
})

describe("an administrator", () => {
  it.prop(
    "may be erased who leaves every organization an owner, and else the refusal names those without another",
    { all: organizations, who: anyOf([ADMINISTRATORS[0]!, ...ADMINISTRATORS]) },
    ({ all, who }) => {
      const result = requireOtherOwners(who, all)
      const ownerless = all.filter((ofOne) => ownersOf(without(ofOne, who)).length === 0)
      if (Result.isSuccess(result)) assert.deepStrictEqual(ownerless, [])
      else {
        assert.deepStrictEqual(
          result.failure.organizationIds,
          ownerless.map(([permission]) => permission!.organizationId)
        )
        assert.isAbove(result.failure.organizationIds.length, 0)
      }
    },
    trials()
  )
})

describe("deletion requests", () => {
  it("replace names by a text that stores accept", () => assert.strictEqual(ERASED, "(erased)"))

  const wish = {
    id: DeletionRequestId.make(1n),
    organizationId: OrganizationId.make(2n),
    administratorId: ADMINISTRATORS[0]!,
    reason: "we close, says ada",
    creationDate: NOW
  }
  const decision = { decisionDate: NOW, decidedBy: OperatorId.make("olga") }
  const requests: ReadonlyArray<DeletionRequest> = [
    { ...wish, status: "pending" },
    { ...wish, ...decision, status: "approved" },
    { ...wish, ...decision, status: "rejected" }
  ]

  it("lose the name and the words of their author, and keep everything else", () => {
    for (const request of requests) {
      assert.deepStrictEqual(withoutMaker(request), {
        ...request,
        administratorId: ERASED as AdministratorId,
        reason: undefined
      })
    }
    const [ada, bob] = ["ada" as AdministratorId, "bob" as AdministratorId]
    const places = [
      { placeId: PlaceId.make(1n), at: NOW, by: ada },
      { placeId: PlaceId.make(2n), at: NOW, by: bob }
    ]
    const muster = { startedBy: ada, note: "Fire", kind: "drill" as const, swept: places }
    const erased = ERASED as AdministratorId
    assert.deepStrictEqual<object>(withoutMention(muster, ada), {
      startedBy: erased,
      note: undefined,
      kind: "drill",
      swept: [{ ...places[0]!, by: erased }, places[1]!]
    })
    assert.deepStrictEqual<object>(withoutMention(muster, bob), {
      ...muster,
      swept: [places[0]!, { ...places[1]!, by: erased }]
    })
    assert.deepStrictEqual(
      [ada, bob, erased].map((name) => isMentionedIn(muster, name)),
      [true, true, false]
    )
  })

  it("lose the name of their decider, and keep the decision", () => {
    const [pending, ...decided] = requests
    assert.deepStrictEqual(withoutDecider(pending!), pending)
    for (const request of decided) {
      assert.deepStrictEqual(withoutDecider(request), { ...request, decidedBy: ERASED } as DeletionRequest)
    }
  })
})

describe("what erasures removed", () => {
  it.prop(
    "adds up kind by kind",
    { counts: Arbitrary.all(Array.from({ length: 9 }, () => integer(0, 100))) },
    ({ counts }) => {
      const kinds = Object.keys(NOTHING_ERASED)
      const one = Object.fromEntries(kinds.map((kind, i) => [kind, counts[i]])) as unknown as typeof NOTHING_ERASED
      assert.strictEqual(kinds.length, 9)
      assert.deepStrictEqual(addErased(one, NOTHING_ERASED), one)
      assert.deepStrictEqual(
        Object.values(addErased(one, one)),
        counts.map((count) => 2 * count)
      )
    },
    trials()
  )
})

describe("the ledger of erasures", () => {
  it.prop(
    "has the day that an instant is of in UTC",
    { at: timestamp },
    ({ at }) => assert.strictEqual(dayOf(at), formatTimestamp(at).slice(0, 10)),
    trials()
  )

  it.prop(
    "sums a day up: people, accesses, open stays, and the seconds that reports lost, whatever the order",
    { removals: Arbitrary.filter(several(removal, 6), (all) => all.length > 0), at: timestamp },
    ({ removals, at }) => {
      const organizationId = OrganizationId.make(7n)
      const sum = (of: (one: Removal) => number) => removals.reduce((total, one) => total + of(one), 0)
      const entries = removals.map((one) => erasureEntry(organizationId, at, one))
      const expected = {
        organizationId,
        day: dayOf(at),
        people: removals.length,
        accesses: sum(({ accesses }) => accesses),
        openStays: sum(({ openStays }) => openStays),
        totalTime: sum(({ inPlaces }) => inPlaces.reduce((total, one) => total + wholeSeconds(one), 0))
      }
      assert.deepStrictEqual(entries.reduce(addEntries), expected)
      assert.deepStrictEqual(entries.toReversed().reduce(addEntries), expected)
    },
    trials()
  )

  it.prop(
    "has an entry for what a total holds alone",
    { one: removal },
    ({ one }) => assert.strictEqual(lowersTotals(one), one.accesses + one.openStays > 0),
    trials()
  )
})
