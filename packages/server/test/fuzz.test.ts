/** Random hostile requests and bytes: no 5xx, no hang, and every answer with a request id. */
import { Random } from "@sojourn/testing"
import { expect, it } from "vitest"
import { DEMO_PASSWORD } from "../src/demo/people.ts"
import { at, GROUNDS, makeFixtures, NOWHERE, square, want } from "./fixtures.ts"
import { type Bearer, type Sent, sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, call } = fixtures

const REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? 3_000)
const SEED = Number(process.env["FUZZ_SEED"] ?? 20261121)

const random = new Random(SEED)
const below = (limit: number) => random.below(limit)
const oneOf = <A>(values: ReadonlyArray<A>) => random.pick(values)
const chance = (probability: number) => random.chance(probability)

/** Valid bodies of endpoints. */
const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "POST /organization/requestdeletion": { organizationId: 1, requestReason: "x", administratorId: "the-owner" },
  "PUT /organization": { id: 1, name: "a", trackingArea: GROUNDS, trackingMode: "anonymous", postCode: 1 },
  "POST /administrator/bindadministrator": { organizationId: 1, administratorId: "x", mail: "a@b.c", permission: 1 },
  "POST /administrator/createadministrator": { organizationId: 1, mail: "a@b.c", password: "12345678", permission: 1 },
  "POST /administrator/unbindadministrator": { organizationId: 1, administratorId: "x", permission: 1 },
  "PATCH /administrator/updatepermission": { organizationId: 1, administratorId: "x", permission: 1, mail: "a@b.c" },
  "POST /place": { organizationId: 1, name: "p", trackingArea: square(3) },
  "PUT /place": { id: 1, organizationId: 1, name: "p", trackingArea: square(0) },
  "PUT /capacity/organization/{}": { capacity: 5, warnAt: 0.5 },
  "PUT /capacity/place/{}": { capacity: 5, warnAt: 0.5 },
  "POST /device/organization/{}": { name: "Door", premises: [{ organization: true }], kind: "display" },
  "POST /device/count": { readings: [{ organization: true, epoch: "a", in: 2, out: 1 }] },
  "PUT /presence/organization/{}/counted": { counted: 3 },
  "PUT /presence/place/{}/counted": { counted: 3 },
  "POST /record/organization/{}/end": { orgAuthServerIds: ["ada"], exitTimestamp: at(-60), places: true },
  "POST /record/place/{}/end": { orgAuthServerIds: ["ada"], exitTimestamp: at(-60) },
  "POST /record/organization/{}/clear": { places: true },
  "POST /favorite/addfavorite": { organizationId: 1, userId: "phone", orgAuthServerId: "ada" },
  "POST /favorite/removefavorite": { organizationId: 1 },
  "POST /webhook/organization/{}": { url: "https://hooks.example.org/", types: ["place.changed"] },
  "POST /webhook/{}/replay": { fromVersion: 1 },
  "POST /movement/track/organization": { organizationId: 1, movementType: 1, timestamp: at(-60), exitToken: "x" },
  "POST /movement/track/place": { placeId: 1, movementType: -1, timestamp: at(-60), exitToken: "x".repeat(56) },
  "POST /muster/organization/{}": { kind: "drill", note: "n" },
  "POST /muster/{}/safe": { orgAuthServerIds: ["ada"] },
  "POST /muster/{}/missing": { orgAuthServerIds: ["ada"] },
  "POST /muster/{}/swept": { placeId: 1, swept: true },
  "POST /authenticationserver/link": { organizationId: 2, username: "ada", password: DEMO_PASSWORD },
  "POST /authenticationserver/userinformation": {
    organizationId: 2,
    organizationCredentials: { username: "ada", password: DEMO_PASSWORD },
    orgAuthServerIds: ["ada"]
  },
  "POST /operator/organization": fixtures.draft({ maxArea: 1e12 }),
  "POST /operator/organization/{}/administrator": { administratorId: "x", mail: "x@x.x", permission: 3 },
  "POST /operator/token/revoke": { kind: "user", id: "someone", issuedBefore: at(-60) },
  "PUT /operator/organization/{}/constraint": { maxArea: 1e12 },
  "PUT /operator/organization/{}/policy": { longestStay: 43_200, retention: 7_776_000 },
  "POST /import/organization/{}/places": {
    type: "FeatureCollection",
    features: [{ type: "Feature", geometry: JSON.parse(square(4)) }]
  },
  "POST /operator/administrator": { administratorId: "x", mail: "x@x.x" },
  "POST /operator/personaldata/export": { userId: "phone" },
  "POST /operator/personaldata/erase": { userId: "someone" }
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

