/** Lists of accesses over HTTP. */
import { describe, expect, it } from "vitest"
import { at, type Kind, makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { anonymous, ofPeople, premises, authenticatedPremises, stay, enter, linked } = fixtures

const KINDS = ["organization", "place"] as const
const phone = sojourn.user("phone")
const stranger = sojourn.administrator("a-stranger")
const tokensOf = (answer: { readonly json: any }) => answer.json.map((access: any) => access.exitToken)
const peopleOf = (answer: { readonly json: any }) => answer.json.map((access: any) => access.orgAuthServerId)
const escaped = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

describe.each(KINDS)("accesses of one %s by exit tokens (spec: stays#lists-by-token)", (kind: Kind) => {
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

  it.each([",", "%2C", "%2c"])("exitTokens are split at commas, written %s", async (comma) => {
    const where = await fresh()
    const tokens = [await stay(phone, where, -300, -200), await stay(phone, where, -200, -100)]
    expect(tokensOf(want(await anonymous(phone, where, tokens.join(comma)), 200))).toEqual(tokens)
  })

  it("duplicates, unknown tokens, tokens of another place or organization are ignored", async () => {
    const [where, elsewhere] = [await fresh(), await fresh()]
    const [token, foreign] = [await stay(phone, where), await stay(phone, elsewhere)]
    const list = [token, "unknown", foreign, token, `${token}x`, token.toLowerCase()].join(",")
    expect(tokensOf(want(await anonymous(phone, where, list), 200))).toEqual([token])
    want(await anonymous(phone, where, foreign), 204)
    want(await anonymous(phone, where, "unknown"), 204)
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

  it.each([",a", "a,,b", "a%2C%2Cb", "a%00b"])("an empty element, and a NUL in one, is 400: %s", async (list) => {
    want(await anonymous(phone, await fresh(), list), 400)
  })

  it.each([
    ["a list that is left out", ""],
    ["a list and a slash", "a/"],
    ["a list of two segments", "a/b"]
  ])("%s is another path: 404", async (_, list) => {
    want(await anonymous(phone, await fresh(), list), 404)
  })

  it("an escaped slash and a doubly escaped comma are no separators", async () => {
    const where = await fresh()
    const token = await stay(phone, where)
    want(await anonymous(phone, where, `${token}%2Fx`), 204)
    want(await anonymous(phone, where, `${token}%252Cx`), 204)
  })

  it("unknown premises and a malformed list: the list is checked first (400)", async () => {
    want(await anonymous(phone, { kind, id: NOWHERE }, "a,,b"), 400)
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
})

describe.each(KINDS)("accesses of one %s by people (spec: stays#own-accesses)", (kind: Kind) => {
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

  it.each(["alan", "nobody", "ADA", "ada%20", "ada,alan", "ada,ada"])(
    "a user who asks for other accesses than their own, or for two ids: 403: %s",
    async (list) => {
      const { where, ada } = await scene
      want(await ofPeople(ada, where, list), 403)
    }
  )

  it("older clients escape the whole list: an element with a comma matches itself and its parts", async () => {
    const { where, viewer } = await scene
    expect(peopleOf(want(await ofPeople(viewer, where, "ada%2Calan"), 200))).toEqual(["ada", "alan"])
    expect(peopleOf(want(await ofPeople(viewer, where, escaped("ada,alan")), 200))).toEqual(["ada", "alan"])
    expect(peopleOf(want(await ofPeople(viewer, where, "ada%2Calan,grace"), 200))).toEqual(["grace", "ada", "alan"])
  })

  it("duplicates and unknown people are ignored", async () => {
    const { where, viewer } = await scene
    expect(peopleOf(want(await ofPeople(viewer, where, "ada,nobody,ada,ada%2Cada"), 200))).toEqual(["ada"])
    want(await ofPeople(viewer, where, "nobody,nor-they"), 204)
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

  it.each([",ada", "ada,,alan", "ada%00"])("an empty element, and a NUL in one, is 400: %s", async (list) => {
    const { where, viewer, ada } = await scene
    want(await ofPeople(viewer, where, list), 400)
    want(await ofPeople(ada, where, list), 400)
    want(await ofPeople(stranger, where, list), 400)
  })
})
