/** What holds of all endpoints: paths and methods, the order of checks, media types, errors, credentials, documentation. */
import { readdirSync, readFileSync } from "node:fs"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, square, unique, want } from "./fixtures.ts"
import { type Bearer, type Sent, sojournForThisFile, startSojourn } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, operator, organization, call, get, post } = fixtures
const phone = sojourn.user("phone")
const PROBLEM = "application/problem+json"

/** Every path with its methods: those of the OpenAPI document, and those that it leaves out. */
const ROUTES: ReadonlyArray<readonly [path: string, methods: string]> = [
  ...Object.entries<object>((await get(undefined, "/openapi.json")).json.paths).map(
    ([path, operations]) => [path.replaceAll(/\{\w+\}/g, "1"), Object.keys(operations).join(" ").toUpperCase()] as const
  ),
  ...["/openapi.json", "/asyncapi.json", "/docs", "/metrics", "/.well-known/jwks.json"].map(
    (path) => [path, "GET"] as const
  )
]
const METHODS = "GET HEAD POST PUT PATCH DELETE OPTIONS PROPFIND".split(" ")
/** Additional methods of paths whose last word also matches a variable segment of another path. */
const ALSO: Readonly<Record<string, string>> = {
  "/organization/requestdeletion": "GET",
  "/favorite/addfavorite": "GET",
  "/favorite/removefavorite": "GET"
}

describe("paths and methods (spec: http#routes)", () => {
  it.each(ROUTES)("%s answers %s; every other method is 405 with `Allow`", async (path, allowed) => {
    const methods = allowed.split(" ")
    if (methods.includes("GET")) methods.push("HEAD")
    for (const method of METHODS) {
      if (ALSO[path] !== undefined && ["GET", "HEAD"].includes(method)) continue
      const answer = await call(undefined, method, path, { json: method === "HEAD" ? undefined : {} })
      // 415 is of the sign-in, which needs no credentials.
      if (methods.includes(method)) expect([200, 401, 415], `${method} ${path}`).toContain(answer.status)
      else {
        want(answer, 405, `${method} ${path}`)
        const allow = (answer.headers.allow ?? "").split(", ")
        expect(allow.filter((name) => !["HEAD", "OPTIONS"].includes(name)).sort()).toEqual(
          expect.arrayContaining(allowed.split(" ").sort())
        )
        expect(allow).not.toContain(method)
      }
    }
  })

  // `adapter-http/test/routes.test.ts` has the other paths.
  it.each(["/", "/organization/1/", "/%6frganization"])(
    "%s is an unknown path: 404 for every caller, before credentials are checked",
    async (path) => {
      for (const who of [undefined, phone, owner, operator, "Bearer nonsense"])
        want(await get(who as Bearer, path), 404)
      want(await call(undefined, "OPTIONS", path), 404)
      want(await call(undefined, "POST", path, { json: {} }), 404)
    }
  )

  it("HEAD is answered like GET without the body", async () => {
    const { id } = await organization()
    const paths: ReadonlyArray<readonly [Bearer | undefined, string]> = [
      [phone, `/organization/${id}`],
      [phone, "/organization"],
      [phone, `/organization/${NOWHERE}`],
      [phone, "/organization/x"],
      [undefined, `/organization/${id}`],
      [phone, `/place/organization/${id}`],
      [owner, `/presence/organization/${id}/counter`],
      [undefined, "/health/live"],
      [undefined, "/docs"]
    ]
    for (const [who, path] of paths) {
      for (const accept of ["*/*", PROBLEM]) {
        const got = await get(who, path, { headers: { accept } })
        const headed = await sojourn.call(who, "HEAD", path, { headers: { accept } })
        expect(headed.status, path).toBe(got.status)
        expect(headed.text, path).toBe("")
        expect(headed.headers["content-type"], path).toBe(got.headers["content-type"])
        expect(headed.headers["content-length"], path).toBe(got.headers["content-length"])
      }
    }
  })

  it("OPTIONS is 405 while CORS is off, and no answer has a CORS header", async () => {
    const headers = { origin: "https://app.example.org", "access-control-request-method": "GET" }
    for (const path of ["/organization", "/place", "/favorite/x", "/health/live", "/openapi.json"]) {
      const answer = want(await call(undefined, "OPTIONS", path, { headers }), 405)
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"))).toEqual([])
    }
    const answer = want(await get(phone, "/organization", { headers }), 200)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"))).toEqual([])
    want(await call(undefined, "OPTIONS", "*"), 404)
  })

  it("a query string is ignored", async () => {
    const { id } = await organization()
    for (const query of ["?", "?organizationId=5", "?%", "?/../..", `?${"x".repeat(8000)}`]) {
      expect(want(await get(phone, `/organization/${id}${query}`), 200).json.id).toBe(id)
    }
  })

  it("the answer is JSON for any Accept header", async () => {
    const { id } = await organization()
    for (const accept of ["*/*", "text/html", "", "nonsense", "application/json;q=0", PROBLEM]) {
      expect(want(await get(phone, `/organization/${id}`, { headers: { accept } }), 200).json.id).toBe(id)
    }
  })
})