/** The endpoints of the OpenAPI document, except streams, which do not end, and signing out, which ends the owner's token; `{}` in a path stands for an id or a list. */
const ENDPOINTS = Object.entries<Readonly<Record<string, Operation>>>(
  want(await call(undefined, "GET", "/openapi.json"), 200).json.paths
)
  .filter(([path]) => path !== "/presence/stream" && path !== "/administrator/signout")
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { requestBody }]) =>
        [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "{}"), Object.keys(requestBody?.content ?? {})] as const
    )
  )

/** The words of a text, none of which has a blank. */
const words = (text: string) => text.trim().split(/\s+/)

const TEXTS = [
  ...words(String.raw`a null undefined 😀 é ${"x".repeat(257)} ${"x".repeat(70_000)} <script> ../../etc/passwd %00 %2e%2e * *)(uid=*
    __proto__ constructor toString [ 1 -1 1e999 ${"9".repeat(400)} ada the-owner \ " a@b.c @ ldaps://x ldap://127.0.0.1 file:///etc/passwd
    2024-02-30T00:00:00Z 2024-01-15T10:00:00Z 0000-01-01T00:00:00Z 9999-12-31T23:59:59.999Z 0000-01-01T00:00:00+23:59
    9999-12-31T23:59:60-23:59`),
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff",
  "\u202e",
  "e\u0301",
  "'; DROP TABLE stay; --",
  "${jndi:ldap://x}",
  "\r\nX: y",
  GROUNDS
]
const NUMBERS = [0, -0, 1, 2, 3, -1, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, NOWHERE, 1e21, 1e308, -1e308, 5e-324] as const
const IDS = [
  ...words(`1 2 3 0 -1 ${NOWHERE} 9223372036854775807 9223372036854775808 ${"9".repeat(5000)} 1.0 1e3 x %31 % %00 %2F %2C , a,b a%2Cb a,,b %ff
    %25 .. . ; 1;x ada ada,alan phone * + ~ %F0%9F%98%80 ${"x".repeat(3000)} ${",".repeat(2000)} [1] {} $ & = '`),
  Array.from({ length: 101 }, () => "x").join(",")
]

const value = (depth = 0): unknown => {
  switch (below(depth > 3 ? 4 : 7)) {
    case 0:
      return oneOf(TEXTS)
    case 1:
      return oneOf(NUMBERS)
    case 2:
      return chance(0.5)
    case 3:
      return null
    case 4:
      return Array.from({ length: below(4) }, () => value(depth + 1))
    case 5:
      return Object.fromEntries(Array.from({ length: below(4) }, () => [oneOf(TEXTS).slice(0, 50), value(depth + 1)]))
    default:
      return { type: oneOf(["Polygon", "MultiPolygon", "Feature"]), coordinates: value(depth + 1) }
  }
}

/** Leaves out, replaces or adds fields of a body at random. */
const mutated = (body: Readonly<Record<string, unknown>>): unknown => {
  if (chance(0.03)) return value()
  const changed: Record<string, unknown> = { ...body }
  for (const field of Object.keys(body)) {
    if (chance(0.1)) delete changed[field]
    else if (chance(0.2)) changed[field] = value()
  }
  if (chance(0.2))
    changed[oneOf(["id", "zzz", "organizationId", "placeId", "__proto__", "exitToken", "userId"])] = value()
  return changed
}

