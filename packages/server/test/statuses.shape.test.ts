/** Shapes of bodies and paths: every field of every endpoint with values of other types and lengths. */
import { beforeAll, describe, expect, it } from "vitest"
import { DEMO_PASSWORD } from "../src/demo/people.ts"
import { GROUNDS, makeFixtures, NOWHERE, unique, want } from "./fixtures.ts"
import { IMAGES } from "./images.ts"
import { type Bearer, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, put, call } = fixtures
const phone = sojourn.user("phone")

type Json = Readonly<Record<string, unknown>>

/** The kinds of values that each kind of field accepts; every other value in WRONG is refused. */
type FieldKind =
  | "long"
  | "text"
  | "optional text"
  | "level"
  | "movement"
  | "optional timestamp"
  | "optional long"
  | "mode"

/** Values to try in every field, each with the kinds that it is valid for. */
const WRONG: ReadonlyArray<readonly [string, unknown, ReadonlyArray<FieldKind>]> = [
  ["true", true, []],
  ["a list", [1], []],
  ["an empty list", [], []],
  ["an object", { a: 1 }, []],
  ["a broken number", 1.5, []],
  ["0", 0, []],
  ["-2", -2, []],
  ["2^53", 9007199254740992, []],
  ["a number", 3, ["long", "optional long", "level"]],
  ["a numeric text", "1", ["text", "optional text"]],
  ["text with a NUL", "a\u0000b", []],
  ["text with a lone high surrogate", "a\ud800", []],
  ["text with a lone low surrogate", "\udc00b", []],
  ["surrogates the wrong way round", "\udc00\ud800", []],
  ["null", null, ["optional text", "optional long", "optional timestamp"]]
]

interface Body {
  readonly endpoint: string
  readonly who: Bearer
  readonly valid: Json
  readonly fields: Readonly<Record<string, FieldKind>>
}

/** Every JSON body of the interface and its extensions, with its fields (spec: http#shapes). */
const BODIES: ReadonlyArray<Body> = [
  {
    endpoint: "PUT /organization",
    who: owner,
    valid: { id: NOWHERE },
    fields: {
      id: "long",
      name: "text",
      description: "optional text",
      image: "optional text",
      street: "optional text",
      number: "optional text",
      city: "optional text",
      country: "optional text",
      authenticationServerURL: "optional text",
      trackingArea: "text",
      trackingMode: "mode"
    }
  },
  {
    endpoint: "POST /organization/requestdeletion",
    who: owner,
    valid: { organizationId: NOWHERE },
    fields: { organizationId: "long", requestReason: "optional text", administratorId: "optional text" }
  },
  {
    endpoint: "POST /administrator/bindadministrator",
    who: owner,
    valid: { organizationId: NOWHERE, administratorId: "somebody", permission: 1 },
    fields: { organizationId: "long", administratorId: "text", permission: "level", orgAuthServerId: "optional text" }
  },
  {
    endpoint: "POST /administrator/createadministrator",
    who: owner,
    valid: { organizationId: NOWHERE, mail: "new@example.test", permission: 1 },
    fields: {
      organizationId: "long",
      administratorId: "optional text",
      permission: "level",
      orgAuthServerId: "optional text"
    }
  },
  {
    endpoint: "POST /administrator/unbindadministrator",
    who: owner,
    valid: { organizationId: NOWHERE, administratorId: "somebody" },
    fields: { organizationId: "long", administratorId: "text" }
  },
  {
    endpoint: "PATCH /administrator/updatepermission",
    who: owner,
    valid: { organizationId: NOWHERE, administratorId: "somebody", permission: 1 },
    fields: {
      organizationId: "long",
      administratorId: "text",
      permission: "level",
      mail: "optional text",
      orgAuthServerId: "optional text",
      nominatedBy: "optional text"
    }
  },
  {
    endpoint: "POST /place",
    who: owner,
    valid: { organizationId: NOWHERE, trackingArea: GROUNDS },
    fields: { organizationId: "long", name: "optional text", trackingArea: "text" }
  },
  {
    endpoint: "PUT /place",
    who: owner,
    valid: { id: NOWHERE },
    fields: { id: "long", organizationId: "optional long", name: "optional text", trackingArea: "text" }
  },
  {
    endpoint: "POST /favorite/addfavorite",
    who: phone,
    valid: { organizationId: NOWHERE },
    fields: { organizationId: "long", userId: "optional text", orgAuthServerId: "optional text" }
  },
  {
    endpoint: "POST /favorite/removefavorite",
    who: phone,
    valid: { organizationId: NOWHERE },
    fields: { organizationId: "long", userId: "optional text", orgAuthServerId: "optional text" }
  },
  {
    endpoint: "POST /authenticationserver/link",
    who: phone,
    valid: { organizationId: NOWHERE, username: "ada", password: DEMO_PASSWORD },
    fields: { organizationId: "long", username: "text", password: "text" }
  }
]