describe("checks run in this order, and the first that fails decides the status (spec: http#order-of-checks)", async () => {
  const text: Sent = { body: "{", type: "text/plain" }
  const large: Sent = { json: `{"x":"${"x".repeat(1024 * 1024)}"}` }
  const largeText: Sent = { body: "x".repeat(1024 * 1024 + 1), type: "text/plain" }
  const malformed: Sent = { json: "{" }
  const mine = await organization()
  const stranger = sojourn.administrator("a-stranger")

  const ORDER: ReadonlyArray<readonly [string, () => Promise<{ readonly status: number }>, number]> = [
    ["no route, before the credentials", () => call(undefined, "PUT", "/nothing", text), 404],
    ["the method, before the credentials", () => call(undefined, "DELETE", "/organization", text), 405],
    ["the credentials, before the media type", () => call(undefined, "PUT", "/organization", text), 401],
    ["the credentials, before the size", () => call(undefined, "PUT", "/organization", large), 401],
    ["the credentials, before the shape of the body", () => call(undefined, "PUT", "/organization", malformed), 401],
    ["the credentials, before the shape of the path", () => get(undefined, "/organization/x"), 401],
    ["bad credentials, before all of that", () => call("Bearer x", "PUT", "/organization", text), 401],
    ["the kind, before the media type", () => call(phone, "PUT", "/organization", text), 403],
    ["the kind, before the size", () => call(phone, "PUT", "/organization", large), 403],
    ["the kind, before the shape of the body", () => call(phone, "PUT", "/organization", malformed), 403],
    ["the kind, before the shape of the path", () => get(owner, "/access/place/x/anonymous/a,,b"), 403],
    ["the kind, before existence", () => get(phone, `/presence/organization/${NOWHERE}/counter`), 403],
    ["the media type, before the size", () => call(owner, "PUT", "/organization", largeText), 415],
    ["the media type, before the shape of the body", () => call(owner, "PUT", "/organization", text), 415],
    ["the size, before the shape of the body", () => call(owner, "PUT", "/organization", large), 413],
    [
      "the shape of the body, before existence",
      () => post(owner, "/organization/requestdeletion", { organizationId: NOWHERE, requestReason: 5 }),
      400
    ],
    [
      "the shape of the body, before authority",
      () => fixtures.put(stranger, "/organization", { id: mine.id, name: "" }),
      400
    ],
    ["existence, before authority", () => fixtures.put(stranger, "/organization", { id: NOWHERE, name: "x" }), 404],
    ["existence, before the rule", () => fixtures.put(owner, "/organization", { id: NOWHERE, trackingArea: "x" }), 404],
    [
      "authority, before the rule",
      () => fixtures.put(stranger, "/organization", { id: mine.id, trackingArea: "x" }),
      403
    ],
    [
      "authority, before an administrator who is not found",
      () =>
        post(stranger, "/administrator/bindadministrator", {
          organizationId: mine.id,
          administratorId: "nobody",
          permission: 1
        }),
      403
    ],
    [
      "an unknown organization, before an administrator who is not found",
      () =>
        post(stranger, "/administrator/bindadministrator", {
          organizationId: NOWHERE,
          administratorId: "nobody",
          permission: 1
        }),
      404
    ],
    ["the rule last", () => fixtures.put(owner, "/organization", { id: mine.id, trackingArea: "x" }), 400]
  ]
  it.each(ORDER)("%s", async (_, ask, status) => expect((await ask()).status).toBe(status))
})

