/** Two OpenID issuers that use the same id for different people: real providers, and the server as a process. */
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { temporaryFolder, writerIn } from "../folders.ts"
import { forThisFile } from "../forThisFile.ts"
import { makeCall } from "../callers.ts"
import { GROUNDS, unique, want } from "../fixtures.ts"
import { described, type Kind, startProvider } from "../identity/OpenIdProvider.ts"
import { program } from "../faults/SojournProcess.ts"

const one = forThisFile(await startProvider())
const other = forThisFile(await startProvider())
const data = temporaryFolder()
const write = writerIn(data)

/** Starts a server that trusts both providers, with additional members in the configuration of each. */
const serve = (ofOne: object, ofOther: object, ...flags: ReadonlyArray<string>) => {
  const { subjectPrefix: _, ...first } = described(one.issuer)
  const { subjectPrefix: __, ...second } = described(other.issuer)
  const issuers = [
    { ...first, ...ofOne },
    { ...second, ...ofOther }
  ]
  const file = write(`${unique("issuers")}.json`, issuers)
  const folder = join(data, unique("data"))
  return program("serve", "--port", "0", "--storage", "memory", "--data", folder, "--issuers", file, ...flags)
}

describe("issuers that could issue one id to two people", () => {
  it.each([
    ["without prefixes", {}, {}],
    ["with a prefix for one of them", { subjectPrefix: "one|" }, {}],
    ["with a prefix that begins the other", { subjectPrefix: "one" }, { subjectPrefix: "one|" }],
    ["with ids in claims of other names", {}, { subject: "client_id" }],
    ["for kinds of callers that overlap", { kind: "user" }, {}]
  ])("are refused at the start of the server: %s", async (_, ofOne, ofOther) => {
    const { code, out, err } = await serve(ofOne, ofOther).ended
    expect(code).not.toBe(0)
    expect(out).not.toContain("listening")
    expect(err).toContain("can write the same ids for the same kind of caller")
  })
})

describe("one id at two issuers with different prefixes", () => {
  let server: ReturnType<typeof serve>
  let baseUrl: string
  let organizationId: number
  let owner: string

  const call = (token: string, method: string, path: string, json?: object) =>
    makeCall(baseUrl)(`Bearer ${token}`, method, path, { json })
  const own = (token: string, id: string) => call(token, "GET", `/administrator/permission/${encodeURIComponent(id)}`)

  beforeAll(async () => {
    // The second issuer includes unverified mail addresses, so it is not trusted with addresses.
    server = serve({ subjectPrefix: "one|" }, { subjectPrefix: "other|", subject: "client_id", mail: false })
    baseUrl = await server.listening
    owner = await one.token("administrator", "olga", "olga@example.org")
    const made = await call(await one.token("operator", "opal"), "POST", "/operator/organization", {
      name: unique("organization"),
      trackingArea: GROUNDS,
      trackingMode: "anonymous",
      owner: { administratorId: "one|olga", mail: "olga@example.org" }
    })
    organizationId = want(made, 201).json.id
  })
  afterAll(async () => {
    await server?.end()
  })

  it("identifies two administrators with separate permissions", async () => {
    const tokens = [await one.token("administrator", "carol"), await other.token("administrator", "carol")] as const
    want(await own(tokens[0], "one|carol"), 204)
    want(await own(tokens[1], "other|carol"), 204)
    want(await own(tokens[1], "one|carol"), 403)
    want(await own(tokens[0], "carol"), 403)
    const binding = { organizationId, administratorId: "one|carol", permission: 3 }
    want(await call(owner, "POST", "/administrator/bindadministrator", binding), 201)
    want(await call(tokens[0], "GET", `/organization/${organizationId}`), 200)
    want(await call(tokens[1], "GET", `/organization/${organizationId}`), 403)
    want(
      await call(await other.token("administrator", "olga"), "GET", `/administrator/organization/${organizationId}`),
      403
    )
  })

  it("identifies two users with separate favorites", async () => {
    const tokens = [await one.token("user", "ann"), await other.token("user", "ann")] as const
    want(await call(tokens[0], "POST", "/favorite/addfavorite", { organizationId }), 201)
    want(await call(tokens[0], "GET", `/favorite/${encodeURIComponent("one|ann")}`), 200)
    want(await call(tokens[1], "GET", `/favorite/${encodeURIComponent("other|ann")}`), 204)
    want(await call(tokens[1], "GET", `/favorite/${encodeURIComponent("one|ann")}`), 400)
  })

  it("cannot imitate the other prefix: an issuer's own prefix is always put before the subject", async () => {
    for (const kind of ["administrator", "user", "operator"] as const satisfies ReadonlyArray<Kind>) {
      const token = await other.token(kind, "one|olga")
      want(await call(token, "GET", `/organization/${organizationId}`), kind === "user" ? 200 : 403)
      want(await call(token, "GET", `/administrator/organization/${organizationId}`), 403)
    }
    want(await own(await other.token("administrator", "one|olga"), "other|one|olga"), 204)
  })

  it("does not accept an invitation by an address from an issuer that is not trusted with addresses", async () => {
    const mail = `${unique("guest")}@example.org`
    const invitation = { organizationId, mail, permission: 2 }
    want(await call(owner, "POST", "/administrator/createadministrator", invitation), 201)
    want(await call(await other.token("administrator", "guest", mail), "GET", `/organization/${organizationId}`), 403)
    want(await call(await one.token("administrator", "guest", mail), "GET", `/organization/${organizationId}`), 200)
  })
})

describe("issuers for different kinds of callers", () => {
  it("may share ids without prefixes: a user is never the administrator with the same id", async () => {
    const server = serve({ kind: "user" }, { kind: "administrator" })
    onTestFinished(async () => void (await server.end()))
    const call = makeCall(await server.listening)
    const [user, administrator] = [await one.token("administrator", "ann"), await other.token("user", "ann")]
    const ask = (token: string, path: string) => call(`Bearer ${token}`, "GET", path)
    want(await ask(user, "/organization"), 204)
    want(await ask(administrator, "/organization"), 403)
    want(await ask(user, "/administrator/permission/ann"), 403)
    want(await ask(administrator, "/administrator/permission/ann"), 204)
    want(await ask(administrator, "/favorite/ann"), 403)
  })
})
