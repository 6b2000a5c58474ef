/** Pages of the accesses of a window, read from stays whose order says nothing of the ids of accesses. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Redacted, Result } from "effect"
import { integer, stayId } from "@sojourn/testing"
import {
  AccessOrder,
  accessPage,
  type AccessPosition,
  type AccessWindow,
  type AuthenticatedAccess,
  ClosedStayOrder,
  isListed,
  listOf,
  makeAccessPositions,
  OrganizationId,
  OrganizationPremises,
  OrgAuthServerId,
  PlaceId,
  PlacePremises,
  type StayPosition,
  Timestamp
} from "../../../src/index.ts"
import { trials } from "../../trials.ts"

const organizationId = OrganizationId.make(1n)
const orgAuthServerId = OrgAuthServerId.make("ada")

/** Accesses with ids from 1 on; those of the accesses are in another order. */
const accessesAt = (entrances: ReadonlyArray<number>, firstId = 1): ReadonlyArray<AuthenticatedAccess> =>
  entrances.map((entrance, i) => {
    const id = BigInt(firstId + i)
    const stay = {
      _tag: "ClosedStay" as const,
      id: id as never,
      organizationId,
      premises: OrganizationPremises(organizationId),
      orgAuthServerId,
      entrance: Timestamp(entrance),
      exit: Timestamp(entrance)
    }
    return { id: ((id * 7919n) % 1009n) as never, stay, orgAuthServerId }
  })

const inStayOrder = (accesses: ReadonlyArray<AuthenticatedAccess>) =>
  [...accesses].sort((one, other) => ClosedStayOrder(one.stay, other.stay))

/** The page after a position, as a service reads it: `chunk` stays at a time. */
const pageAfter = (
  stored: ReadonlyArray<AuthenticatedAccess>,
  position: AccessPosition | undefined,
  { limit, maxRun, chunk }: { readonly limit: number; readonly maxRun: number; readonly chunk: number }
) => {
  const isAfter = ({ stay }: AuthenticatedAccess, at: StayPosition | undefined) =>
    at === undefined || stay.entrance > at.entrance || (stay.entrance === at.entrance && stay.id > at.id)
  const accesses: Array<AuthenticatedAccess> = []
  let readUntil: StayPosition | undefined = position && { entrance: position.entrance, id: position.after }
  for (;;) {
    const found = inStayOrder(stored)
      .filter((access) => isAfter(access, readUntil))
      .slice(0, chunk)
    accesses.push(...found.filter((access) => !isListed(position, access)))
    readUntil = found.length < chunk ? undefined : found.at(-1)!.stay
    const page = accessPage({ accesses, readUntil, position, limit, maxRun })
    if (page !== undefined) return page
  }
}

const bounds = {
  limit: integer(1, 4),
  moreForRun: integer(1, 40),
  moreForChunk: integer(1, 3)
}