describe("media types (spec: http#body)", () => {
  const json = JSON.stringify({ organizationId: NOWHERE })
  const add = (sent: Sent) => call(phone, "POST", "/favorite/addfavorite", sent)

  it.each(["application/json", 'Application/JSON ; charset="UTF-8"', "application/json; q=1"])(
    "%s is JSON",
    async (type) => {
      want(await add({ body: json, type }), 404)
    }
  )

  it.each([
    "text/plain; application/json",
    "application/json; charset=latin1",
    "application/json; charset=utf-8; charset=utf-16",
    "application/ld+json",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "*/*",
    ";charset=utf-8"
  ])("%s is 415", async (type) => {
    want(await add({ body: json, type }), 415)
  })

  it("a body without Content-Type is 415, of a known and of an unknown length", async () => {
    want(await add({ body: json }), 415)
    want(await add({ body: json, chunked: true }), 415)
    want(await add({ body: "", type: "text/plain" }), 415)
  })

  it.each([
    ["gzip", gzipSync(json)],
    ["br", brotliCompressSync(json)],
    ["identity, gzip", gzipSync(json)],
    ["x", json]
  ])("Content-Encoding %s is 415, and Accept-Encoding says that bodies are plain", async (encoding, body) => {
    const headers = { "content-encoding": encoding }
    for (const type of ["application/json", "text/plain"]) {
      const { headers: answered } = want(await add({ body, type, headers }), 415)
      expect(answered["accept-encoding"]).toBe("identity")
    }
    const form = want(
      await call(owner, "PATCH", "/organization/1/trackingArea", { form: "trackingArea=x", headers }),
      415
    )
    expect(form.headers["accept-encoding"]).toBe("identity")
  })

  it("a 415 for the media type alone says nothing of encodings", async () => {
    expect(want(await add({ body: json, type: "text/plain" }), 415).headers).not.toHaveProperty("accept-encoding")
  })

  it.each(["identity", "Identity"])("Content-Encoding %s is a plain body", async (encoding) => {
    want(await add({ body: json, type: "application/json", headers: { "content-encoding": encoding } }), 404)
  })

  it("a body that would decompress to 100 MiB is refused without being decompressed", async () => {
    const body = gzipSync(Buffer.alloc(100 * 1024 * 1024, " "))
    expect(body.length).toBeLessThan(1024 * 1024)
    for (const coding of [{ "content-encoding": "gzip" }, { "content-encoding": "GZIP" }]) {
      want(await add({ body, type: "application/json", headers: coding }), 415)
    }
    want(await add({ body, type: "application/json" }), 400)
  })

  it.each(["form-data", "mixed"])("multipart/%s is 415, whatever its parts are", async (kind) => {
    const body = `--x\r\nContent-Disposition: form-data; name="trackingArea"\r\nContent-Type: application/json\r\n\r\n${json}\r\n--x--\r\n`
    const type = `multipart/${kind}; boundary=x`
    want(await add({ body, type }), 415)
    want(await call(owner, "PATCH", "/organization/1/trackingArea", { body, type }), 415)
    want(await call(undefined, "POST", "/authentication/token", { body, type }), 415)
  })

  it("an empty body is 400", async () => {
    want(await add({}), 400)
    want(await add({ body: "", type: "application/json" }), 400)
    want(await call(owner, "PUT", "/organization"), 400)
  })

  it("endpoints without a body ignore Content-Type", async () => {
    want(await get(phone, "/organization", { headers: { "content-type": "text/plain" } }), 200)
    want(await call(owner, "DELETE", `/place/${NOWHERE}`, { body: "x", type: "image/png" }), 404)
  })
})

