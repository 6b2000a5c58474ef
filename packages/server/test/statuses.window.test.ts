/** Accesses and reports of a window of time over HTTP. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { at, type Kind, makeFixtures, NOWHERE, type Premises, square, unique, want } from "./fixtures.ts"
import { type Bearer, type Sent, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, get, put, organization, authenticated, authenticatedPremises, place, linked, stay, bind } =
  fixtures

const KINDS = ["organization", "place"] as const
const HOUR = 3_600
const DAY = 24 * HOUR
const CSV = { headers: { accept: "text/csv" } }
const stranger = sojourn.administrator(unique("stranger"))
const phone = sojourn.user(unique("phone"))

type Where = Pick<Premises, "kind" | "id">
type Query = Readonly<Record<string, string | number | ReadonlyArray<string>>>

const inQuery = (query: Query) =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, String(one)] as [string, string])
    )
  )

const ALL = { from: at(-30 * DAY), to: at(DAY) }

const read = ({ kind, id }: Where, query: Query = ALL, who: Bearer = owner, sent: Sent = {}) =>
  get(who, `/record/${kind}/${id}/access?${inQuery(query)}`, sent)

const report = ({ kind, id }: Where, query: Query, who: Bearer = owner) =>
  get(who, `${kind === "place" ? `/report/place/${id}` : `/record/organization/${id}/report`}?${inQuery(query)}`)

/** All accesses, part by part. */
const readAll = async (where: Where, query: Query, between: () => Promise<unknown> = async () => {}) => {
  const accesses: Array<any> = []
  let next: string | undefined
  do {
    const part = await read(where, { ...query, ...(next !== undefined && { after: next }) })
    const { json } = want(part, 200)
    accesses.push(...json.accesses)
    next = json.next
    await between()
  } while (next !== undefined)
  return accesses
}

const inOrder = (accesses: ReadonlyArray<any>) =>
  [...accesses].sort(
    (one, other) =>
      Date.parse(one.entranceTimestamp) - Date.parse(other.entranceTimestamp) || Math.sign(one.id - other.id)
  )

const accessOf = (where: Premises, from: number, to: number, person: string) => ({
  ...(where.kind === "organization" ? { organizationId: where.id } : { placeId: where.id }),
  id: expect.any(Number),
  entranceTimestamp: at(from),
  exitTimestamp: at(to),
  orgAuthServerId: person
})