const areaText = (): string =>
  oneOf([GROUNDS, square(below(50)), JSON.stringify(value()), GROUNDS.slice(0, below(GROUNDS.length)), oneOf(TEXTS)])

const damaged = (text: string): string => {
  if (!chance(0.1)) return text
  const where = below(text.length + 1)
  return text.slice(0, where) + oneOf(["", "{", "}", '"', "\u0000", ",", "\\u", "]]]]"]) + text.slice(where + below(3))
}

/** An image of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const JSON_TYPES = ["application/json", "application/json; charset=utf-8"]
const ODD_TYPES = [
  "text/plain",
  "application/xml",
  "application/json; charset=latin1",
  "multipart/form-data; boundary=x",
  "x",
  ""
]
const WIDE = [204, 205, 200, 201, 202, 400, 401, 403, 404, 405, 409, 413, 415, 431, 502]

const hostile = (): { readonly method: string; readonly path: string; readonly sent: Sent } => {
  const [method, template, types] = oneOf(ENDPOINTS)
  const body = BODIES[`${method} ${template}`]
  let path = template.replaceAll("{}", () => oneOf(IDS))
  if (/^\/(record|report)\//.test(template) && chance(0.9)) {
    path += `?from=2026-01-01T00:00:00Z&to=2026-0${oneOf(["1-02", "5-01", "0-00"])}T00:00:00Z`
    path += oneOf(["", "&limit=2", "&limit=0", "&after=x", "&premises=own", "&orgAuthServerId=a&orgAuthServerId=b"])
  }
  if (template.endsWith("/history")) path += "?step=hour&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z"
  if (chance(0.1))
    path += oneOf(["?", "?status=pending", "?status=x", "?a=%", "/", "//", "?status=pending&status=approved", "#", ";"])
  const sent: { -readonly [Key in keyof Sent]: Sent[Key] } = {}
  const headers: Record<string, string> = {}
  if (template.endsWith("/trackingArea")) {
    const pairs = Array.from(
      { length: chance(0.1) ? 2 : 1 },
      () => `trackingArea=${encodeURIComponent(areaText().toWellFormed())}`
    )
    sent.form = damaged(pairs.join("&"))
  } else if (types.includes("image/png")) {
    Object.assign(sent, {
      type: oneOf(types),
      body: Uint8Array.from(PNG, (byte) => (chance(0.02) ? below(256) : byte))
    })
  } else if (template.endsWith("/import/accesses")) {
    const row = { entranceTimestamp: at(-60), exitTimestamp: at(-30), placeId: 1, key: "k" }
    const rows = Array.from({ length: below(4) }, () => mutated(row))
    const isCsv = chance(0.5)
    const lines = rows.map((one) =>
      isCsv
        ? Object.values(one ?? {})
            .map(String)
            .join(",")
        : (JSON.stringify(one) ?? "")
    )
    Object.assign(sent, {
      type: isCsv ? "text/csv" : "application/x-ndjson",
      body: damaged([...(isCsv ? [Object.keys(row).join(",")] : []), ...lines].join("\n"))
    })
  } else if (body !== undefined) sent.json = damaged(JSON.stringify(mutated(body)) ?? "")
  else if (chance(0.1)) sent.json = value() ?? null
  if (chance(0.05)) sent.type = oneOf([...JSON_TYPES, ...ODD_TYPES])
  if (chance(0.1) && (sent.json !== undefined || sent.form !== undefined)) sent.chunked = true
  if (chance(0.1)) headers["x-request-id"] = oneOf(["a", "a b", "x".repeat(500), "\u00ff"])
  if (chance(0.2)) headers["accept"] = oneOf(["application/problem+json", "text/csv", "*/*", "text/html", ""])
  if (chance(0.1)) headers["idempotency-key"] = oneOf(["k", "x".repeat(2000), "\u00ff"])
  if (chance(0.03)) headers["content-encoding"] = oneOf(["gzip", "identity"])
  if (chance(0.02)) headers["expect"] = "100-continue"
  const other = chance(0.05)
    ? oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
    : method
  return { method: other, path, sent: { ...sent, headers } }
}

