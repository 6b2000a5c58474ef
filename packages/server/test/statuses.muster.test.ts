/** Musters, and the lists of people inside, over HTTP. */
import { describe, expect, it } from "vitest"
import { at, makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { type Bearer, type Sent, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, organization, authenticated, place, bind, linked, enter, leave, call } = fixtures

const stranger = sojourn.administrator(unique("stranger"))
const phone = sojourn.user(unique("phone"))

const start = (id: number, json: unknown = { kind: "drill" }, who: Bearer = owner) =>
  call(who, "POST", `/muster/organization/${id}`, { json })
const list = (id: number, who: Bearer = owner) => call(who, "GET", `/muster/organization/${id}`)
const read = (id: number, who: Bearer = owner, sent: Sent = {}) => call(who, "GET", `/muster/${id}`, sent)
const mark = (id: number, json: unknown, who: Bearer = owner) => call(who, "POST", `/muster/${id}/safe`, { json })
const markMissing = (id: number, json: unknown, who: Bearer = owner) =>
  call(who, "POST", `/muster/${id}/missing`, { json })
const sweep = (id: number, json: unknown, who: Bearer = owner) => call(who, "POST", `/muster/${id}/swept`, { json })
const end = (id: number, who: Bearer = owner) => call(who, "POST", `/muster/${id}/end`)
const inside = (kind: "organization" | "place", id: number, who: Bearer = owner) =>
  call(who, "GET", `/presence/${kind}/${id}/inside`)

/** An organization with a hall: ada is in the hall, alan in the organization itself, grace nowhere. */
const aSite = async () => {
  const { id } = await authenticated()
  const hall = await place(id)
  const whole = { kind: "organization", id } as const
  const inHall = { kind: "place", id: hall.id } as const
  const [ada, alan, grace] = [await linked(id, "ada"), await linked(id, "alan"), await linked(id, "grace")]
  const { exitToken: adaToken } = want(await enter(ada, inHall, { timestamp: at(-60) }), 201).json
  want(await enter(alan, whole, { timestamp: at(-90) }), 201)
  return { id, hall, whole, inHall, ada, alan, grace, adaToken }
}

const started = async (id: number, body: object = { kind: "drill" }) => want(await start(id, body), 201).json

describe("GET /presence/{organization|place}/{id}/inside", () => {
  it("200 by person, with the places of an organization; 204 when there is none", async () => {
    const { id, hall, inHall, ada, adaToken } = await aSite()
    const inTheHall = { orgAuthServerId: "ada", placeId: hall.id, since: at(-60) }
    const whole = { orgAuthServerId: "alan", since: at(-90) }
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    expect(want(await inside("organization", id, viewer), 200).json).toEqual([inTheHall, whole])
    expect(want(await inside("place", hall.id, viewer), 200).json).toEqual([inTheHall])
    want(await leave(ada, inHall, adaToken), 202)
    expect(want(await inside("place", hall.id), 204).text).toBe("")
    expect(want(await inside("organization", id), 200).json).toEqual([whole])
  })

  it("400 where people are anonymous", async () => {
    const { id } = await organization()
    want(await inside("organization", id), 400)
    want(await inside("place", (await place(id)).id), 400)
  })
})

describe("POST /muster/organization/{organizationId}", () => {
  it("201 with all people who are inside; 409 while one is open", async () => {
    const { id, hall } = await aSite()
    const manager = await bind(id, sojourn.administrator(unique("manager")), "manager")
    const muster = want(await start(id, { kind: "evacuation", note: "Smoke in the hall" }, manager), 201).json
    expect(muster).toEqual({
      musterId: expect.any(Number),
      organizationId: id,
      kind: "evacuation",
      note: "Smoke in the hall",
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      startedBy: manager.id,
      inside: 2,
      safe: 0,
      left: 0,
      missing: 2,
      people: [
        { orgAuthServerId: "ada", placeIds: [hall.id], since: at(-60), state: "missing" },
        { orgAuthServerId: "alan", placeIds: [], since: at(-90), state: "missing" }
      ]
    })
    want(await start(id), 409)
    want(await end(muster.musterId), 200)
    want(await start(id), 201)
  })

  it("201 without people where they are anonymous", async () => {
    const { id } = await organization()
    const whole = { kind: "organization", id } as const
    const tokens = []
    for (const _ of [1, 2, 3]) tokens.push(want(await enter(phone, whole), 201).json.exitToken)
    const muster = await started(id)
    expect(muster).toMatchObject({ inside: 3, safe: 0, left: 0, missing: 3 })
    expect(muster).not.toHaveProperty("people")
    want(await leave(phone, whole, tokens[0]), 202)
    expect(want(await mark(muster.musterId, { count: 1 }), 200).json).toMatchObject({
      inside: 3,
      safe: 1,
      left: 1,
      missing: 2
    })
    expect(want(await read(muster.musterId), 200).json).not.toHaveProperty("people")
    expect(want(await read(muster.musterId, owner, { headers: { accept: "text/csv" } }), 200).text).toBe(
      "\ufefforgAuthServerId,placeIds,since,state,at\r\n"
    )
  })

  it.each([
    ["no kind", {}],
    ["another kind", { kind: "fire" }],
    ["a kind that is a number", { kind: 1 }],
    ["a kind that is null", { kind: null }],
    ["a note of 513 characters", { kind: "drill", note: "x".repeat(513) }],
    ["a note that is a number", { kind: "drill", note: 5 }],
    ["a note with NUL", { kind: "drill", note: "\u0000" }],
    ["a list", []]
  ])("400 for %s", async (_, body) => {
    const { id } = await organization()
    want(await start(id, body), 400)
    want(await list(id), 204)
  })

  it("a note of 512 characters is kept, and null counts as left out", async () => {
    const { id } = await organization()
    for (const note of ["😀".repeat(512), "\u0001\u001b[2J\r\n\u2028\u202e=HYPERLINK()"]) {
      const { musterId } = await started(id, { kind: "drill", note })
      expect(want(await end(musterId), 200).json.note).toBe(note)
    }
    expect(await started(id, { kind: "drill", note: null })).not.toHaveProperty("note")
  })
})

describe("GET /muster/organization/{organizationId}", () => {
  it("200 with the newest first and without people; 204 when there is none", async () => {
    const { id } = await aSite()
    expect(want(await list(id), 204).text).toBe("")
    const { people: _, ...first } = await started(id)
    const { endedAt } = want(await end(first.musterId), 200).json
    const { people: __, ...second } = await started(id)
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    expect(want(await list(id, viewer), 200).json).toEqual([second, { ...first, endedAt }])
  })
})

describe("GET /muster/{musterId}", () => {
  it("200 as JSON, or its people as CSV", async () => {
    const { id, hall, ada, grace, inHall, adaToken } = await aSite()
    const { musterId } = await started(id)
    want(await enter(grace, inHall, { timestamp: at(-30) }), 201)
    want(await leave(ada, inHall, adaToken, { timestamp: at(-10) }), 202)
    const marked = want(await mark(musterId, { orgAuthServerIds: ["alan", "=1+1", 'a,"b'] }), 200).json
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    expect(want(await read(musterId, viewer), 200).json).toEqual(marked)
    expect(marked).toMatchObject({ inside: 5, safe: 3, left: 1, missing: 1 })
    const safeAt = marked.people[0].at
    expect(marked.people).toEqual([
      { orgAuthServerId: "=1+1", placeIds: [], state: "safe", at: safeAt },
      { orgAuthServerId: 'a,"b', placeIds: [], state: "safe", at: safeAt },
      { orgAuthServerId: "ada", placeIds: [hall.id], since: at(-60), state: "left", at: at(-10) },
      { orgAuthServerId: "alan", placeIds: [], since: at(-90), state: "safe", at: safeAt },
      { orgAuthServerId: "grace", placeIds: [hall.id], since: at(-30), state: "missing" }
    ])
    const csv = want(await read(musterId, viewer, { headers: { accept: "text/csv" } }), 200)
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8")
    expect(csv.headers["cache-control"]).toBe("no-store")
    expect(csv.text).toBe(
      [
        "\ufefforgAuthServerId,placeIds,since,state,at",
        `'=1+1,,,safe,${safeAt}`,
        `"a,""b",,,safe,${safeAt}`,
        `ada,${hall.id},${at(-60)},left,${at(-10)}`,
        `alan,,${at(-90)},safe,${safeAt}`,
        `grace,${hall.id},${at(-30)},missing,`,
        ""
      ].join("\r\n")
    )
  })

  it.each([
    ["text/csv;q=0.5", true],
    ["application/json;q=0.5, Text/CSV", true],
    ["text/csv, */*;q=0.1", true],
    ["text/csv;q=0", false],
    ["application/json, text/csv;q=0.9", false],
    ["text/*", false],
    ["*/*", false],
    ["text/html", false]
  ])("Accept: %s answers CSV: %s", async (accept, isCsv) => {
    const { id } = await organization()
    const { musterId } = await started(id)
    const { headers } = want(await read(musterId, owner, { headers: { accept } }), 200)
    expect(headers["content-type"]).toBe(isCsv ? "text/csv; charset=utf-8" : "application/json")
  })

  it("a refusal has no body where CSV is accepted", async () => {
    const { musterId } = await started((await organization()).id)
    const headers = { accept: "text/csv" }
    expect(want(await read(musterId, stranger, { headers }), 403).text).toBe("")
    expect(want(await read(NOWHERE, stranger, { headers }), 404).text).toBe("")
  })
})

describe("POST /muster/{musterId}/safe", () => {
  it("200: marking twice changes nothing, and people who were not inside are added", async () => {
    const { id } = await aSite()
    const { musterId } = await started(id)
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    const once = want(await mark(musterId, { orgAuthServerIds: ["ada", "ada", "grace"] }, viewer), 200).json
    expect(once).toMatchObject({ inside: 3, safe: 2, left: 0, missing: 1 })
    expect(want(await mark(musterId, { orgAuthServerIds: ["grace", "ada"] }, viewer), 200).json).toEqual(once)
  })

  it("a request marks at most 1,000 people", async () => {
    const { id } = await authenticated()
    const { musterId } = await started(id)
    const people = Array.from({ length: 1_000 }, (_, n) => `person-${n}`)
    want(await mark(musterId, { orgAuthServerIds: [...people, "one-more"] }), 400)
    expect(want(await mark(musterId, { orgAuthServerIds: people, count: null }), 200).json.safe).toBe(1_000)
  })

  it("1,000 people with the longest ids are marked, formulas and control characters among them, and their CSV is safe", async () => {
    const { id } = await authenticated()
    const { musterId } = await started(id)
    const hostile = [
      "=1+1",
      "+1",
      "-1",
      "@SUM(A1)",
      "\tx",
      "\rx",
      'a"b',
      "a,b",
      "a\r\nb",
      "\u0007",
      "\u202e",
      "'x",
      "＝1",
      "＋1",
      "－1",
      "＠1",
      "\n=1"
    ]
    const long = Array.from({ length: 1_000 - hostile.length }, (_, n) => "😀".repeat(253) + String(n).padStart(3, "0"))
    const people = [...hostile, ...long].toSorted()
    const { json } = want(await mark(musterId, { orgAuthServerIds: people }), 200)
    expect(json.people.map((one: any) => one.orgAuthServerId)).toEqual(people)
    const { text } = want(await read(musterId, owner, { headers: { accept: "text/csv" } }), 200)
    const first = text.matchAll(/(?:^|(?<=\r\n))(?:"((?:[^"]|"")*)"|([^",\r\n]*)),,,safe,[^,\r\n]*\r\n/g)
    const ids = Array.from(first, ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain)
    expect(ids).toEqual(people.map((one) => (/^[=+\-@＝＋－＠\t\r\n]/.test(one) ? `'${one}` : one)))
  })

  it.each([
    ["nothing", {}],
    ["nothing but null", { orgAuthServerIds: null, count: null }],
    ["both", { orgAuthServerIds: ["ada"], count: 1 }],
    ["no people", { orgAuthServerIds: [] }],
    ["an empty person", { orgAuthServerIds: [""] }],
    ["a person of 257 characters", { orgAuthServerIds: ["x".repeat(257)] }],
    ["a person that is a number", { orgAuthServerIds: [1] }],
    ["a text", { orgAuthServerIds: "ada" }],
    ["a count below 0", { count: -1 }],
    ["a broken count", { count: 1.5 }],
    ["a count above 10,000,000", { count: 10_000_001 }],
    ["a count that is text", { count: "3" }]
  ])("400 for %s", async (_, body) => {
    const { musterId } = await started((await authenticated()).id)
    want(await mark(musterId, body), 400)
    want(await mark(NOWHERE, body, stranger), 400)
  })

  it("400 for a count where people are known, and for people where they are anonymous", async () => {
    const known = await started((await authenticated()).id)
    want(await mark(known.musterId, { count: 1 }), 400)
    const { musterId } = await started((await organization()).id)
    want(await mark(musterId, { orgAuthServerIds: ["ada"] }), 400)
  })

  it("409 after the end, which is looked at after the level and the tracking mode", async () => {
    const { musterId } = await started((await authenticated()).id)
    want(await end(musterId), 200)
    want(await mark(musterId, { orgAuthServerIds: ["ada"] }, stranger), 403)
    want(await mark(musterId, { count: 1 }), 400)
    want(await mark(musterId, { orgAuthServerIds: ["ada"] }), 409)
  })
})