describe.each(KINDS)("GET /record/%s/{id}/access", (kind: Kind) => {
  it("200 the accesses whose entrance is in the window, by entrance and then by id; 204 when there is none", async () => {
    const where = await authenticatedPremises(kind)
    const [ada, alan] = [await linked(where.organizationId, "ada"), await linked(where.organizationId, "alan")]
    for (const [user, from, to] of [
      [ada, -3 * HOUR, -1 * HOUR],
      [alan, -2 * HOUR, -100],
      [ada, -50, -40],
      [alan, -50, -20]
    ] as const) {
      await stay(user, where, from, to)
    }
    want(await fixtures.enter(ada, where), 201)
    const viewer = await bind(where.organizationId, sojourn.administrator(unique("viewer")), "viewer")
    const { accesses, ...more } = want(await read(where, ALL, viewer), 200).json
    expect(more).toEqual({})
    expect(accesses).toEqual(inOrder(accesses))
    expect(accesses.slice(0, 2)).toEqual([
      accessOf(where, -3 * HOUR, -1 * HOUR, "ada"),
      accessOf(where, -2 * HOUR, -100, "alan")
    ])
    expect(accesses).toHaveLength(4)
    expect(want(await read(where, { from: at(-2 * HOUR), to: at(-50) }), 200).json.accesses).toEqual([accesses[1]])
    const listed = want(await fixtures.ofPeople(owner, where, "ada"), 200).json
    const ofAda = want(await read(where, { ...ALL, orgAuthServerId: ["ada", "nobody", "ada"] }), 200).json.accesses
    expect(ofAda).toEqual(listed)
    want(await read(where, { from: at(-40), to: at(DAY) }), 204)
    want(await read(where, { ...ALL, orgAuthServerId: "grace" }), 204)
  })

  it("parts hold each access once, in one order, whatever is added meanwhile", async () => {
    const where = await authenticatedPremises(kind)
    const users = await Promise.all(["ada", "alan", "grace"].map((person) => linked(where.organizationId, person)))
    for (const from of [-500, -400, -300]) for (const user of users) await stay(user, where, from, from + 10)
    const all = want(await read(where), 200).json.accesses
    expect(all).toEqual(inOrder(all))
    for (const limit of [1, 2, 4, 9, 1000]) expect(await readAll(where, { ...ALL, limit })).toEqual(all)
    let added = 0
    const more = await readAll(where, { ...ALL, limit: 2 }, async () => {
      if (added < 4) await stay(users[added % 3]!, where, -400, -390 + added++)
    })
    expect(more.filter(({ id }) => all.some((access: any) => access.id === id))).toEqual(all)
    expect(new Set(more.map(({ id }) => id)).size).toBe(more.length)
    expect(more).toEqual(inOrder(more))
  })

  it.each([
    ["nothing", {}],
    ["no from", { to: at(0) }],
    ["no to", { from: at(0) }],
    ["a from that is the to", { from: at(0), to: at(0) }],
    ["a from after the to", { from: at(1), to: at(0) }],
    ["366 days and a second", { from: at(-366 * DAY - 1), to: at(0) }],
    ["a from without a zone", { from: at(-1).slice(0, -1), to: at(0) }],
    ["a limit of 0", { ...ALL, limit: 0 }],
    ["a limit of 1,001", { ...ALL, limit: 1001 }],
    ["a limit that is no number", { ...ALL, limit: "ten" }],
    ["two limits", { ...ALL, limit: ["1", "2"] }],
    ["101 people", { ...ALL, orgAuthServerId: Array.from({ length: 101 }, (_, n) => `person-${n}`) }],
    ["a person without a name", { ...ALL, orgAuthServerId: "" }],
    ["an after that was never answered", { ...ALL, after: "x" }],
    ["an after of the length of one", { ...ALL, after: "A".repeat(64) }],
    ["an empty after", { ...ALL, after: "" }]
  ])("%s: 400", async (_, query) => {
    const where = await authenticatedPremises(kind)
    want(await read(where, query), 400)
    want(await read(where, query, owner, CSV), 400)
    want(await read({ kind, id: NOWHERE }, query), 400)
    want(await read(where, query, phone), 403)
  })

  it("366 days and 100 people are not too many", async () => {
    const where = await authenticatedPremises(kind)
    const people = Array.from({ length: 100 }, (_, n) => `person-${n}`)
    want(await read(where, { from: at(-366 * DAY), to: at(0), orgAuthServerId: people, limit: 1000 }), 204)
  })

  it("400 an after of other premises, of another window, or of other people", async () => {
    const where = await authenticatedPremises(kind)
    const other = await authenticatedPremises(kind)
    const ada = await linked(where.organizationId, "ada")
    await stay(ada, where, -500, -400)
    await stay(ada, where, -300, -200)
    const { next } = want(await read(where, { ...ALL, limit: 1 }), 200).json
    expect(next).toMatch(/^[A-Za-z0-9_-]{64}$/)
    want(await read(other, { ...ALL, after: next }), 400)
    want(await read(where, { ...ALL, to: at(DAY + 1), after: next }), 400)
    want(await read(where, { ...ALL, orgAuthServerId: "ada", after: next }), 400)
    want(await read(where, { ...ALL, after: `${next.slice(0, -1)}${next.endsWith("A") ? "B" : "A"}` }), 400)
    expect(want(await read(where, { ...ALL, limit: 5, after: next }), 200).json.accesses).toHaveLength(1)
  })

  it("400 where people are anonymous, after 403 and 404", async () => {
    const where = await fixtures.premises(kind)
    want(await read(where), 400)
    want(await read(where, ALL, owner, CSV), 400)
    want(await read(where, ALL, stranger), 403)
    want(await read({ kind, id: NOWHERE }), 404)
    want(await read({ kind, id: NOWHERE }, ALL, stranger, CSV), 404)
  })

  it("CSV holds the whole window, with local times of the policy's time zone", async () => {
    const where = await authenticatedPremises(kind, { name: unique('Bür "O" ') })
    want(
      await put(operator, `/operator/organization/${where.organizationId}/policy`, { timeZone: "Asia/Kathmandu" }),
      200
    )
    const ada = await linked(where.organizationId, "ada")
    await stay(ada, where, -500, -400)
    await stay(ada, where, -300, -200)
    const { json } = want(await read(where), 200)
    const { text, headers } = want(await read(where, { ...ALL, limit: 1 }, owner, CSV), 200)
    const local = (timestamp: string) =>
      new Date(Date.parse(timestamp) + 5.75 * HOUR * 1000).toISOString().replace("T", " ").slice(0, 19)
    const ids = kind === "organization" ? ["organizationId", "placeId"] : ["placeId"]
    expect(text).toBe(
      [
        `\ufeff${ids.join()},id,entranceTimestamp,exitTimestamp,orgAuthServerId,entranceLocal,exitLocal`,
        ...json.accesses.map((access: any) =>
          [
            ...ids.map((name) => access[name] ?? ""),
            access.id,
            access.entranceTimestamp,
            access.exitTimestamp,
            access.orgAuthServerId,
            local(access.entranceTimestamp),
            local(access.exitTimestamp)
          ].join()
        ),
        ""
      ].join("\r\n")
    )
    expect(headers["cache-control"]).toBe("no-store")
    const disposition = headers["content-disposition"]!
    expect(disposition).toMatch(
      /^attachment; filename="Bur__O__-\d+[\w.-]*\.csv"; filename\*=UTF-8''B%C3%BCr%20_O_%20-\d+/
    )
    expect(disposition).toMatch(/^[\x20-\x7e]+$/)
    expect(disposition).toContain(local(ALL.from).slice(0, 10))
  })

  it("CSV of a window without accesses is the header alone", async () => {
    const where = await authenticatedPremises(kind)
    const { text } = want(await read(where, { from: at(-9), to: at(-8) }, owner, CSV), 200)
    expect(text).toMatch(/^\ufeff[A-Za-z,]+\r\n$/)
  })

  it("CSV goes on after an after, and answers HEAD without a body", async () => {
    const where = await authenticatedPremises(kind)
    const ada = await linked(where.organizationId, "ada")
    for (const from of [-500, -300, -100]) await stay(ada, where, from, from + 10)
    const { next } = want(await read(where, { ...ALL, limit: 2 }), 200).json
    expect(want(await read(where, { ...ALL, after: next }, owner, CSV), 200).text.split("\r\n")).toHaveLength(3)
    const path = `/record/${kind}/${where.id}/access?${inQuery(ALL)}`
    expect(want(await fixtures.call(owner, "HEAD", path, CSV), 200).text).toBe("")
  })
})