describe("bodies (spec: http#body)", () => {
  const add = (sent: Sent) => call(phone, "POST", "/favorite/addfavorite", sent)
  const padded = (bytes: number) => {
    const frame = `{"organizationId":${NOWHERE},"zzz":""}`
    return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`)
  }

  it("up to 1 MiB are accepted, one byte more is 413, by Content-Length and chunked", async () => {
    want(await add({ json: padded(1024 * 1024) }), 404)
    want(await add({ json: padded(1024 * 1024), chunked: true }), 404)
    want(await add({ json: padded(1024 * 1024 + 1) }), 413)
    want(await add({ json: padded(1024 * 1024 + 1), chunked: true }), 413)
  })

  it("a form up to 1 MiB is accepted", async () => {
    const { id } = await organization()
    const form = (bytes: number) => `trackingArea=${encodeURIComponent(square(0))}&z=`.padEnd(bytes, "x")
    want(await call(owner, "PATCH", `/organization/${id}/trackingArea`, { form: form(1024 * 1024) }), 200)
    want(await call(owner, "PATCH", `/organization/${id}/trackingArea`, { form: form(1024 * 1024 + 1) }), 413)
  })

  it.each(["{", "{} {}", '{"organizationId":1,}', '{"zzz":"\\u12"}', " ", "true"])(
    "malformed JSON is 400: %j",
    async (json) => {
      want(await add({ json }), 400)
    }
  )

  it("the problem of a body that is not JSON names no value", async () => {
    const { json } = want(await add({ json: "{", headers: { accept: PROBLEM } }), 400)
    expect(json.detail).toBe("Expected a valid JSON body")
  })

  it("of a repeated name the last value counts", async () => {
    want(await add({ json: `{"organizationId":"x","organizationId":${NOWHERE}}` }), 404)
  })

  it.each([
    ["a lone byte", [0xff]],
    ["a sequence cut short", [0xe2, 0x82]],
    ["a surrogate", [0xed, 0xa0, 0x80]]
  ])("invalid UTF-8 is 400: %s, wherever it stands", async (_, bytes) => {
    for (const name of ["zzz", "userId"]) {
      const body = Buffer.concat([
        Buffer.from(`{"organizationId":${NOWHERE},"${name}":"`),
        Buffer.from(bytes),
        Buffer.from('"}')
      ])
      want(await add({ body, type: "application/json" }), 400)
    }
  })

  it("the replacement character U+FFFD is accepted", async () => {
    want(await add({ json: `{"organizationId":${NOWHERE},"zzz":"\ufffd"}` }), 404)
  })

  it("UTF-16 is 400", async () => {
    want(await add({ body: Buffer.from(`{"organizationId":${NOWHERE}}`, "utf16le"), type: "application/json" }), 400)
  })

  it("white space around JSON and a byte order mark are accepted", async () => {
    want(await add({ json: ` \r\n\t{"organizationId":${NOWHERE}}\n ` }), 404)
    expect([400, 404]).toContain((await add({ json: `\ufeff{"organizationId":${NOWHERE}}` })).status)
  })

  it.each(["/organization", "/nothing", "/health/live"])("GET %s ignores a body", async (path) => {
    for (const sent of [{ json: "{" }, { json: padded(900_000) }, { json: padded(10_000), chunked: true }]) {
      expect([200, 404]).toContain((await get(phone, path, sent)).status)
    }
    want(await get(undefined, "/health/live"), 200)
  })
})

describe("request ids (spec: http#headers)", () => {
  it.each(["a", "x".repeat(128), '{"a":1}'])(
    "one that is 1 to 128 visible ASCII characters is kept: %s",
    async (id) => {
      const headers = { "x-request-id": id }
      for (const path of ["/organization", "/nothing", "/health/live"]) {
        expect((await get(phone, path, { headers })).headers["x-request-id"]).toBe(id)
      }
      expect((await get(undefined, "/organization", { headers })).headers["x-request-id"]).toBe(id)
      expect((await call(phone, "DELETE", "/organization", { headers })).headers["x-request-id"]).toBe(id)
      expect((await call(phone, "POST", "/favorite/addfavorite", { json: "{", headers })).headers["x-request-id"]).toBe(
        id
      )
    }
  )

  it.each(["", "x".repeat(129), "a b", "a\tb", "é"])("an invalid one is replaced: %j", async (id) => {
    const answer = await get(phone, "/organization", { headers: { "x-request-id": id } })
    expect(answer.headers["x-request-id"]).not.toBe(id)
    expect(answer.headers["x-request-id"]).toMatch(/^[\x21-\x7e]{1,128}$/)
  })

  it("a request without one gets a new, unique id", async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await get(phone, "/organization")).headers["x-request-id"])
    )
    expect(new Set(ids).size).toBe(20)
  })
})