describe("POST /muster/{musterId}/missing", () => {
  it("200: marks are taken back, and who was added by a mark alone is taken out; twice changes nothing", async () => {
    const { id } = await aSite()
    const before = await started(id)
    const { musterId } = before
    const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
    want(await mark(musterId, { orgAuthServerIds: ["ada", "alan", "grace"] }), 200)
    const taken = want(await markMissing(musterId, { orgAuthServerIds: ["ada", "grace", "turing"] }, viewer), 200).json
    expect(taken).toMatchObject({ inside: 2, safe: 1, left: 0, missing: 1 })
    expect(taken.people[0]).toEqual(before.people[0])
    expect(want(await markMissing(musterId, { orgAuthServerIds: ["grace", "ada"] }, viewer), 200).json).toEqual(taken)
    expect(want(await read(musterId), 200).json).toEqual(taken)
  })

  it.each([
    ["nothing", {}],
    ["null", { orgAuthServerIds: null }],
    ["no people", { orgAuthServerIds: [] }],
    ["an empty person", { orgAuthServerIds: [""] }],
    ["a count", { count: 1 }],
    ["1,001 people", { orgAuthServerIds: Array.from({ length: 1_001 }, (_, n) => `person-${n}`) }],
    ["a list", []]
  ])("400 for %s", async (_, body) => {
    const { musterId } = await started((await authenticated()).id)
    want(await markMissing(musterId, body), 400)
    want(await markMissing(NOWHERE, body, stranger), 400)
  })

  it("400 where people are anonymous, and 409 after the end, which is looked at after the level and the tracking mode", async () => {
    const body = { orgAuthServerIds: ["ada"] }
    for (const [{ id }, status] of [
      [await organization(), 400],
      [await authenticated(), 200]
    ] as const) {
      const { musterId } = await started(id)
      want(await markMissing(musterId, body), status)
      want(await end(musterId), 200)
      want(await markMissing(musterId, body, stranger), 403)
      want(await markMissing(musterId, body), status === 400 ? 400 : 409)
    }
  })
})