describe("the accesses of an organization", () => {
  it("hold those of its places with their placeId, and with premises=own its own alone", async () => {
    const { id } = await authenticated()
    const whole: Premises = { kind: "organization", id, organizationId: id }
    const inPlace: Premises = { kind: "place", id: (await place(id)).id, organizationId: id }
    const other: Premises = { kind: "place", id: (await place(id, square(1))).id, organizationId: id }
    const ada = await linked(id, "ada")
    await stay(ada, inPlace, -500, -400)
    await stay(ada, whole, -450, -300)
    await stay(ada, other, -400, -200)
    const own = accessOf(whole, -450, -300, "ada")
    const ofPlace = ({ id: placeId }: Premises, from: number, to: number) => ({
      ...own,
      placeId,
      entranceTimestamp: at(from),
      exitTimestamp: at(to)
    })
    const all = [ofPlace(inPlace, -500, -400), own, ofPlace(other, -400, -200)]
    expect(want(await read(whole), 200).json.accesses).toEqual(all)
    expect(await readAll(whole, { ...ALL, limit: 1, orgAuthServerId: "ada" })).toEqual(all)
    expect(want(await read(whole, { ...ALL, premises: "own" }), 200).json.accesses).toEqual([own])
    const { next } = want(await read(whole, { ...ALL, limit: 1 }), 200).json
    want(await read(whole, { ...ALL, premises: "own", after: next }), 400)
    for (const premises of ["all", "", "place"]) want(await read(whole, { ...ALL, premises }), 400)
    want(await fixtures.remove(owner, `/place/${inPlace.id}`), 205)
    expect(want(await read(whole), 200).json.accesses).toEqual(all.slice(1))
  })
})