it("every endpoint that takes JSON has a valid body to begin with", () => {
  const taking = ENDPOINTS.filter(([, , types]) => types.includes("application/json"))
  expect(taking.map(([method, path]) => `${method} ${path}`).filter((endpoint) => !(endpoint in BODIES))).toEqual([])
})

it(`no request gets a 5xx answer: ${REQUESTS} hostile requests to all endpoints (seed ${SEED})`, async () => {
  const authenticated = await fixtures.organization()
  await fixtures.place(authenticated.id)
  const known = await fixtures.authenticated()
  await fixtures.place(known.id)
  const phone = sojourn.user("phone")
  await fixtures.linked(known.id, "alan", phone)
  const door = { name: "Door", premises: [{ organization: true }] }
  const device = async (kind: string) =>
    want(await call(owner, "POST", `/device/organization/${known.id}`, { json: { ...door, kind } }), 201).json.token
  const callers: ReadonlyArray<Bearer | string | undefined> = [
    { ...phone, token: await device("counter") },
    { ...phone, token: await device("display") },
    phone,
    phone,
    phone,
    owner,
    owner,
    owner,
    operator,
    sojourn.administrator("a-stranger"),
    undefined,
    "Bearer x.y.z"
  ]
  const seen = new Map<number, number>()
  for (let i = 0; i < REQUESTS; i += 30) {
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { method, path, sent } = hostile()
        const caller = oneOf(callers)
        const label = () => `${method} ${path.slice(0, 300)} ${JSON.stringify(sent).slice(0, 600)}`
        const answer = await call(caller, method, path, sent).catch((error: unknown) => {
          throw new Error(`${label()}: ${error instanceof Error ? error.message : String(error)}`)
        })
        expect(WIDE, label()).toContain(answer.status)
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      })
    )
  }
  // The requests must reach several checks, not all fail at the same one.
  for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 415])
    expect(seen.get(status) ?? 0, String(status)).toBeGreaterThan(5)
  want(await call(undefined, "GET", "/health/ready"), 200)
  want(await call(phone, "GET", "/organization"), 200)
})

it("arbitrary bytes on a connection cause no 5xx, no hang and no answer without a request id", async () => {
  const token = await sojourn.user("phone").token
  const head = `Host: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`
  const json = JSON.stringify({ organizationId: NOWHERE })
  const valid = [
    `GET /organization HTTP/1.1\r\n${head}\r\n`,
    `GET /access/organization/1/anonymous/a,b%2Cc HTTP/1.1\r\n${head}X-Request-Id: abc\r\n\r\n`,
    `POST /favorite/addfavorite HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
    `POST /favorite/addfavorite HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`
  ]
  const attack = async () => {
    const bytes = [...Buffer.from(oneOf(valid), "latin1")]
    for (let i = 0; i <= below(4); i++) {
      const where = below(bytes.length)
      const what = oneOf([below(256), 0, 10, 13, 32, 37, 44, 47, 58, 59, 255])
      bytes.splice(where, below(3), ...Array.from({ length: below(3) }, () => what))
    }
    const { text, statuses } = await sojourn.raw(Uint8Array.from(bytes), 200, 1000)
    for (const status of statuses)
      expect([...WIDE, 408], JSON.stringify(Buffer.from(bytes).toString("latin1"))).toContain(status)
    if (statuses.length > 0) expect(text).toMatch(/\r\nx-request-id: [\x21-\x7e]{1,128}\r\n/i)
    return statuses.length
  }
  let answered = 0
  for (let i = 0; i < 10; i++) {
    const counts = await Promise.all(Array.from({ length: 40 }, attack))
    answered += counts.filter((count) => count > 0).length
  }
  expect(answered).toBeGreaterThan(200)
  want(await call(undefined, "GET", "/health/ready"), 200)
})