describe("POST /muster/{musterId}/swept", () => {
  it("200: a place was searched, when and by whom first, until it is taken back, in every mode", async () => {
    for (const { id } of [await organization(), await authenticated()]) {
      const { id: hallId } = await place(id)
      const { musterId, ...before } = await started(id)
      expect(before).not.toHaveProperty("swept")
      const viewer = await bind(id, sojourn.administrator(unique("viewer")), "viewer")
      const once = want(await sweep(musterId, { placeId: hallId, swept: true }, viewer), 200).json
      const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect(once).toEqual({ musterId, ...before, swept: [{ placeId: hallId, at, by: viewer.id }] })
      expect(want(await sweep(musterId, { placeId: hallId, swept: true }), 200).json).toEqual(once)
      expect(want(await list(id), 200).json[0].swept).toEqual(once.swept)
      expect(want(await sweep(musterId, { placeId: hallId, swept: false }), 200).json).toEqual({ musterId, ...before })
      expect(want(await sweep(musterId, { placeId: hallId, swept: false }), 200).json).not.toHaveProperty("swept")
      want(await sweep(musterId, { placeId: hallId, swept: true }), 200)
      expect(want(await end(musterId), 200).json.swept).toHaveLength(1)
    }
  })

  it.each([
    ["nothing", {}],
    ["no place", { swept: true }],
    ["a place that is text", { placeId: "7", swept: true }],
    ["place 0", { placeId: 0, swept: true }],
    ["whether it was searched left out", { placeId: 7 }],
    ["null", { placeId: 7, swept: null }],
    ["a text", { placeId: 7, swept: "true" }]
  ])("400 for %s", async (_, body) => {
    const { musterId } = await started((await organization()).id)
    want(await sweep(musterId, body), 400)
    want(await sweep(NOWHERE, body, stranger), 400)
  })

  it("400 for a place of another organization or none, which is looked at after the level; 409 after the end", async () => {
    const { id } = await organization()
    const own = await place(id)
    const other = await place((await organization()).id)
    const { musterId } = await started(id)
    want(await sweep(musterId, { placeId: other.id, swept: true }, stranger), 403)
    for (const placeId of [other.id, NOWHERE]) want(await sweep(musterId, { placeId, swept: false }), 400)
    want(await end(musterId), 200)
    want(await sweep(musterId, { placeId: other.id, swept: true }), 400)
    want(await sweep(musterId, { placeId: own.id, swept: true }), 409)
  })
})