describe("errors (spec: http#problems)", async () => {
  const large = { json: `{"x":"${"x".repeat(1024 * 1024)}"}` }
  const mine = await organization()
  const ERRORS: ReadonlyArray<readonly [string, number, Bearer | string | undefined, string, () => string, Sent]> = [
    ["no route", 404, undefined, "GET", () => "/nothing", {}],
    ["the wrong method", 405, undefined, "DELETE", () => "/organization", {}],
    ["no credentials", 401, undefined, "GET", () => "/organization", {}],
    ["bad credentials", 401, "Bearer x.y.z", "GET", () => "/organization", {}],
    ["the wrong kind", 403, owner, "GET", () => "/organization", {}],
    ["too little authority", 403, sojourn.administrator("nobody-special"), "GET", () => `/organization/${mine.id}`, {}],
    ["a malformed path", 400, phone, "GET", () => "/organization/x", {}],
    ["malformed JSON", 400, phone, "POST", () => "/favorite/addfavorite", { json: "{" }],
    ["the wrong shape", 400, phone, "POST", () => "/favorite/addfavorite", { json: { organizationId: "x" } }],
    ["the wrong query", 400, operator, "GET", () => "/operator/deletionrequest?status=x", {}],
    ["a rule", 400, owner, "PUT", () => "/organization", { json: { id: NOWHERE, name: "" } }],
    ["an unknown organization", 404, phone, "GET", () => `/organization/${NOWHERE}`, {}],
    ["a body too large", 413, phone, "POST", () => "/favorite/addfavorite", large],
    [
      "a chunked body too large",
      413,
      phone,
      "POST",
      () => "/favorite/addfavorite",
      { ...large, chunked: true, headers: { connection: "close" } }
    ],
    ["the wrong media type", 415, phone, "POST", () => "/favorite/addfavorite", { body: "x", type: "text/plain" }]
  ]

  it.each(ERRORS)("%s answers %i with an empty body", async (_, status, who, method, path, sent) => {
    const others = ["application/json", "*/*", "text/html", `${PROBLEM}x`, `x${PROBLEM}`, `${PROBLEM};q=0, */*`]
    for (const accept of [undefined, ...others]) {
      const headers = { ...sent.headers, ...(accept === undefined ? {} : { accept }) }
      const answer = want(await call(who, method, path(), { ...sent, headers }), status)
      expect(answer.text).toBe("")
      expect(answer.headers["content-type"]).toBeUndefined()
    }
  })

  it.each(ERRORS)("%s answers %i as an RFC 9457 problem, on demand", async (_, status, who, method, path, sent) => {
    for (const accept of [PROBLEM, `application/json, ${PROBLEM};q=0.9`, PROBLEM.toUpperCase()]) {
      const answer = await sojourn.call(who, method, path(), { ...sent, headers: { ...sent.headers, accept } })
      want(answer, status)
      expect(answer.json).toMatchObject({ type: expect.any(String), title: expect.any(String), status })
      expect(answer.json.title.length).toBeGreaterThan(2)
      expect(typeof answer.json.detail, "a detail says what to do").toBe("string")
      if (status === 401) expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/)
      if (status === 405) expect(answer.headers.allow).toBe("GET, HEAD, PUT")
    }
  })

  it("409 and 502 are answered as problems on demand, too", async () => {
    const headers = { accept: PROBLEM }
    const o = await organization({ authenticationServerURL: "ldaps://directory.invalid/" })
    want(await post(owner, "/organization/requestdeletion", { organizationId: o.id }), 204)
    const gateway = await post(
      phone,
      "/authenticationserver/link",
      { organizationId: o.id, username: "a", password: "b" },
      { headers }
    )
    expect(want(gateway, 502).json).toMatchObject({ status: 502, title: "Bad Gateway" })
    const [{ id }] = want(await get(operator, "/operator/deletionrequest?status=pending"), 200).json
    want(await call(operator, "POST", `/operator/deletionrequest/${id}/reject`), 204)
    const again = want(await call(operator, "POST", `/operator/deletionrequest/${id}/reject`, { headers }), 409)
    expect(again.json).toMatchObject({ status: 409, title: "Conflict" })
  })

  it("a problem contains none of the caller's secrets", async () => {
    const secret = unique("secret")
    const headers = { accept: PROBLEM }
    const json = { organizationId: "x", username: secret, password: secret }
    const answer = await post(phone, "/authenticationserver/link", json, { headers })
    expect(want(answer, 400).text).not.toContain(secret)
    const token = `Bearer ${secret}.${secret}.${secret}`
    expect(want(await call(token, "GET", "/organization", { headers }), 401).text).not.toContain(secret)
  })

  it("every answer forbids caching and content sniffing", async () => {
    for (const path of ["/organization", "/nothing"]) {
      const { headers } = await get(phone, path)
      expect(headers["cache-control"]).toBe("no-store")
      expect(headers["x-content-type-options"]).toBe("nosniff")
    }
  })
})

