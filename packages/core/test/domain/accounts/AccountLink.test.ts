/** The rules for linked accounts: the person that a caller counts as, their own accesses, and their favorites. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Option, Result } from "effect"
import {
  claimFavorite,
  identify,
  mayLink,
  OrganizationId,
  OrgAuthServerId,
  ownAccesses,
  ownFavorites,
  Timestamp,
  UserId
} from "../../../src/index.ts"
import { anyOf, maybe, orgAuthServerId, userId } from "@sojourn/testing"
import { combinations, trials, verdict } from "../../trials.ts"

const people = [undefined, "ada", "Ada", "a,b"].map((id) => (id === undefined ? undefined : OrgAuthServerId.make(id)))
const users = ["u1", "u2", "U1"].map((id) => UserId.make(id))

describe("a caller", () => {
  it("is anonymous to an anonymous organization, whatever they claim, and to others whom they are linked to", () => {
    for (const { mode, linked, claimed } of combinations({
      mode: ["anonymous", "authenticated"],
      linked: people,
      claimed: people
    })) {
      const result = identify(mode, Option.fromUndefinedOr(linked), claimed)
      if (mode === "anonymous") {
        assert.deepStrictEqual(Result.map(result, Option.getOrUndefined), Result.succeed(undefined))
      } else if (linked === undefined) assert.strictEqual(verdict(result), "NotLinked")
      else if (claimed !== undefined && claimed !== linked) assert.strictEqual(verdict(result), "IdentityNotOwn")
      else assert.strictEqual(Option.getOrUndefined(Result.getOrThrow(result)), linked)
    }
  })

  it("may be linked to a person without another linked user", () => {
    for (const { user, holder } of combinations({ user: users, holder: [undefined, ...users] })) {
      const expected = holder === undefined || holder === user ? "accepted" : "LinkedToAnother"
      assert.strictEqual(verdict(mayLink(user, Option.fromUndefinedOr(holder))), expected)
    }
  })
})

describe("a user", () => {
  it.prop(
    "reads the accesses of one person, whom they are linked to",
    { requested: Arbitrary.array(orgAuthServerId, { maxLength: 3 }), linked: maybe(orgAuthServerId) },
    ({ requested, linked }) => {
      for (const list of [
        requested,
        ...(linked === undefined ? [] : [[linked], [linked, linked], [linked, ...requested]])
      ]) {
        const result = ownAccesses(list, Option.fromUndefinedOr(linked))
        const isOwn = linked !== undefined && list.length === 1 && list[0] === linked
        assert.strictEqual(verdict(result), isOwn ? "accepted" : "AccessesOfAnother")
        if (Result.isSuccess(result)) assert.strictEqual(result.success, linked)
      }
    },
    trials()
  )

  it.prop(
    "has a favorite as the person whom the organization knows, or anonymously, and else as they want it",
    { userId, linked: maybe(orgAuthServerId), claimed: maybe(orgAuthServerId), isKnown: anyOf([true, false]) },
    ({ userId, linked, claimed, isKnown }) => {
      const mode = isKnown ? "authenticated" : "anonymous"
      const wanted = { userId, organizationId: OrganizationId.make(7n), creationDate: Timestamp(1_772_352_000_000) }
      for (const orgAuthServerId of [claimed, linked, undefined]) {
        const known = identify(mode, Option.fromUndefinedOr(linked), orgAuthServerId)
        const favorite = claimFavorite(mode, Option.fromUndefinedOr(linked), { ...wanted, orgAuthServerId })
        assert.strictEqual(verdict(favorite), verdict(known))
        if (Result.isFailure(favorite)) continue
        assert.deepStrictEqual(favorite.success, { ...wanted, orgAuthServerId: isKnown ? linked : undefined })
      }
    },
    trials()
  )

  it.prop(
    "has favorites of their own alone",
    { caller: userId, requested: maybe(userId) },
    ({ caller, requested }) => {
      for (const whom of [requested, caller]) {
        const result = ownFavorites(caller, whom)
        assert.strictEqual(verdict(result), whom === undefined || whom === caller ? "accepted" : "FavoritesOfAnother")
        if (Result.isSuccess(result)) assert.strictEqual(result.success, caller)
      }
    },
    trials()
  )
})
