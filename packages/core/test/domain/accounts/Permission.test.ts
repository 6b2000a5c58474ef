/** The permission levels of administrators, and the rule that an organization always keeps an owner. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import {
  AdministratorId,
  changeLevel,
  isAtLeast,
  mayGrant,
  OrganizationId,
  type Permission,
  permissionOf,
  PermissionLevel,
  PermissionLevelOrder,
  requireAmong,
  requireLevel,
  requireUnbound,
  sameMail,
  takeOver,
  unbind
} from "../../../src/index.ts"
import { ADMINISTRATORS, anyOf, anyPermissions, level, LEVELS, permissions, permissionUpdate } from "@sojourn/testing"
import { combinations, refusal, trials, verdict } from "../../trials.ts"

const anyAdministrator = anyOf([ADMINISTRATORS[0]!, ...ADMINISTRATORS, AdministratorId.make("unbound")])
const owners = (all: ReadonlyArray<Permission>) => all.filter((permission) => permission.level === "owner")
const rank = { viewer: 1, manager: 2, owner: 3 }

describe("levels", () => {
  it("are viewer, manager and owner, and nothing else", () => {
    const isLevel = Schema.is(PermissionLevel)
    for (const name of ["viewer", "manager", "owner"]) assert.isTrue(isLevel(name), name)
    for (const name of ["", "Owner", "admin", 1, null]) assert.isFalse(isLevel(name), String(name))
  })

  it("viewer is below manager, and manager below owner", () => {
    for (const { one, other } of combinations({ one: LEVELS, other: LEVELS })) {
      assert.strictEqual(PermissionLevelOrder(one, other), Math.sign(rank[one] - rank[other]))
      assert.strictEqual(isAtLeast(one, other), rank[one] >= rank[other])
    }
  })

  it("a call that needs a level is open to administrators with it or one above, and to none who is not bound", () => {
    for (const { held, required } of combinations({ held: [undefined, ...LEVELS], required: LEVELS })) {
      const result = requireLevel(Option.fromUndefinedOr(held), required)
      const isOpen = held !== undefined && rank[held] >= rank[required]
      assert.strictEqual(verdict(result), isOpen ? "accepted" : "PermissionTooLow")
      if (Result.isSuccess(result)) assert.strictEqual(result.success, held)
      else
        assert.deepStrictEqual([result.failure.required, Option.getOrUndefined(result.failure.held)], [required, held])
    }
  })

  it("an administrator grants at most their own level", () => {
    for (const { own, requested } of combinations({ own: LEVELS, requested: LEVELS })) {
      const expected = rank[requested] <= rank[own] ? undefined : { _tag: "LevelAboveOwn", requested, own }
      assert.deepStrictEqual(refusal(mayGrant(own, requested)), expected)
    }
  })
})

describe("the permissions of an organization", () => {
  it.prop(
    "hold at most one for an administrator, which says what they may do",
    { all: anyPermissions, who: anyAdministrator, required: level },
    ({ all, who, required }) => {
      const own = all.filter(({ administratorId }) => administratorId === who)
      assert.isAtMost(own.length, 1)
      assert.deepStrictEqual(Option.getOrUndefined(permissionOf(all, who)), own[0])
      const expected = own[0] !== undefined && rank[own[0].level] >= rank[required] ? "accepted" : "PermissionTooLow"
      assert.strictEqual(verdict(requireAmong(all, who, required)), expected)
    },
    trials()
  )

  it.prop(
    "bind an administrator once",
    { all: anyPermissions, who: anyAdministrator },
    ({ all, who }) => {
      const isBound = all.some(({ administratorId }) => administratorId === who)
      const expected = isBound ? { _tag: "AlreadyBound", administratorId: who } : undefined
      assert.deepStrictEqual(refusal(requireUnbound(all, who)), expected)
    },
    trials()
  )

  it.prop(
    "let each bound administrator be unbound, except the last owner",
    { all: permissions, who: anyAdministrator },
    ({ all, who }) => {
      const own = all.find(({ administratorId }) => administratorId === who)
      const isLast = own?.level === "owner" && owners(all).length === 1
      const result = unbind(all, who)
      const tag = own === undefined ? "PermissionNotFound" : isLast ? "LastOwnerStays" : undefined
      assert.deepStrictEqual(refusal(result), tag && { _tag: tag, administratorId: who })
      if (Result.isSuccess(result)) assert.deepStrictEqual(result.success, own)
    },
    trials()
  )

  it.prop(
    "change in their level alone: another field that differs, a level above one's own, and the last owner are refused",
    { all: permissions, own: level, update: permissionUpdate, repeat: anyOf([false, true]) },
    ({ all, own, update: drawn, repeat }) => {
      const record = all.find(({ administratorId }) => administratorId === drawn.administratorId)
      const update = repeat && record !== undefined ? { ...record, level: drawn.level } : drawn
      const result = changeLevel(all, own, update)
      const { administratorId, level: requested } = update
      const differing = (["mail", "orgAuthServerId", "nominatedBy"] as const).find((field) => {
        if (record === undefined || update[field] === undefined || update[field] === record[field]) return false
        return field !== "mail" || record.mail === undefined || !sameMail(record.mail, update.mail!)
      })
      const isLast = record?.level === "owner" && owners(all).length === 1 && update.level !== "owner"
      const expected =
        record === undefined
          ? { _tag: "PermissionNotFound", administratorId }
          : differing !== undefined
            ? { _tag: "OnlyLevelChanges", field: differing }
            : rank[requested] > rank[own]
              ? { _tag: "LevelAboveOwn", requested, own }
              : isLast
                ? { _tag: "LastOwnerStays", administratorId }
                : undefined
      assert.deepStrictEqual(refusal(result), expected)
      if (Result.isSuccess(result)) assert.deepStrictEqual(result.success, { ...record!, level: update.level })
    },
    trials(1000)
  )
})

describe("an invitation that is taken over", () => {
  it("gives its taker the higher level of both, and who granted that one", () => {
    const guest = ADMINISTRATORS[1]!
    for (const { invited, held } of combinations({ invited: LEVELS, held: [undefined, ...LEVELS] })) {
      const organizationId = OrganizationId.make(7n)
      const invitation: Permission = {
        administratorId: AdministratorId.make("made-up"),
        organizationId,
        level: invited,
        nominatedBy: AdministratorId.make("host")
      }
      const own: Permission | undefined = held && {
        administratorId: guest,
        organizationId,
        level: held,
        nominatedBy: AdministratorId.make("friend")
      }
      const kept = takeOver(invitation, Option.fromUndefinedOr(own), guest)
      const isOwn = held !== undefined && rank[held] >= rank[invited]
      assert.deepStrictEqual(kept, isOwn ? own : { ...invitation, administratorId: guest })
      // Of an operator's invitation.
      const byThemselves = { ...invitation, nominatedBy: invitation.administratorId }
      assert.deepStrictEqual(
        takeOver(byThemselves, Option.fromUndefinedOr(own), guest),
        isOwn ? own : { ...invitation, administratorId: guest, nominatedBy: guest }
      )
    }
  })
})