const send = ({ endpoint, who }: Body, json: unknown) => {
  const [method, path] = endpoint.split(" ") as [string, string]
  return call(who, method, path, { json })
}

describe.each(BODIES)("$endpoint: the shape of its body (spec: http#shapes)", (body) => {
  const required = Object.keys(body.valid)

  it("a body of the right shape is not 400", async () => {
    expect((await send(body, body.valid)).status).not.toBe(400)
  })

  it.each(Object.entries(body.fields))("%s is a %s: every other type is 400", async (field, kind) => {
    for (const [what, value, kinds] of WRONG) {
      const { status } = await send(body, { ...body.valid, [field]: value })
      if (kinds.includes(kind)) expect(status, `${field}: ${what} is fine`).not.toBe(400)
      else expect(status, `${field}: ${what} is 400`).toBe(400)
    }
  })

  it.each(required)("%s left out: 400", async (field) => {
    want(await send(body, { ...body.valid, [field]: undefined }), 400)
  })

  it("a body that is not an object: 400", async () => {
    for (const json of ["null", "[]", "1", '"text"', "true", "[{}]", JSON.stringify([body.valid])]) {
      want(await send(body, json), 400)
    }
  })

  it("unknown fields are ignored", async () => {
    const { status } = await send(body, body.valid)
    const extra = {
      ...body.valid,
      zzz: { deep: [null, { a: "\u0000" }] },
      "": null,
      toString: 1,
      counter: 5,
      "\ud800": "\ud800"
    }
    expect((await send(body, extra)).status).toBe(status)
    const proto = JSON.stringify(body.valid).replace("{", '{"__proto__":{"admin":true},"constructor":{"prototype":{}},')
    expect((await send(body, proto)).status).toBe(status)
  })
})

describe.each(["organization", "place"])("POST /movement/track/%s: the shape of its body", (kind) => {
  const key = `${kind}Id`
  let id: number
  beforeAll(async () => {
    const o = await organization()
    id = kind === "organization" ? o.id : (await fixtures.place(o.id)).id
  })
  const track = (over: Json) =>
    call(phone, "POST", `/movement/track/${kind}`, { json: { movementType: 1, [key]: id, ...over } })

  it.each(["movementType", "timestamp", "orgAuthServerId", "exitToken"])(
    "%s of a wrong type: 400, and the counter is unchanged",
    async (field) => {
      for (const value of [true, [], {}, 1.5, "a\u0000", "\ud800"]) {
        const { status } = await track({ [field]: value })
        expect(status, `${field}: ${JSON.stringify(value)}`).toBe(400)
      }
      expect(await fixtures.inside({ kind: kind as "place", id })).toBe(0)
    }
  )

  it("null counts as left out for timestamp, orgAuthServerId and the exitToken of an entrance", async () => {
    const { exitToken } = want(await track({ timestamp: null, orgAuthServerId: null, exitToken: null }), 201).json
    want(await track({ movementType: -1, exitToken, timestamp: null, orgAuthServerId: null }), 202)
  })

  it("null is 400 for movementType, the id, and the exitToken of an exit", async () => {
    want(await track({ movementType: null }), 400)
    want(await track({ [key]: null }), 400)
    want(await track({ movementType: -1, exitToken: null }), 400)
  })

  it.each([0, 2, -2, 3, "1", "-1", "Entrance", "EXIT", "enter", "entrance ", ""])(
    "movementType %s: 400",
    async (movementType) => {
      want(await track({ movementType, exitToken: "x" }), 400)
    }
  )

  it("the id is a Long: outside 1 to 2^53-1 is 400, inside but never issued is 400 as well", async () => {
    for (const value of [0, -1, 1.5, 2 ** 53, 1e300, "1", NOWHERE, 2 ** 53 - 1])
      want(await track({ [key]: value }), 400)
  })
})