describe.each(KINDS)("reports of a window: %s", (kind: Kind) => {
  it("200 each person's time inside the window, by the closed stays as they are cut at its ends", async () => {
    const where = await authenticatedPremises(kind)
    const [ada, alan, grace] = await Promise.all(
      ["ada", "alan", "grace"].map((person) => linked(where.organizationId, person))
    )
    await stay(ada!, where, -20 * DAY, -100)
    await stay(ada!, where, -50, -40)
    await stay(alan!, where, -5000, -4000)
    await stay(grace!, where, -30, -20)
    want(await fixtures.enter(alan!, where, { timestamp: at(-9000) }), 201)
    const timeOf = (person: string, totalTime: number) => ({
      [`${kind}Id`]: where.id,
      orgAuthServerId: person,
      totalTime
    })
    const viewer = await bind(where.organizationId, sojourn.administrator(unique("viewer")), "viewer")
    expect(want(await report(where, { from: at(-4500), to: at(-45) }, viewer), 200).json).toEqual([
      timeOf("ada", 4400 + 5),
      timeOf("alan", 500)
    ])
    expect(want(await report(where, { from: at(-3 * DAY), to: at(-2 * DAY) }), 200).json).toEqual([timeOf("ada", DAY)])
    want(await report(where, { from: at(-15), to: at(DAY) }), 204)
    want(await report({ kind, id: NOWHERE }, ALL), 404)
    want(await report(where, ALL, stranger), 403)
  })

  it.each([
    ["no from", { to: at(0) }],
    ["no to", { from: at(0) }],
    ["a from that is the to", { from: at(0), to: at(0) }],
    ["366 days and a second", { from: at(-366 * DAY - 1), to: at(0) }],
    ["a from that is no timestamp", { from: "yesterday", to: at(0) }]
  ])("%s: 400", async (_, query) => {
    const where = await authenticatedPremises(kind)
    want(await report(where, query), 400)
    want(await report({ kind, id: NOWHERE }, query), 400)
  })

  it("an anonymous organization has no people: 204", async () => {
    want(await report(await fixtures.premises(kind), ALL), 204)
  })
})

it("a report of an organization needs a window", async () => {
  want(await get(owner, `/record/organization/${(await organization()).id}/report`), 400)
})

it("a file of several parts is the same as its parts", async () => {
  const where = await authenticatedPremises("organization")
  const ada = await linked(where.organizationId, "ada")
  const count = 1_100
  for (let n = 0; n < count; n++) await stay(ada, where, -20 * DAY + 10 * n, -20 * DAY + 10 * n + 5)
  const accesses = await readAll(where, { ...ALL, limit: 1_000 })
  expect(accesses).toHaveLength(count)
  const { text } = want(await read(where, ALL, owner, CSV), 200)
  const lines = text.split("\r\n").slice(1, -1)
  const digest = (ids: ReadonlyArray<unknown>) => createHash("sha256").update(ids.join()).digest("hex")
  expect(digest(lines.map((line) => line.split(",")[2]))).toBe(digest(accesses.map(({ id }) => id)))
})