describe("credentials (spec: accounts#credentials)", () => {
  const list = async (form: string) => call(form.replaceAll("TOKEN", await phone.token), "GET", "/organization")

  it.each(["Bearer TOKEN", "bearer TOKEN", "BEARER TOKEN"])("%s is accepted", async (form) => {
    want(await list(form), 200)
  })

  it.each([
    "TOKEN",
    "Bearer ",
    "Basic TOKEN",
    "Bearer xTOKEN",
    "Bearer TOKEN, Bearer TOKEN",
    "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4Iiwic29qb3Vybl9raW5kIjoidXNlciJ9.",
    `Bearer ${"x".repeat(20_000)}`
  ])("%s is 401", async (form) => {
    want(await list(form), 401)
  })

  it("401 has the header WWW-Authenticate: Bearer", async () => {
    expect(want(await get(undefined, "/organization"), 401).headers["www-authenticate"]).toBe("Bearer")
  })

  it("credentials in a query or a cookie are ignored", async () => {
    const token = await phone.token
    want(await get(undefined, `/organization?access_token=${token}`), 401)
    want(await get(undefined, "/organization", { headers: { cookie: `token=${token}` } }), 401)
  })

  it("health, documentation, keys and metrics need no credentials, and ignore invalid ones", async () => {
    for (const path of [
      "/health/live",
      "/health/ready",
      "/openapi.json",
      "/docs",
      "/metrics",
      "/.well-known/jwks.json"
    ]) {
      want(await get(undefined, path), 200)
      want(await call("Bearer nonsense", "GET", path), 200)
    }
  })
})

describe("malformed escapes in a path", () => {
  const paths: ReadonlyArray<readonly [Bearer, string, string]> = [
    [phone, "GET", "/organization/{}"],
    [owner, "DELETE", "/place/{}"],
    [phone, "GET", "/access/organization/{}/anonymous/x"],
    [owner, "GET", "/access/place/1/authenticated/{}"],
    [operator, "POST", "/operator/deletionrequest/{}/approve"]
  ]
  it.each(paths.map(([who, method, path]) => [method, path, who] as const))(
    "%s %s: 400, and 401 without credentials",
    async (method, path, who) => {
      for (const escape of ["%", "%zz", "%ff", "%c0%af", "%ed%a0%80"]) {
        want(await call(who, method, path.replace("{}", escape)), 400, escape)
        want(await call(undefined, method, path.replace("{}", escape)), 401, escape)
      }
    }
  )
})