describe("Longs in bodies (spec: http#longs)", () => {
  const edit = (json: string) => call(owner, "PUT", "/organization", { json })

  it("outside 1 to 2^53-1 is 400", async () => {
    for (const id of [
      "0",
      "-0",
      "-1",
      "9007199254740992",
      "9007199254740993",
      "9223372036854775807",
      "1e400",
      "-1e400",
      "0.5",
      "1.5"
    ]) {
      want(await edit(`{"id":${id}}`), 400)
    }
  })

  it("inside but never issued is `not found`", async () => {
    for (const id of ["9007199254740991", "9007199254740990", "4503599627370497"]) want(await edit(`{"id":${id}}`), 404)
  })

  it("both names with different ids: 400; with the same id: accepted", async () => {
    const o = await organization()
    want(await put(owner, "/organization", { id: o.id, organizationId: o.id }), 200)
    want(await put(owner, "/organization", { organizationId: o.id }), 200)
    want(await put(owner, "/organization", { id: o.id, organizationId: o.id + 1 }), 400)
    want(await put(owner, "/organization", { id: o.id, organizationId: "x" }), 400)
    want(await put(owner, "/organization", {}), 400)
    want(await put(owner, "/organization", { id: null }), 400)
  })
})

describe("Longs in paths (spec: http#longs-in-paths)", async () => {
  const ID = /\{(organizationId|placeId|musterId|webhookId|deviceId|id)\}/
  const { paths } = want(await call(undefined, "GET", "/openapi.json"), 200).json
  /** Every method of every path with an id, which `{}` stands for. */
  const PATHS = Object.entries<object>(paths)
    .filter(([path]) => ID.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path] as const))
    .map(([method, path]) => [method, path.replace(ID, "{}").replace(/\{\w+\}/, "x")] as const)

  const DEVICE = { name: "Door", premises: [{ organization: true }] }
  const MARKED = { orgAuthServerIds: ["ada"], placeId: 1, swept: true }
  const sent = (method: string, path: string) =>
    method === "PUT" && path.startsWith("/floorplan/")
      ? { body: IMAGES["image/png"], type: "image/png" }
      : method === "PATCH"
        ? { form: { trackingArea: GROUNDS } }
        : method === "PUT"
          ? { json: { maxArea: null, retention: null, capacity: null, counted: 0 } }
          : method === "POST"
            ? path.endsWith("/accesses")
              ? { body: "entranceTimestamp,exitTimestamp", type: "text/csv" }
              : {
                  json: {
                    ...DEVICE,
                    type: "FeatureCollection",
                    features: [],
                    ...MARKED,
                    kind: path.startsWith("/device/") ? "display" : "drill",
                    url: "https://hooks.example.org/",
                    fromVersion: 1,
                    places: true,
                    mail: owner.mail,
                    permission: 3
                  }
                }
            : {}
  const statusOf = async (method: string, path: string, id: string | number) => {
    const users = /^\/(access|authenticationserver|place\/organization)\//
    const who = path.startsWith("/operator/") ? operator : users.test(path) ? phone : owner
    const query = path.endsWith("/history")
      ? "?step=day&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z"
      : path.startsWith("/audit/") || (method === "GET" && path.startsWith("/record/"))
        ? "?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z"
        : method === "PUT" && path.startsWith("/floorplan/")
          ? "?west=11&south=45&east=11.1&north=45.1"
          : ""
    return (await call(who, method, path.replace("{}", String(id)) + query, sent(method, path))).status
  }

  it.each(PATHS)("%s %s: digits up to 2^63-1 are a well-formed id", async (method, path) => {
    const unknown = await statusOf(method, path, NOWHERE)
    expect([204, 403, 404]).toContain(unknown)
    const ids = ["0", "00", "9007199254740991", "9007199254740992", "9007199254740993", "9223372036854775807"]
    for (const id of ids) expect(await statusOf(method, path, id), id).toBe(unknown)
  })

  it.each(PATHS)("%s %s: anything else is 400", async (method, path) => {
    const large = ["9223372036854775808", "18446744073709551617", "9".repeat(40)]
    const notations = ["-1", "+1", "1.0", "1e3", "0x10", "1_000", "%D9%A1", "%EF%BC%91", "null", "NaN", "abc"]
    const around = ["%20", "1%20", "%201", "1%00", "%2F", "1%2F2", "1;a=b"]
    for (const id of [...large, ...notations, ...around]) expect(await statusOf(method, path, id), id).toBe(400)
  })

  it("an id may be percent-encoded", async () => {
    const { id } = await organization()
    const escaped = [...String(id)].map((digit) => `%${digit.charCodeAt(0).toString(16)}`).join("")
    expect(want(await call(phone, "GET", `/organization/${escaped}`), 200).json.id).toBe(id)
  })
})