describe("the numbers of an anonymous muster (spec: musters#anonymous-numbers)", () => {
  it("go by the places where more are inside of them, and say that all are out when they are", async () => {
    const { id } = await organization()
    const hall = await place(id)
    const inHall = { kind: "place", id: hall.id } as const
    const tokens: Array<string> = []
    for (let n = 0; n < 7; n++) tokens.push(want(await enter(phone, inHall), 201).json.exitToken)
    const { musterId, ...muster } = await started(id, { kind: "evacuation" })
    expect(muster).toMatchObject({ inside: 7, safe: 0, left: 0, missing: 7 })
    for (const token of tokens.slice(0, 4)) want(await leave(phone, inHall, token), 202)
    want(await enter(phone, inHall), 201)
    const counted = want(await mark(musterId, { count: 5 }), 200).json
    expect(counted).toMatchObject({ inside: 8, safe: 5, left: 4, missing: 3 })
    expect(want(await mark(musterId, { count: 8 }), 200).json.missing).toBe(0)
  })
})

describe("POST /muster/{musterId}/end", () => {
  it("200: people and numbers stay as they were; ended already: the same", async () => {
    const { id, ada, inHall, adaToken } = await aSite()
    const { musterId } = await started(id)
    const open = want(await mark(musterId, { orgAuthServerIds: ["ada"] }), 200).json
    const manager = await bind(id, sojourn.administrator(unique("manager")), "manager")
    const ended = want(await end(musterId, manager), 200).json
    expect(ended).toEqual({ ...open, endedAt: expect.any(String) })
    want(await leave(ada, inHall, adaToken), 202)
    expect(want(await end(musterId), 200).json).toEqual(ended)
    expect(want(await read(musterId), 200).json).toEqual(ended)
  })
})
