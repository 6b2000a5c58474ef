/** The rules of entrances and exits: the person, the timestamps, repeated exits, and the order of closed stays. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import {
  admit,
  type ClosedStay,
  ClosedStayOrder,
  endOfLeftBehind,
  isLeftBehind,
  LARGEST_LAG_MS,
  LARGEST_LEAD,
  type MovementClaim,
  type MovementFacts,
  type OpenStay,
  OrganizationId,
  OrganizationPremises,
  OrgAuthServerId,
  PlaceId,
  PlacePremises,
  settle,
  StayId,
  Timestamp
} from "../../../src/index.ts"
import { after, closedStay, movementClaim, movementFacts, NOW, openStay } from "@sojourn/testing"
import { combinations, refusal, trials, verdict } from "../../trials.ts"

const [ada, bob] = [OrgAuthServerId.make("ada"), OrgAuthServerId.make("bob")]
const people = [undefined, ada, bob] as const
const MODES = ["anonymous", "authenticated"] as const
const TIMES = [
  undefined,
  after(NOW, -LARGEST_LAG_MS),
  NOW,
  after(NOW, LARGEST_LEAD),
  after(NOW, LARGEST_LEAD + 1),
  after(NOW, -LARGEST_LAG_MS - 1)
] as const

const facts = (mode: "anonymous" | "authenticated", linked: OrgAuthServerId | undefined): MovementFacts => ({
  mode,
  linked: Option.fromUndefinedOr(linked)
})
const claim = (timestamp: Timestamp | undefined, orgAuthServerId?: OrgAuthServerId): MovementClaim => ({
  timestamp,
  orgAuthServerId,
  now: NOW
})
const open = (entrance: Timestamp, orgAuthServerId?: OrgAuthServerId): OpenStay => ({
  _tag: "OpenStay",
  id: StayId.make(1n),
  organizationId: OrganizationId.make(1n),
  premises: OrganizationPremises(OrganizationId.make(1n)),
  orgAuthServerId,
  keyId: 0,
  entrance
})
const closed = (exit: Timestamp, orgAuthServerId?: OrgAuthServerId): ClosedStay => {
  const { keyId: _, ...stay } = open(after(NOW, -120_000), orgAuthServerId)
  return { ...stay, _tag: "ClosedStay", exit }
}

describe("an entrance", () => {
  it("is admitted without a person where tracking is anonymous, and else as the person whom the caller is linked to", () => {
    for (const row of combinations({ mode: MODES, linked: people, claimed: people, timestamp: TIMES })) {
      const { mode, linked, claimed, timestamp } = row
      const expected =
        mode === "authenticated" && linked === undefined
          ? "NotLinked"
          : mode === "authenticated" && claimed !== undefined && claimed !== linked
            ? "IdentityNotOwn"
            : timestamp === TIMES[4]
              ? "TimestampInFuture"
              : timestamp === TIMES[5]
                ? "TimestampTooOld"
                : "accepted"
      const result = admit(facts(mode, linked), claim(timestamp, claimed))
      assert.strictEqual(verdict(result), expected, JSON.stringify(row))
      if (expected === "TimestampInFuture" || expected === "TimestampTooOld") {
        assert.deepStrictEqual(refusal(result), { _tag: expected, timestamp, now: NOW })
      }
      if (Result.isFailure(result)) continue
      assert.strictEqual(Option.getOrUndefined(result.success.person), mode === "anonymous" ? undefined : linked)
      assert.strictEqual(result.success.entrance, timestamp ?? NOW)
    }
  })
})

describe("an exit", () => {
  it("closes an open stay for any caller with its token, except one who is or claims to be another person", () => {
    for (const row of combinations({ mode: MODES, linked: people, claimed: people, person: people })) {
      const { mode, linked, claimed, person } = row
      // Whom the caller would have to be: the one they are linked to, or else the one the stay is of.
      const own = linked ?? person
      const expected =
        mode === "authenticated" && claimed !== undefined && own !== undefined && claimed !== own
          ? "IdentityNotOwn"
          : person !== undefined && linked !== undefined && linked !== person
            ? "ExitNotMatched"
            : "accepted"
      const stays = [open(after(NOW, -120_000), person), closed(NOW, person)]
      for (const stay of stays) {
        const result = settle(facts(mode, linked), stay, claim(NOW, claimed))
        assert.strictEqual(verdict(result), expected, JSON.stringify(row))
        if (Result.isSuccess(result)) assert.strictEqual(result.success.orgAuthServerId, person)
      }
    }
  })

  it("happens at its timestamp or now, not before its entrance, over five minutes ahead or over ten years ago", () => {
    const cases: ReadonlyArray<readonly [entrance: number, exit: number | undefined, expected: number | string]> = [
      [-1000, -1000, -1000],
      [-1000, -999, -999],
      [-1000, -1001, "ExitBeforeEntrance"],
      [-1000, undefined, 0],
      [60_000, undefined, 60_000],
      [60_000, 59_999, "ExitBeforeEntrance"],
      [0, LARGEST_LEAD, LARGEST_LEAD],
      [0, LARGEST_LEAD + 1, "TimestampInFuture"],
      [LARGEST_LEAD, LARGEST_LEAD + 1, "TimestampInFuture"],
      [-LARGEST_LAG_MS, -LARGEST_LAG_MS, -LARGEST_LAG_MS],
      [-LARGEST_LAG_MS - 2, -LARGEST_LAG_MS, -LARGEST_LAG_MS],
      [-LARGEST_LAG_MS - 2, -LARGEST_LAG_MS - 1, "TimestampTooOld"],
      [0, -LARGEST_LAG_MS - 1, "TimestampTooOld"],
      // It was let in before it could be too old, and leaves now.
      [-LARGEST_LAG_MS - 2, undefined, 0]
    ]
    for (const [entrance, exit, expected] of cases) {
      const timestamp = exit === undefined ? undefined : after(NOW, exit)
      const result = settle(facts("anonymous", undefined), open(after(NOW, entrance)), claim(timestamp))
      if (expected === "ExitBeforeEntrance") {
        assert.deepStrictEqual(refusal(result), { _tag: expected, entrance: after(NOW, entrance) })
      } else if (typeof expected === "string") assert.strictEqual(verdict(result), expected)
      else assert.strictEqual(Result.getOrThrow(result).exit, after(NOW, expected))
    }
  })

  it.prop(
    "closes a stay once: the same exit again changes nothing, another one is refused, and nothing else of the stay changes",
    { facts: movementFacts, stay: openStay, claim: movementClaim, later: movementClaim },
    ({ facts, stay, claim, later }) => {
      const result = settle(facts, stay, claim)
      if (Result.isFailure(result)) return
      const first = result.success
      const { _tag, keyId, ...kept } = stay
      assert.deepStrictEqual(first, { ...kept, _tag: "ClosedStay", exit: first.exit })
      assert.isAtLeast(first.exit, first.entrance)
      assert.strictEqual(first.exit, claim.timestamp ?? Math.max(claim.now, stay.entrance))
      assert.strictEqual(Result.getOrUndefined(settle(facts, first, claim)), first, "the same exit again")
      assert.strictEqual(Result.getOrUndefined(settle(facts, first, { ...claim, timestamp: undefined })), first)
      const again = settle(facts, first, { ...later, orgAuthServerId: claim.orgAuthServerId })
      const isSame = later.timestamp === undefined || later.timestamp === first.exit
      assert.strictEqual(verdict(again), isSame ? "accepted" : "ExitNotMatched")
    },
    trials(1000)
  )
})

describe("an entrance where places are exclusive", () => {
  const organization = OrganizationPremises(OrganizationId.make(1n))
  const [hall, room, annex] = [PlaceId.make(1n), PlaceId.make(2n), PlaceId.make(3n)]
  const place = (id: PlaceId) => PlacePremises(id)

  it("leaves behind a stay in another place that the entered one is no part of, and never one in the organization", () => {
    const stays = [organization, place(hall), place(room), place(annex)]
    const leftBehind = (entered: typeof organization | ReturnType<typeof place>, ancestors: ReadonlyArray<PlaceId>) =>
      stays.map((premises) => isLeftBehind({ premises }, entered, ancestors))
    assert.deepStrictEqual(leftBehind(place(room), [hall]), [false, false, false, true])
    assert.deepStrictEqual(leftBehind(place(hall), []), [false, false, true, true])
    assert.deepStrictEqual(leftBehind(place(annex), []), [false, true, true, false])
    assert.deepStrictEqual(leftBehind(organization, []), [false, false, false, false])
  })

  it.prop(
    "ends such a stay with the entrance, and never before the stay's own",
    { stay: openStay, other: openStay },
    ({ stay, other }) => {
      const end = endOfLeftBehind(stay, other.entrance)
      assert.strictEqual(end, stay.entrance > other.entrance ? stay.entrance : other.entrance)
    },
    trials()
  )
})

describe("a list of closed stays", () => {
  it.prop(
    "goes by entrance and then by id",
    { one: closedStay, other: closedStay },
    ({ one, other }) => {
      const byEntrance = Math.sign(one.entrance - other.entrance)
      const byId = one.id < other.id ? -1 : one.id > other.id ? 1 : 0
      assert.strictEqual(ClosedStayOrder(one, other), byEntrance === 0 ? byId : byEntrance)
    },
    trials()
  )
})