describe("documentation (spec: server#documentation)", () => {
  it("/openapi.json is an OpenAPI 3.1 document", async () => {
    const document = want(await get(undefined, "/openapi.json"), 200).json
    expect(document.openapi).toMatch(/^3\.1\./)
  })

  it("has one version in all answers and packages", async () => {
    const { version } = want(await get(undefined, "/openapi.json"), 200).json.info
    for (const path of ["/health/live", "/health/ready"]) {
      expect(want(await get(undefined, path), 200).json).toEqual({ status: "up", version })
    }
    for (const folder of readdirSync("packages")) {
      const manifest = JSON.parse(readFileSync(`packages/${folder}/package.json`, "utf8"))
      expect([folder, manifest.version]).toEqual([folder, version])
    }
  })

  it.each(["/docs", "/openapi.json", "/asyncapi.json"])(
    "%s is compressed for clients that accept gzip, and 304 for a known ETag",
    async (path) => {
      const plain = want(await get(undefined, path), 200)
      expect(plain.headers).toMatchObject({ "cache-control": "no-cache", vary: "accept-encoding" })
      expect(plain.headers["content-encoding"]).toBeUndefined()
      const response = await fetch(`${sojourn.baseUrl}${path}`, { headers: { "accept-encoding": "gzip" } })
      expect(response.headers.get("content-encoding")).toBe("gzip")
      expect(await response.text()).toBe(plain.text)
      expect(Number(response.headers.get("content-length"))).toBeLessThan(plain.text.length / 2)
      // What is compressed is another representation.
      const packedTag = response.headers.get("etag")!
      expect(packedTag).not.toBe(plain.headers.etag)
      const { etag } = plain.headers
      for (const known of [etag!, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const { status, text, headers } = await get(undefined, path, { headers: { "if-none-match": known } })
        expect([known, status, text, headers.etag, headers["content-length"]]).toEqual([
          known,
          304,
          "",
          etag,
          undefined
        ])
      }
      for (const known of ['"other"', packedTag, ""]) {
        want(await get(undefined, path, { headers: { "if-none-match": known } }), 200, known)
      }
    }
  )

  it("/docs is an HTML page, which tries requests with a bearer token", async () => {
    const page = want(await get(undefined, "/docs"), 200)
    expect(page.headers["content-type"]).toMatch(/^text\/html/)
    expect(page.text).toMatch(/^<!doctype html>/i)
    expect(page.text).toContain("createApiReference")
    const policy = page.headers["content-security-policy"] as string
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toMatch(/(?<=; )script-src( 'sha256-[\w+/=]+'){2};/)
    expect(policy.replace("style-src 'unsafe-inline'", "")).not.toMatch(/unsafe|\*|https?:/)
    expect(want(await get(undefined, "/openapi.json"), 200).json.components.securitySchemes).toHaveProperty("bearer")
  })

  it("/metrics is Prometheus text without ids, tokens or persons", async () => {
    const person = sojourn.user("somebody-who-is-not-measured")
    want(await get(person, `/favorite/${person.id}`), 204)
    const read = async () => want(await get(undefined, "/metrics"), 200)
    await expect.poll(async () => (await read()).text, { timeout: 30_000 }).toContain('route="/favorite/:userId"')
    const page = await read()
    expect(page.headers["content-type"]).toMatch(/^text\/plain/)
    expect(page.text).not.toContain(person.id)
  })

  it("/.well-known/jwks.json contains the public key, and no private part", async () => {
    const { keys } = want(await get(undefined, "/.well-known/jwks.json"), 200).json
    expect(keys).toHaveLength(1)
    expect(keys[0]).toMatchObject({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" })
    expect(keys[0]).not.toHaveProperty("d")
  })
})

describe("CORS, when the operator lists origins (spec: http#cors)", () => {
  it("allows the listed origins and no other", async () => {
    const other = await startSojourn({ corsOrigins: ["https://app.example.org"] })
    try {
      const ask = (origin: string) =>
        fetch(`${other.baseUrl}/organization`, {
          method: "OPTIONS",
          headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization" }
        })
      const allowed = await ask("https://app.example.org")
      expect(allowed.status).toBe(204)
      expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example.org")
      const refused = await ask("https://evil.example.org")
      expect(refused.headers.get("access-control-allow-origin")).not.toBe("https://evil.example.org")
      expect(refused.headers.get("access-control-allow-origin")).not.toBe("*")
      const answer = await fetch(`${other.baseUrl}/organization`, { headers: { origin: "https://app.example.org" } })
      expect(answer.status).toBe(401)
      expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example.org")
      expect(answer.headers.get("x-request-id")).toBeTruthy()
      const document = await fetch(`${other.baseUrl}/openapi.json`, { headers: { origin: "https://app.example.org" } })
      expect(document.headers.get("vary")).toBe("Origin, accept-encoding")
    } finally {
      await other.stop()
    }
  })
})