describe("the pages of a window", () => {
  it.prop(
    "hold each access once, by entrance and then by the id of the access, and none is empty but the only one",
    { entrances: Arbitrary.array(integer(0, 3), { maxLength: 30 }), ...bounds },
    ({ entrances, limit, moreForRun, moreForChunk }) => {
      const stored = accessesAt(entrances)
      const maxRun = limit + moreForRun
      const listed: Array<AuthenticatedAccess> = []
      let next: AccessPosition | undefined
      do {
        const page = pageAfter(stored, next, { limit, maxRun, chunk: limit + moreForChunk })
        assert.isAtMost(page.accesses.length, limit)
        assert.isTrue(page.accesses.length > 0 || entrances.length === 0)
        listed.push(...page.accesses)
        next = page.next
      } while (next !== undefined)
      assert.deepStrictEqual(inStayOrder(listed), inStayOrder(stored))
      const isSorted = [0, 1, 2, 3].every((at) => entrances.filter((entrance) => entrance === at).length < maxRun)
      if (isSorted) assert.deepStrictEqual(listed, [...stored].sort(AccessOrder))
      assert.deepStrictEqual(
        listed.map(({ stay }) => stay.entrance),
        listed.map(({ stay }) => stay.entrance).sort()
      )
    },
    trials(1000)
  )

  it.prop(
    "hold each access once that was there at the first page, whatever is added meanwhile",
    {
      entrances: Arbitrary.array(integer(0, 3), { maxLength: 20 }),
      added: Arbitrary.array(Arbitrary.array(integer(0, 3), { maxLength: 5 }), { maxLength: 5 }),
      isLower: integer(0, 1),
      ...bounds
    },
    ({ entrances, added, isLower, limit, moreForRun, moreForChunk }) => {
      const first = accessesAt(entrances, 500)
      const stored = [...first]
      const listed: Array<AuthenticatedAccess> = []
      let next: AccessPosition | undefined
      let nth = 0
      do {
        const page = pageAfter(stored, next, { limit, maxRun: limit + moreForRun, chunk: limit + moreForChunk })
        listed.push(...page.accesses)
        next = page.next
        // A stay with a lower id may be closed later.
        stored.push(...accessesAt(added[nth] ?? [], isLower * 500 + 10 * ++nth))
      } while (next !== undefined)
      assert.strictEqual(new Set(listed).size, listed.length)
      for (const access of first) assert.include(listed, access)
    },
    trials(1000)
  )
})

describe("a position in a list", () => {
  const positions = makeAccessPositions({ id: 0, secret: Redacted.make(new Uint8Array(32).fill(1)) })
  const others = makeAccessPositions({ id: 0, secret: Redacted.make(new Uint8Array(32).fill(2)) })
  const window: AccessWindow = {
    premises: OrganizationPremises(organizationId),
    from: Timestamp(0),
    to: Timestamp(1000),
    isOwn: false,
    people: undefined
  }
  const position: AccessPosition = { entrance: Timestamp(1), after: 2n as never, until: 3n as never, last: 4n as never }

  it.prop(
    "is read as it was written, and shows no stay",
    { entrance: integer(-1e12, 1e12), after: stayId, until: stayId, last: stayId },
    ({ entrance, after, until, last }) => {
      const written: AccessPosition = { entrance: Timestamp(entrance), after, until, last: last as never }
      const text = positions.write(listOf(window), written)
      assert.match(text, /^[A-Za-z0-9_-]{64}$/)
      assert.deepStrictEqual(Result.getOrThrow(positions.read(listOf(window), text)), written)
    },
    trials()
  )

  it("is read for a list of the same accesses alone", () => {
    const text = positions.write(listOf(window), position)
    const ada = [orgAuthServerId]
    const lists: ReadonlyArray<AccessWindow> = [
      { ...window, premises: OrganizationPremises(OrganizationId.make(2n)) },
      { ...window, premises: PlacePremises(PlaceId.make(1n)) },
      { ...window, from: Timestamp(1) },
      { ...window, to: Timestamp(1001) },
      { ...window, isOwn: true },
      { ...window, people: ada }
    ]
    for (const list of lists) assert.isTrue(Result.isFailure(positions.read(listOf(list), text)))
    assert.isTrue(Result.isFailure(others.read(listOf(window), text)))
    const people = [orgAuthServerId, OrgAuthServerId.make("bob"), orgAuthServerId]
    const ofPeople = positions.write(listOf({ ...window, people }), position)
    assert.isTrue(
      Result.isSuccess(positions.read(listOf({ ...window, people: people.slice(0, 2).reverse() }), ofPeople))
    )
  })

  it("is no other text", () => {
    const text = positions.write(listOf(window), position)
    for (const other of ["", "x", text.slice(1), `${text}A`, ` ${text.slice(1)}`, "!".repeat(64), "A".repeat(64)]) {
      assert.isTrue(Result.isFailure(positions.read(listOf(window), other)), other)
    }
    for (let i = 0; i < text.length; i++) {
      const changed = text.slice(0, i) + (text[i] === "A" ? "B" : "A") + text.slice(i + 1)
      assert.isTrue(Result.isFailure(positions.read(listOf(window), changed)), String(i))
    }
  })
})
