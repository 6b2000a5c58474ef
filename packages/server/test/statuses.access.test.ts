import { describe, expect, it } from "vitest"
import { at, type Kind, makeFixtures, NOWHERE, type Premises, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { anonymous, ofPeople, owner, operator, premises, authenticatedPremises, stay, enter, leave, linked } = fixtures

const KINDS = ["organization", "place"] as const
const phone = sojourn.user("phone")
const other = sojourn.user("another-phone")
const stranger = sojourn.administrator("a-stranger")
const tokensOf = (answer: { readonly json: any }) => answer.json.map((access: any) => access.exitToken)
const peopleOf = (answer: { readonly json: any }) => answer.json.map((access: any) => access.orgAuthServerId)
const escaped = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

describe.each(KINDS)("accesses of one %s by exit tokens (interface, section 4.3)", (kind: Kind) => {
  const fresh = () => premises(kind)

  it("answer exactly id, the premises' id, both timestamps and the exitToken", async () => {
    const where = await fresh()
    const exitToken = await stay(phone, where, -3600, -1800)
    const [access, ...others] = want(await anonymous(phone, where, exitToken), 200).json
    expect(others).toEqual([])
    expect(access).toEqual({
      id: access.id,
      [`${kind}Id`]: where.id,
      entranceTimestamp: at(-3600),
      exitTimestamp: at(-1800),
      exitToken
    })
  })

  it("list completed stays only: an open stay is not listed (204)", async () => {
    const where = await fresh()
    const { exitToken } = want(await enter(phone, where), 201).json
    want(await anonymous(phone, where, exitToken), 204)
    const done = await stay(phone, where)
    expect(tokensOf(want(await anonymous(phone, where, `${exitToken},${done}`), 200))).toEqual([done])
  })

  it("are readable by any user with the tokens", async () => {
    const where = await fresh()
    const token = await stay(phone, where)
    expect(tokensOf(want(await anonymous(other, where, token), 200))).toEqual([token])
  })

  it.each([",", "%2C", "%2c"])("exitTokens are split at commas, written %s", async (comma) => {
    const where = await fresh()
    const tokens = [await stay(phone, where, -300, -200), await stay(phone, where, -200, -100)]
    expect(tokensOf(want(await anonymous(phone, where, tokens.join(comma)), 200))).toEqual(tokens)
  })

  it("exitTokens may be separated by plain and by escaped commas in one list, and be escaped as a whole", async () => {
    const where = await fresh()
    const [one, two, three] = [
      await stay(phone, where, -9003),
      await stay(phone, where, -9002),
      await stay(phone, where, -9001)
    ]
    expect(tokensOf(want(await anonymous(phone, where, `${one},${two}%2C${three}`), 200))).toEqual([one, two, three])
    expect(tokensOf(want(await anonymous(phone, where, escaped(`${one},${two}`)), 200))).toEqual([one, two])
  })

  it("duplicates, unknown tokens, tokens of another place or organization are ignored", async () => {
    const [where, elsewhere] = [await fresh(), await fresh()]
    const [token, foreign] = [await stay(phone, where), await stay(phone, elsewhere)]
    const list = [token, "unknown", foreign, token, `${token}x`, token.toLowerCase()].join(",")
    expect(tokensOf(want(await anonymous(phone, where, list), 200))).toEqual([token])
    want(await anonymous(phone, where, foreign), 204)
    want(await anonymous(phone, where, "unknown"), 204)
  })

  it("are ordered by entranceTimestamp, then id, whatever the order of the tokens", async () => {
    const where = await fresh()
    const late = await stay(phone, where, -100, -50)
    const together: Array<string> = []
    for (let i = 0; i < 8; i++) together.push(await stay(phone, where, -300, -200 + i))
    const early = await stay(phone, where, -400, -300)
    const answer = want(await anonymous(phone, where, [late, ...together, early].join(",")), 200)
    expect(tokensOf(answer)[0]).toBe(early)
    expect(new Set(tokensOf(answer).slice(1, 9))).toEqual(new Set(together))
    expect(tokensOf(answer)[9]).toBe(late)
    const ids: ReadonlyArray<number> = answer.json.slice(1, 9).map(({ id }: any) => id)
    expect(ids).toEqual([...ids].sort((one, other) => one - other))
  })

  it.each([
    ["100 tokens are listed", 100, 204],
    ["101 tokens are 400", 101, 400]
  ])("%s", async (_, count, status) => {
    const where = await fresh()
    const list = Array.from({ length: count }, (_, i) => `token-${i}`)
    want(await anonymous(phone, where, list.join(",")), status)
    want(await anonymous(phone, where, list.join("%2C")), status)
  })

  it("count towards the limit before duplicates are removed", async () => {
    const where = await fresh()
    want(await anonymous(phone, where, Array.from({ length: 101 }, () => "same").join(",")), 400)
    want(await anonymous(phone, where, Array.from({ length: 100 }, () => "same").join(",")), 204)
  })

  it.each([",a", "a,", "a,,b", ",", "%2C", "a%2C", "%2Ca", "a%2C%2Cb", "a,%2Cb"])(
    "an empty element is 400: %s",
    async (list) => {
      want(await anonymous(phone, await fresh(), list), 400)
    }
  )

  it.each([
    ["a list that is left out", ""],
    ["a list and a slash", "a/"],
    ["a list of two segments", "a/b"]
  ])("%s is another path: 404", async (_, list) => {
    want(await anonymous(phone, await fresh(), list), 404)
  })

  it("a NUL in an element is 400", async () => {
    want(await anonymous(phone, await fresh(), "a%00b"), 400)
  })

  it.each(["%", "%2", "%zz", "a%ff", "%c3%28", "%ed%a0%80"])("a malformed escape is 400: %s", async (list) => {
    want(await anonymous(phone, await fresh(), list), 400)
  })

  it("an escaped slash and a doubly escaped comma are no separators", async () => {
    const where = await fresh()
    const token = await stay(phone, where)
    want(await anonymous(phone, where, `${token}%2Fx`), 204)
    want(await anonymous(phone, where, `${token}%252Cx`), 204)
  })

  it("unknown organization or place: 204", async () => {
    want(await anonymous(phone, { kind, id: NOWHERE }, "a"), 204)
    const token = await stay(phone, await fresh())
    want(await anonymous(phone, { kind, id: NOWHERE }, token), 204)
  })

  it("unknown premises and a malformed list: the list is checked first (400)", async () => {
    want(await anonymous(phone, { kind, id: NOWHERE }, "a,,b"), 400)
  })

  it("administrators and operators are refused (403)", async () => {
    const where = await fresh()
    for (const who of [owner, operator]) want(await anonymous(who, where, "a"), 403)
    for (const who of [owner, operator]) want(await anonymous(who, where, "a,,b"), 403)
  })

  it("100 tokens of 256 characters fit into a request", async () => {
    const list = Array.from({ length: 100 }, (_, i) => String(i).padStart(256, "x")).join(",")
    want(await anonymous(phone, await fresh(), list), 204)
  })

  it("a query string is ignored", async () => {
    const where = await fresh()
    const token = await stay(phone, where)
    expect(tokensOf(want(await anonymous(phone, where, `${token}?exitTokens=a,,b`), 200))).toEqual([token])
  })

  it("an empty query and a query with a slash are ignored", async () => {
    const where = await fresh()
    const token = await stay(phone, where)
    expect(tokensOf(want(await anonymous(phone, where, `${token}?`), 200))).toEqual([token])
    expect(tokensOf(want(await anonymous(phone, where, `${token}?a=b/c,d`), 200))).toEqual([token])
  })
})

describe.each(KINDS)("accesses of one %s by people (interface, section 4.3)", (kind: Kind) => {
  /** Premises with a viewer, and one completed stay each of ada, alan and grace. */
  const populated = async () => {
    const where = await authenticatedPremises(kind)
    const viewer = await fixtures.bind(where.organizationId, sojourn.administrator(unique("viewer")), "viewer")
    const ada = await linked(where.organizationId, "ada")
    const alan = await linked(where.organizationId, "alan")
    const grace = await linked(where.organizationId, "grace")
    await stay(ada, where, -300, -200)
    await stay(alan, where, -290, -280)
    await stay(grace, where, -310, -100)
    return { where, viewer, ada, alan, grace }
  }
  const scene = populated()

  it("answer exactly id, the premises' id, both timestamps and the orgAuthServerId", async () => {
    const { where, ada } = await scene
    const [access, ...others] = want(await ofPeople(ada, where, "ada"), 200).json
    expect(others).toEqual([])
    expect(access).toEqual({
      id: access.id,
      [`${kind}Id`]: where.id,
      entranceTimestamp: at(-300),
      exitTimestamp: at(-200),
      orgAuthServerId: "ada"
    })
  })

  it("a user who asks for accesses other than their own: 403", async () => {
    const { where, ada } = await scene
    want(await ofPeople(ada, where, "alan"), 403)
    want(await ofPeople(ada, where, "nobody"), 403)
    want(await ofPeople(ada, where, "ADA"), 403)
    want(await ofPeople(ada, where, "ada%20"), 403)
  })

  it("a user with two or more ids, or not their own: 403", async () => {
    const { where, ada } = await scene
    want(await ofPeople(ada, where, "ada,alan"), 403)
    want(await ofPeople(ada, where, "alan,ada"), 403)
  })

  it("a user who sends their own id twice has sent two ids (403)", async () => {
    const { where, ada } = await scene
    want(await ofPeople(ada, where, "ada,ada"), 403)
  })

  it("an element that holds an escaped comma is one identifier for a user, which must be their own", async () => {
    const { where, ada } = await scene
    want(await ofPeople(ada, where, "ada%2Cada"), 403)
    want(await ofPeople(ada, where, "ada%2C"), 403)
    want(await ofPeople(ada, where, "ada%2Calan"), 403)
  })

  it("a user may percent-encode their id", async () => {
    const { where, ada } = await scene
    expect(peopleOf(want(await ofPeople(ada, where, escaped("ada")), 200))).toEqual(["ada"])
  })

  it("a user who is not linked: 403", async () => {
    const { where } = await scene
    want(await ofPeople(phone, where, "ada"), 403)
  })

  it("a user without a completed stay: 204", async () => {
    const where = await authenticatedPremises(kind)
    const ada = await linked(where.organizationId, "ada")
    want(await ofPeople(ada, where, "ada"), 204)
    want(await enter(ada, where), 201)
    want(await ofPeople(ada, where, "ada"), 204)
  })

  it("an administrator may ask for several people, at any level", async () => {
    const { where, viewer } = await scene
    for (const who of [viewer, owner]) {
      expect(peopleOf(want(await ofPeople(who, where, "ada,alan,grace"), 200))).toEqual(["grace", "ada", "alan"])
    }
  })

  it("older clients escape the whole list: an element with a comma matches itself and its parts", async () => {
    const { where, viewer } = await scene
    expect(peopleOf(want(await ofPeople(viewer, where, "ada%2Calan"), 200))).toEqual(["ada", "alan"])
    expect(peopleOf(want(await ofPeople(viewer, where, escaped("ada,alan")), 200))).toEqual(["ada", "alan"])
    expect(peopleOf(want(await ofPeople(viewer, where, "ada%2Calan,grace"), 200))).toEqual(["grace", "ada", "alan"])
  })

  it("a doubly escaped comma is no separator", async () => {
    const { where, viewer } = await scene
    want(await ofPeople(viewer, where, "ada%252Calan"), 204)
  })

  it("duplicates and unknown people are ignored", async () => {
    const { where, viewer } = await scene
    expect(peopleOf(want(await ofPeople(viewer, where, "ada,nobody,ada,ada%2Cada"), 200))).toEqual(["ada"])
    want(await ofPeople(viewer, where, "nobody,nor-they"), 204)
  })

  it("an element holding escaped commas counts once", async () => {
    const { where, viewer } = await scene
    const parts = Array.from({ length: 150 }, (_, i) => `x${i}`).join("%2C")
    expect(peopleOf(want(await ofPeople(viewer, where, `${parts}%2Cada`), 200))).toEqual(["ada"])
    const hundred = Array.from({ length: 99 }, (_, i) => `x${i}%2Cy${i}`)
    expect(peopleOf(want(await ofPeople(viewer, where, [...hundred, "ada"].join(",")), 200))).toEqual(["ada"])
  })

  it("empty parts inside an element are ignored", async () => {
    const { where, viewer } = await scene
    for (const list of ["ada%2C", "%2Cada", "%2C%2Cada%2C%2C"]) {
      expect(peopleOf(want(await ofPeople(viewer, where, list), 200))).toEqual(["ada"])
    }
    want(await ofPeople(viewer, where, "%2C"), 204)
    want(await ofPeople(viewer, where, "%2C,%2C%2C"), 204)
  })

  it.each([
    ["more than 100 ids are 400", 101, 400],
    ["100 ids are listed", 100, 200]
  ])("%s, duplicates included", async (_, count, status) => {
    const { where, viewer } = await scene
    want(await ofPeople(viewer, where, Array.from({ length: count }, () => "ada").join(",")), status)
  })

  it("more than 100 ids are 400 for a user as well: the shape is checked before authority", async () => {
    const { where, ada } = await scene
    want(await ofPeople(ada, where, Array.from({ length: 101 }, () => "ada").join(",")), 400)
    want(await ofPeople(stranger, where, Array.from({ length: 101 }, () => "ada").join(",")), 400)
  })

  it.each([",ada", "ada,", "ada,,alan", ","])("an empty element is 400: %s", async (list) => {
    const { where, viewer, ada } = await scene
    want(await ofPeople(viewer, where, list), 400)
    want(await ofPeople(ada, where, list), 400)
    want(await ofPeople(stranger, where, list), 400)
  })

  it.each(["ada%00", "%", "ada,%zz", "%ff"])("a NUL or a malformed escape is 400: %s", async (list) => {
    const { where, viewer, ada } = await scene
    want(await ofPeople(viewer, where, list), 400)
    want(await ofPeople(ada, where, list), 400)
  })

  it("an administrator who is not bound: 403", async () => {
    const { where } = await scene
    want(await ofPeople(stranger, where, "ada"), 403)
  })

  it("unknown organization or place: 403, for users and administrators", async () => {
    const { ada } = await scene
    for (const who of [ada, phone, owner, stranger]) want(await ofPeople(who, { kind, id: NOWHERE }, "ada"), 403)
  })

  it("operators are refused (403)", async () => {
    const { where } = await scene
    want(await ofPeople(operator, where, "ada"), 403)
  })

  it("100 identifiers of 256 characters are accepted", async () => {
    const { where, viewer } = await scene
    const list = Array.from({ length: 100 }, (_, i) => String(i).padStart(256, "x")).join(",")
    want(await ofPeople(viewer, where, list), 204)
  })

  it("a user who is linked to another person reads that person's accesses", async () => {
    const where = await authenticatedPremises(kind)
    const user = await linked(where.organizationId, "ada")
    await stay(user, where)
    await linked(where.organizationId, "alan", user)
    want(await ofPeople(user, where, "ada"), 403)
    want(await ofPeople(user, where, "alan"), 204)
    await linked(where.organizationId, "ada", user)
    want(await ofPeople(user, where, "ada"), 200)
    want(await fixtures.unlink(user, where.organizationId), 205)
    want(await ofPeople(user, where, "ada"), 403)
  })

  it("are ordered by entranceTimestamp, then id", async () => {
    const where = await authenticatedPremises(kind)
    const ada = await linked(where.organizationId, "ada")
    const alan = await linked(where.organizationId, "alan")
    await stay(alan, where, -100, -90)
    for (let i = 0; i < 4; i++) {
      await stay(ada, where, -200, -10 - i)
      await stay(alan, where, -200, -150 - i)
    }
    await stay(ada, where, -300, -250)
    const { json } = want(await ofPeople(owner, where, "alan,ada"), 200)
    expect(json.map((access: any) => access.entranceTimestamp)).toEqual(
      [-300, ...Array.from({ length: 8 }, () => -200), -100].map(at)
    )
    const ids: ReadonlyArray<number> = json.slice(1, 9).map(({ id }: any) => id)
    expect(ids).toEqual([...ids].sort((one, other) => one - other))
  })

  it("anonymous stays have no person and are never listed", async () => {
    const where = await premises(kind)
    await stay(phone, where)
    want(await ofPeople(owner, where, "phone,ada"), 204)
  })

  it("equal ids of people in two organizations are different people", async () => {
    const { where, viewer } = await scene
    const elsewhere = await authenticatedPremises(kind)
    want(await ofPeople(owner, elsewhere, "ada"), 204)
    want(await ofPeople(viewer, elsewhere, "ada"), 403)
    const guest = await linked(elsewhere.organizationId, "alan")
    want(await ofPeople(guest, where, "alan"), 403)
  })
})

describe("accesses of an organization and of its places", () => {
  it("are separate: a place's stay is not listed for its organization, nor the other way round", async () => {
    const { id } = await fixtures.organization()
    const organization: Premises = { kind: "organization", id, organizationId: id }
    const place = await fixtures.premisesOf("place", id)
    const other = await fixtures.premisesOf("place", id, 1)
    const [one, two] = [await stay(phone, organization), await stay(phone, place)]
    want(await anonymous(phone, organization, two), 204)
    want(await anonymous(phone, place, one), 204)
    want(await anonymous(phone, other, two), 204)
  })

  it("do not include stays of a deleted place", async () => {
    const { id } = await fixtures.authenticated()
    const place = await fixtures.premisesOf("place", id)
    const ada = await linked(id, "ada")
    const token = await stay(ada, place)
    want(await fixtures.remove(owner, `/place/${place.id}`), 205)
    want(await anonymous(ada, place, token), 204)
    want(await ofPeople(ada, place, "ada"), 403)
    want(await ofPeople(owner, place, "ada"), 403)
  })

  it("repeated exits are one access", async () => {
    const where = await premises("organization")
    const { exitToken } = want(await enter(phone, where, { timestamp: at(-60) }), 201).json
    for (let i = 0; i < 3; i++) want(await leave(phone, where, exitToken, { timestamp: at(-30) }), 202)
    expect(want(await anonymous(phone, where, exitToken), 200).json).toHaveLength(1)
  })

  it("lists of different subsets contain the same accesses in the same order", async () => {
    const where = await premises("place")
    const tokens = []
    for (let i = 0; i < 6; i++) tokens.push(await stay(phone, where, -1000 + 10 * i, -500))
    const all = want(await anonymous(phone, where, tokens.join(",")), 200).json
    const some = want(await anonymous(phone, where, [tokens[4], tokens[1]].join(",")), 200).json
    expect(some).toEqual([all[1], all[4]])
    expect(all.map((access: any) => access.exitToken)).toEqual(tokens)
  })
})