describe("the fields of an organization (spec: http#shapes)", () => {
  let subject: any
  beforeAll(async () => {
    subject = await organization()
  })
  const edit = (over: Json) => put(owner, "/organization", { id: subject.id, ...over })

  it.each([
    ["name", 128],
    ["description", 512],
    ["image", 300],
    ["street", 256],
    ["number", 10],
    ["postCode", 16],
    ["city", 100],
    ["country", 100]
  ] as const)("%s: at most %i characters, by code points", async (field, most) => {
    expect(want(await edit({ [field]: "x".repeat(most) }), 200).json[field]).toBe("x".repeat(most))
    expect(want(await edit({ [field]: "😀".repeat(most) }), 200).json[field]).toBe("😀".repeat(most))
    want(await edit({ [field]: "x".repeat(most + 1) }), 400)
    want(await edit({ [field]: "😀".repeat(most + 1) }), 400)
  })

  it("authenticationServerURL: at most 2048 characters", async () => {
    const url = (length: number) => `ldaps://ldap.example.org/${"o=x,".repeat(600)}`.slice(0, length)
    want(await edit({ authenticationServerURL: url(2048) }), 200)
    want(await edit({ authenticationServerURL: `${url(2048)}y` }), 400)
    want(await edit({ authenticationServerURL: null }), 200)
  })

  it.each(["35121", "0035", "", "SW1A 1AA", 35121, 0, -1, 9007199254740991])(
    "postCode is text or an integer and answered as it was sent: %j",
    async (postCode) => {
      expect(want(await edit({ postCode }), 200).json.postCode).toBe(postCode)
      expect(want(await call(phone, "GET", `/organization/${subject.id}`), 200).json.postCode).toBe(postCode)
    }
  )

  it.each([1.5, true, [], {}, "x".repeat(17), 1e30, "a\u0000", "\ud800"])("postCode %j: 400", async (postCode) => {
    want(await edit({ postCode }), 400)
  })

  it.each(["description", "image", "street", "number", "postCode", "city", "country", "authenticationServerURL"])(
    "null clears %s, and it is left out of answers",
    async (field) => {
      const value = field === "authenticationServerURL" ? "ldap.example.org" : "x"
      expect(want(await edit({ [field]: value }), 200).json[field]).toBe(value)
      expect(want(await edit({ [field]: null }), 200).json).not.toHaveProperty(field)
      expect(want(await call(phone, "GET", `/organization/${subject.id}`), 200).json).not.toHaveProperty(field)
    }
  )

  it("an empty text is accepted, except as a name", async () => {
    expect(want(await edit({ description: "", city: "" }), 200).json).toMatchObject({ description: "", city: "" })
    want(await edit({ name: "" }), 400)
  })

  it("dates in the body are ignored: the service sets them", async () => {
    const before = want(await edit({}), 200).json
    const dates = { creationDate: "1999-01-01T00:00:00Z", lastChangeDate: 5 }
    expect(want(await edit(dates), 200).json).toEqual(before)
    expect(want(await edit({ creationDate: null }), 200).json).toEqual(before)
  })

  it("texts are stored unchanged: any language, white space, control characters, emoji of several code points", async () => {
    for (const description of [
      "  spaced  ",
      "tab\tline\nreturn\r",
      "日本語 العربية",
      "👨‍👩‍👧‍👦",
      "é e\u0301",
      "<script>&amp;",
      "\u007f\u0001",
      "%41",
      "null"
    ]) {
      expect(want(await edit({ description }), 200).json.description).toBe(description)
    }
  })

  it("an escaped surrogate pair is one character", async () => {
    const json = `{"id":${subject.id},"description":"\\ud83d\\ude00"}`
    expect(want(await call(owner, "PUT", "/organization", { json }), 200).json.description).toBe("😀")
  })

  it("the tracking mode is exactly one of two words", async () => {
    for (const trackingMode of ["Authenticated", "ANONYMOUS", "", "authenticated ", 0, 1, true])
      want(await edit({ trackingMode }), 400)
    want(await edit({ trackingMode: "anonymous" }), 200)
  })
})

describe("permission levels (spec: http#shapes)", () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    ["viewer", 1],
    ["manager", 2],
    ["owner", 3]
  ])("%j is accepted and answered as the integer %i", async (permission, answered) => {
    const { id } = await organization()
    const administratorId = unique("bound")
    want(
      await fixtures.post(operator, "/operator/administrator", {
        administratorId,
        mail: `${administratorId}@example.test`
      }),
      201
    )
    const bound = await fixtures.post(owner, "/administrator/bindadministrator", {
      organizationId: id,
      administratorId,
      permission
    })
    expect(want(bound, 201).json.permission).toBe(answered)
  })

  it.each([0, 4, -1, 1.5, "1", "Owner", "OWNER", "owner ", "", true, null, [3], {}])(
    "%j is 400",
    async (permission) => {
      const binding = { organizationId: NOWHERE, administratorId: "somebody", permission }
      want(await fixtures.post(owner, "/administrator/bindadministrator", binding), 400)
      want(await fixtures.patch(owner, "/administrator/updatepermission", binding), 400)
      want(
        await fixtures.post(owner, "/administrator/createadministrator", { ...binding, mail: "a@example.test" }),
        400
      )
    }
  )

  it("bind needs at least one of administratorId and mail; create needs mail", async () => {
    const binding = { organizationId: NOWHERE, permission: 1 }
    want(await fixtures.post(owner, "/administrator/bindadministrator", binding), 400)
    want(
      await fixtures.post(owner, "/administrator/bindadministrator", { ...binding, administratorId: null, mail: null }),
      400
    )
    want(await fixtures.post(owner, "/administrator/bindadministrator", { ...binding, mail: "a@example.test" }), 404)
    want(await fixtures.post(owner, "/administrator/createadministrator", { ...binding, administratorId: "x" }), 400)
    want(await fixtures.post(owner, "/administrator/createadministrator", { ...binding, mail: null }), 400)
  })

  it.each(["a", "a@", "@b", "a b@c.d", "a@b@c", "a@b..c", "a@-b.c", "<a@b.c>", "a@b.c ", "", "ä@b.c\u0000"])(
    "mail addresses are well formed: %j is 400",
    async (mail) => {
      const binding = { organizationId: NOWHERE, mail, permission: 1 }
      want(await fixtures.post(owner, "/administrator/bindadministrator", binding), 400)
      want(await fixtures.post(owner, "/administrator/createadministrator", binding), 400)
    }
  )

  it.each([
    ["7 characters", "x".repeat(7), 400],
    ["8 characters", "x".repeat(8), 404],
    ["256 characters", "x".repeat(256), 404],
    ["257 characters", "x".repeat(257), 400],
    ["a number", 12345678, 400],
    ["a NUL", "12345678\u0000", 400],
    ["null, which counts as left out", null, 404]
  ])("create: a password of %s", async (_, password, status) => {
    const creation = { organizationId: NOWHERE, mail: "a@example.test", permission: 1, password }
    want(await fixtures.post(owner, "/administrator/createadministrator", creation), status)
  })

  it("unbind reads administratorId and organizationId and ignores other fields", async () => {
    const body = {
      organizationId: NOWHERE,
      administratorId: "x",
      permission: "?",
      mail: 5,
      nominatedBy: [],
      orgAuthServerId: null
    }
    want(await fixtures.post(owner, "/administrator/unbindadministrator", body), 404)
  })
})

describe("a deletion request (spec: http#shapes)", () => {
  it("requestReason: at most 512 characters", async () => {
    const [one, two] = [await organization(), await organization()]
    const ask = (organizationId: number, requestReason: string) =>
      fixtures.post(owner, "/organization/requestdeletion", { organizationId, requestReason })
    want(await ask(one.id, "x".repeat(512)), 204)
    want(await ask(two.id, "😀".repeat(512)), 204)
    want(await ask(one.id, "x".repeat(513)), 400)
  })
})

describe("deeply nested and very long values", () => {
  const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels)

  it.each([
    ["an unknown field", (levels: number) => `{"zzz":${deep(levels)},"organizationId":${NOWHERE}}`, 404],
    ["a field that is text", (levels: number) => `{"userId":${deep(levels)},"organizationId":${NOWHERE}}`, 400],
    ["a field that is a Long", (levels: number) => `{"organizationId":${deep(levels)}}`, 400],
    ["the body itself", deep, 400],
    ["objects", (levels: number) => '{"a":'.repeat(levels) + "1" + "}".repeat(levels), 400]
  ] as const)("200,000 levels in %s get the status of any other value there", async (_, json, status) => {
    for (const accept of ["application/json", "application/problem+json"]) {
      const levels = _ === "objects" ? 150_000 : 200_000
      want(await call(phone, "POST", "/favorite/addfavorite", { json: json(levels), headers: { accept } }), status)
    }
  })

  it("a list of 100,000 invalid identifiers is 400", async () => {
    const orgAuthServerIds = Array.from({ length: 100_000 }, () => 5)
    const json = {
      organizationId: NOWHERE,
      organizationCredentials: { username: "a", password: "b" },
      orgAuthServerIds
    }
    for (const accept of ["application/json", "application/problem+json"]) {
      want(await call(owner, "POST", "/authenticationserver/userinformation", { json, headers: { accept } }), 400)
    }
  })

  it("a text of a million characters is 400 in a field with a length limit", async () => {
    want(await call(owner, "PUT", "/organization", { json: { id: NOWHERE, name: "x".repeat(1_000_000) } }), 400)
  })
})
