/**
 * The command line (spec: server#command-line). Servers are processes; other commands run in the process of the test, which is some
 * hundred starts less. `faults/` and `demo.test.ts` run the bundle.
 */
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "./folders.ts"
import { runHere } from "./runHere.ts"
import { expectRefusal } from "./refusal.ts"
import { eventually } from "./faults/eventually.ts"
import { programIn } from "./faults/SojournProcess.ts"

/** The storages under test. All of them use one data directory. */
const STORAGES = ["embedded", "memory", "postgres"] as const
type Storage = (typeof STORAGES)[number]

const data = temporaryFolder()
const AREA = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}'

const scope = Effect.runSync(Scope.make())
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
const layer = EmbeddedPostgres.layerTemporary({ transport: "tcp" })
const postgres = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, scope)), EmbeddedPostgres)
await Effect.runPromise(postgres.createDatabase("commands"))
const databaseUrl = Redacted.value(postgres.url("commands"))

const on = (storage: Storage) => [
  "--storage",
  storage,
  ...(storage === "postgres" ? ["--database-url", databaseUrl] : [])
]

const launch = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  programIn({ SOJOURN_DATA: data, ...env }, ...args)

const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(args, { SOJOURN_DATA: data, ...env })
type Ended = Awaited<ReturnType<typeof run>>

const sojourn = (...args: ReadonlyArray<string>): Promise<Ended> => run(args)

const start = async (storage: Storage, ...args: ReadonlyArray<string>) => {
  const server = launch(["serve", "--port", "0", ...on(storage), ...args])
  return { server, baseUrl: await server.listening }
}

const status = async (token: string, url: string) =>
  (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status

describe("a command that fails prints one line on stderr and nothing on stdout", () => {
  const NOWHERE = process.platform === "linux" ? "/proc/sojourn" : join(fileURLToPath(import.meta.url), "below")
  const CASES: ReadonlyArray<readonly [what: string, line: RegExp, environment?: Record<string, string>]> = [
    ["tokn", /Unknown subcommand "tokn".*did you mean token\?/],
    ["organization creat --name x", /Unknown subcommand "creat".*did you mean create\?/],
    ["token --id x", /Missing required flag: --kind/],
    ["token --kind user", /Missing required flag: --id/],
    ["token --kind", /Missing value for flag --kind/],
    ["token --kind nobody --id x", /--kind: "nobody"/],
    ["token --kindd user --id x", /--kindd.*did you mean --kind\?/],
    ["token --kind user --id x y", /Unexpected positional argument: "y"/],
    ["token --kind user --id x --id y", /--id/],
    ["token --kind user --id x --expires -1h", /--expires is .*: -1h/],
    ["token --kind user --id x --expires=-1h", /--expires is .*: -1h/],
    ["token --id x", /SOJOURN_KIND.*"user"/, { SOJOURN_KIND: "nobody" }],
    ["serve --port 65536", /--port is a port.*: 65536/],
    ["serve --port -5", /--port is a port.*: -5/],
    ["serve --port many", /--port is a port, a whole number from 0 .* to 65535: many/],
    ["serve", /--port is a port.*: many/, { SOJOURN_PORT: "many" }],
    ["serve --storage memory --database-url postgresql://h/d", /--database-url is of --storage postgres.*memory/],
    ["organization list", /--database-url is of.*embedded/, { SOJOURN_STORAGE: "embedded", SOJOURN_DATABASE_URL: "x" }],
    ["organization list --database-url h/d", /--database-url is not postgresql:/],
    [
      "organization list --database-url postgresql://u:pw@localhost:1/d",
      /cannot be used: localhost:1: [^:]*ECONNREFUSED/,
      { SOJOURN_TOKEN_KEYS: `1:${"A".repeat(43)}` }
    ],
    ["serve", /SOJOURN_NO_MIGRATE.*"true"/, { SOJOURN_NO_MIGRATE: "maybe" }],
    ["serve --trace-sample some", /--trace-sample/],
    ["serve --most-places 0", /--most-places is a whole number above zero: 0/],
    ["serve --most-area-points many", /--most-area-points is a whole number above zero: many/],
    ["serve --area-work 5ms", /--area-work is a whole number above zero: 5ms/],
    ["serve --storage floppy", /--storage is embedded, memory or postgres: floppy/],
    ["serve --storage postgres", /--database-url is missing: .*postgresql:/],
    ["serve --storage memory --token-keys 1:short", /--token-keys holds keys as id:secret/],
    ["serve --storage memory --token-keys nonsense", /--token-keys holds keys as id:secret/],
    ["serve --cors-origin https://a.example/", /--cors-origin: .*; write https:\/\/a\.example$/m],
    ["serve --cors-origin https://a.example/app", /--cors-origin: .*; write https:\/\/a\.example$/m],
    ["serve --cors-origin HTTPS://A.example", /--cors-origin: .*; write https:\/\/a\.example$/m],
    ["serve --cors-origin https://a.example:443", /--cors-origin: .*; write https:\/\/a\.example$/m],
    ["serve --cors-origin https://bücher.example", /; write https:\/\/xn--bcher-kva\.example$/m],
    ["serve --cors-origin capacitor://localhost/", /; write capacitor:\/\/localhost$/m],
    ["serve --cors-origin *", /--cors-origin: an origin is scheme:.*: \*$/m],
    ["serve --cors-origin https://*.example", /--cors-origin: an origin is scheme:.*: https:\/\/\*\.example$/m],
    ["serve --cors-origin null", /--cors-origin: an origin is scheme:.*: null$/m],
    ["serve --cors-origin a.example", /--cors-origin: an origin is scheme:.*: a\.example$/m],
    ["serve --cors-origin https://a.example,b.example", /--cors-origin: .*: b\.example$/m],
    ["serve", /--cors-origin: .*: null$/m, { SOJOURN_CORS_ORIGIN: "null" }],
    ["serve --host http://127.0.0.1", /--host is an address or a host name/],
    ["organization list --storage memory --server localhost:8080", /--server is an address as http:.*: localhost:8080/],
    ["demo --server x", /--server is an address as http:.*: x/],
    ["serve --directory-allow http://x", /--directory-allow: /],
    ["serve --directory-allow none,ldaps://x.test", /--directory-allow: none excludes other entries/],
    ["serve --webhook-allow http://x", /--webhook-allow: /],
    ["serve --webhook-allow none,https://x", /--webhook-allow: none excludes other entries/],
    ["serve --storage memory --webhook-ca package.json", /--webhook-ca: /],
    ["token rewoke --kind user --id x", /Unknown subcommand "rewoke".*did you mean revoke\?/],
    ["token revoke --kind device --id 1", /Invalid value for flag --kind: "device"/],
    ["token --kind user --id=", /--id is text of 1 to 256 characters/],
    ["token --kind user --id x --expires 1", /--expires is .*: 1$/m],
    ["token --kind administrator --id x --mail x", /--mail is no mail address/],
    ["migrate", /--database-url/],
    [`token --kind user --id x --data ${NOWHERE}`, /cannot be kept in/],
    [`serve --data ${NOWHERE}`, /cannot be kept in/],
    [`serve --storage memory --data ${NOWHERE}/below`, /cannot be kept in/]
  ]

  it.concurrent.for(CASES)("%s: %s", async ([typed, line, environment = {}], { expect }) => {
    const { code, out, err } = await run(typed.split(" "), environment)
    expect(code).toBeGreaterThan(0)
    expect(out).toBe("")
    expect(err).toMatch(/^sojourn: [^\n]+\n$/)
    expect(err).toMatch(line)
  })

  it.concurrent.each(["", "organization", "deletion-request"])(
    "a missing subcommand prints the help: %s",
    async (typed) => {
      const { code, out, err } = await run(typed.split(" ").filter((word) => word !== ""))
      expect(code).toBeGreaterThan(0)
      expect(out).toMatch(/SUBCOMMANDS/)
      expect(err).toMatch(/^sojourn: a command is missing [^\n]+\n$/)
    }
  )

  it.concurrent.each(["--help", "-h", "serve --help", "token --kind user --help"])(
    "prints the help and exits with 0: %s",
    async (typed) => {
      const { code, out, err } = await run(typed.split(" "))
      expect({ code, err }).toEqual({ code: 0, err: "" })
      expect(out).toMatch(/USAGE/)
    }
  )
})

describe("sojourn token", () => {
  it("accepts values that begin with a dash", async () => {
    const { code, out } = await sojourn("token", "--kind", "user", "--id", "-h1")
    expect(code).toBe(0)
    expect(JSON.parse(Buffer.from(out.split(".")[1]!, "base64url").toString()).sub).toBe("-h1")
  })

  it("creates the key file readable by its owner only", async () => {
    expect((await sojourn("token", "--kind", "user", "--id", "somebody")).code).toBe(0)
    expect(statSync(join(data, "issuer-key.json")).mode & 0o777).toBe(0o600)
  })
})

describe("in a folder without data", () => {
  const none = join(temporaryFolder(), "none")

  it("token makes the key alone, and says so", async () => {
    const where = join(temporaryFolder(), "new")
    const first = await sojourn("token", "--kind", "user", "--id", "tim", "--data", where)
    expect(first).toEqual({ code: 0, out: expect.stringMatching(/^\S+\n$/), err: expect.stringContaining(where) })
    expect(first.err).toMatch(/^sojourn: there was no key in [^\n]+\n$/)
    expect(readdirSync(where)).toEqual(["issuer-key.json"])
    expect((await sojourn("token", "--kind", "user", "--id", "tim", "--data", where)).err).toBe("")
  })

  it.each([
    "organization list",
    "organization list --storage memory",
    `organization list --database-url ${databaseUrl}`,
    "deletion-request list",
    "deletion-request approve 1",
    "policy show --organization 1",
    "device list --organization 1 --administrator ada",
    "person export --organization 1 --person tim",
    "backup --to nowhere.backup --without-keys",
    "cells list --cells nowhere.json",
    "demo"
  ])("%s says so, and makes nothing", async (typed) => {
    expectRefusal(
      await run([...typed.split(" "), "--data", none]),
      /^sojourn: (there is no (data|key of a server) in \S+none: |\S+none\S+ is not there|--cells: )/
    )
    expect(existsSync(none)).toBe(false)
  })

  it("check-identity knows no organizations", async () => {
    const where = join(temporaryFolder(), "none")
    expect((await sojourn("check-identity", "--data", where)).out).toContain("own issuer: fine")
    expect(readdirSync(where)).toEqual(["issuer-key.json"])
  })
})

describe.each(STORAGES)("with --storage %s", (storage) => {
  let server: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    server = await start(storage)
  })
  afterAll(async () => {
    expect((await server.server.end()).code).toBe(0)
  })

  const operate = (...args: ReadonlyArray<string>) => sojourn(...args, "--server", server.baseUrl, ...on(storage))

  it("the page for administrators is answered", async () => {
    for (const path of ["/", "/favicon.svg"]) expect(await status("", server.baseUrl + path)).toBe(200)
  })

  it("token prints only a token, which the server of the same data directory accepts", async () => {
    const made = await Promise.all(
      ["user", "administrator", "operator"].map((kind) => sojourn("token", "--kind", kind, "--id", "somebody"))
    )
    for (const { code, out, err } of made) {
      expect(code).toBe(0)
      expect(err).toBe("")
      expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    }
    const paths = ["/organization", "/administrator/permission/somebody", "/operator/deletionrequest"]
    for (const [i, path] of paths.entries())
      expect(await status(made[i]!.out.trim(), server.baseUrl + path), path).toBe(204)
  })

  const requestDeletion = async (owner: string, id: string, requestReason?: string) => {
    const token = (await sojourn("token", "--kind", "administrator", "--id", owner)).out.trim()
    const answer = await fetch(`${server.baseUrl}/organization/requestdeletion`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ organizationId: Number(id), requestReason })
    })
    expect(answer.status).toBe(204)
  }

  it("the operator's commands create and list organizations, and decide each deletion request once", async () => {
    const create = ["organization", "create", "--name", "By command", "--area", AREA, "--owner", "boss"]
    const created = await operate(...create, "--mail", "boss@example.org")
    expect(created).toEqual({ code: 0, out: "1\n", err: "" })
    expect((await operate("organization", "list")).out).toBe("1\tanonymous\tBy command\n")
    const twice = await operate(...create, "--mail", "boss@example.org")
    expect(twice).toEqual({ code: 1, out: "", err: "sojourn: Another organization has this name.\n" })

    await requestDeletion("boss", "1", "we close")
    expect((await operate("deletion-request", "list")).out).toBe("1\tpending\torganization 1\tboss\twe close\n")
    expect(await operate("deletion-request", "reject", "1")).toEqual({ code: 0, out: "", err: "" })
    expect((await operate("deletion-request", "approve", "1")).err).toMatch(/It was rejected/)
    await requestDeletion("boss", "1", "we close")
    expect((await operate("deletion-request", "approve", "2")).code).toBe(0)
    expect((await operate("organization", "list")).out).toBe("")
    expect((await operate("deletion-request", "list", "--status", "approved")).out).toMatch(/^2\tapproved\t/)
    expect((await operate("deletion-request", "approve", "9999")).err).toBe(
      "sojourn: The deletion request does not exist.\n"
    )

    const bearer = (await sojourn("token", "--kind", "operator", "--id", "auditor")).out.trim()
    const window = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 3_600_000).toISOString()}`
    const audit = await fetch(`${server.baseUrl}/operator/audit?organizationId=1&${window}`, {
      headers: { authorization: `Bearer ${bearer}` }
    })
    const { entries } = (await audit.json()) as { readonly entries: ReadonlyArray<any> }
    // A command that calls the server is a caller like any other.
    const acted = (id: string) =>
      storage === "memory" ? { kind: "operator", id: "command-line" } : { kind: "command", id }
    const boss = { kind: "administrator", id: "boss" }
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ["deletionRequest.approve", acted("deletion-request approve")],
      ["deletionRequest.create", boss],
      ["deletionRequest.reject", acted("deletion-request reject")],
      ["deletionRequest.create", boss],
      ["organization.create", acted("organization create")]
    ])
  })

  it("the operator's commands invite an owner by a mail address alone, and revoke tokens", async () => {
    const mail = "invited@example.org"
    const create = ["organization", "create", "--name", "Invited", "--area", AREA, "--mail", mail]
    const { out } = await operate(...create)
    const tokenOf = async () =>
      (await sojourn("token", "--kind", "administrator", "--id", "taker", "--mail", mail)).out.trim()
    const administratorsOf = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return fetch(`${server.baseUrl}/administrator/organization/${out.trim()}`, { headers })
    }
    const token = await tokenOf()
    expect(await (await administratorsOf(token)).json()).toMatchObject([{ administratorId: "taker", permission: 3 }])

    const revoke = (...flags: ReadonlyArray<string>) =>
      operate("token", "revoke", "--kind", "administrator", "--id", "taker", ...flags)
    expect(await revoke("--issued-before", "2026-01-01T00:00:00Z")).toEqual({ code: 0, out: "", err: "" })
    expect((await administratorsOf(token)).status).toBe(200)
    expect((await revoke("--issued-before", "yesterday")).err).toBe(
      "sojourn: --issued-before is malformed: yesterday\n"
    )
    expect((await revoke("--issued-before", "9999-01-01T00:00:00Z")).err).toMatch(/too far in the future/)
    expect(await revoke()).toEqual({ code: 0, out: "", err: "" })
    expect((await administratorsOf(await tokenOf())).status).toBe(200)
    await eventually("the token is refused", async () => (await administratorsOf(token)).status === 401)
    await requestDeletion("taker", out.trim())
    const [request] = (await operate("deletion-request", "list")).out.split("\t")
    expect((await operate("deletion-request", "approve", request!)).code).toBe(0)
  })

  it("serve refuses a port that is in use, and a storage in use that allows a single server", async () => {
    const { code, err } = await sojourn("serve", "--port", new URL(server.baseUrl).port, ...on(storage))
    expect(code).toBe(1)
    expect(err.replace(/^storage in memory.*\n/, "")).toMatch(
      storage === "embedded"
        ? /^sojourn: \S+ is in use by process \d+[^\n]*\n$/
        : /^sojourn: cannot listen on 127\.0\.0\.1:\d+: [^\n]+\n$/
    )
  })

  // The other commands send the same requests as any client: what they read and print does not depend on the storage.
  if (storage !== "memory") return

  it("devices are made, listed, rotated and removed in the name of a manager", async () => {
    const create = ["organization", "create", "--name", "Counted", "--area", AREA, "--owner", "counter"]
    const id = (await operate(...create, "--mail", "counter@example.org")).out.trim()
    const device = (...args: ReadonlyArray<string>) => operate("device", ...args, "--administrator", "counter")
    const ofOrganization = ["--organization", id]
    const made = await device("create", ...ofOrganization, "--name", "Main door")
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\tsjd_[A-Za-z0-9_-]{43}\n$/), err: "" })
    const deviceId = made.out.split("\t")[0]!
    const listed = `${deviceId}\tnew\tdrift 0\tMain door\n`
    expect(await device("list", ...ofOrganization)).toEqual({ code: 0, out: listed, err: "" })
    const display = (await device("create", ...ofOrganization, "--name", "Wall", "--kind", "display")).out.split(
      "\t"
    )[0]!
    expect((await device("list", ...ofOrganization)).out).toBe(`${listed}${display}\tnew\tdisplay\tWall\n`)
    expectRefusal(
      await device("create", ...ofOrganization, "--name", "Wall", "--kind", "camera"),
      /--kind is malformed/
    )
    expect((await device("remove", display)).code).toBe(0)
    expect((await device("rotate", deviceId)).out).toMatch(/^sjd_[A-Za-z0-9_-]{43}\n$/)
    expectRefusal(
      await device("create", ...ofOrganization, "--name", "Door", "--places", "9999"),
      /does not have these premises/
    )
    expectRefusal(await device("rotate", "9999"), /device does not exist/)
    expect(await device("remove", deviceId)).toEqual({ code: 0, out: "", err: "" })
    expect((await device("list", ...ofOrganization)).out).toBe("")
    await endOrganization("counter", id)
  })

  /** Deletes an organization, so that later tests start without it. */
  const endOrganization = async (owner: string, id: string) => {
    await requestDeletion(owner, id)
    const request = (await operate("deletion-request", "list")).out.split("\t")[0]!
    expect((await operate("deletion-request", "approve", request)).code).toBe(0)
  }

  it("policy shows and sets each part of the policy", async () => {
    const create = ["organization", "create", "--name", "Swept", "--area", AREA, "--owner", "sweeper"]
    const id = (await operate(...create, "--mail", "sweeper@example.org")).out.trim()
    const policy = (what: string, ...args: ReadonlyArray<string>) =>
      operate("policy", what, "--organization", id, ...args)
    const shown = (longestStay: string, retention: string, grain = "none", count = "none", whereSet = "") => ({
      code: 0,
      out: `longest-stay\t${longestStay}\nretention\t${retention}\nevent-grain\t${grain}\nsmallest-count\t${count}\n${whereSet}`,
      err: ""
    })
    expect(await policy("show")).toEqual(shown("none", "none"))
    expect(await policy("set", "--longest-stay", "90m", "--retention", "90d")).toEqual(shown("90m", "90d"))
    expect(await policy("set", "--longest-stay", "24h")).toEqual(shown("1d", "90d"))
    expect(await policy("set", "--retention", "none")).toEqual(shown("1d", "none"))
    expect(await policy("show")).toEqual(shown("1d", "none"))
    const counting = ["--event-grain", "0s", "--smallest-count", "10"]
    expect(await policy("set", ...counting)).toEqual(shown("1d", "none", "0s", "10"))
    expect(await policy("set", "--event-grain", "none")).toEqual(shown("1d", "none", "none", "10"))
    for (const [args, said] of [
      [[], /say at least one of --longest-stay/],
      [["--event-grain", "61s"], /0s to 1m: 61s/],
      [["--event-grain", "250ms"], /0s to 1m: 250ms/],
      [["--smallest-count", "0"], /1 to 1000: 0/],
      [["--counted-reset-at", "4:00"], /a time as 04:00: 4:00/],
      [["--stays-end-at", "3:00"], /a time as 03:00: 3:00/],
      [["--time-zone", "Mars"], /IANA name/],
      [["--device-silent-after", "2d"], /1s to 1d: 2d/],
      [["--exclusive-places", "maybe"], /yes or no: maybe/],
      [["--longest-stay", "12"], /--longest-stay is none, or a number/],
      [["--longest-stay", "59s"], /1m to 366d: 59s/],
      [["--retention", "1h"], /1d to 36525d: 1h/]
    ] as const) {
      expectRefusal(await policy("set", ...args), said)
    }
    expect(await policy("show")).toEqual(shown("1d", "none", "none", "10"))
    const devices = [
      "--counted-reset-at",
      "04:00",
      "--stays-end-at",
      "03:00",
      "--time-zone",
      "Europe/Rome",
      "--device-silent-after",
      "1m"
    ]
    const whereSet =
      "counted-reset-at\t04:00\nstays-end-at\t03:00\ntime-zone\tEurope/Rome\ndevice-silent-after\t1m\nexclusive-places\tyes\n"
    expect(await policy("set", ...devices, "--exclusive-places", "yes")).toEqual(
      shown("1d", "none", "none", "10", whereSet)
    )
    const nowhere = await operate("policy", "show", "--organization", "9999")
    expect(nowhere).toEqual({ code: 1, out: "", err: "sojourn: The organization does not exist.\n" })
    expect((await operate("policy", "show", "--organization", "x")).err).toMatch(
      /^sojourn: --organization is malformed/
    )
    await endOrganization("sweeper", id)
  })

  it("person exports a person's data as JSON and erases it, and prints no name when it confirms", async () => {
    const id = "keeper of names"
    const minted = await sojourn("token", "--kind", "administrator", "--id", id, "--mail", "keeper@example.org")
    // The first call creates the account.
    expect(await status(minted.out.trim(), `${server.baseUrl}/administrator/permission/${encodeURI(id)}`)).toBe(204)

    const exported = await operate("person", "export", "--mail", "Keeper@example.org")
    expect([exported.code, exported.err]).toEqual([0, ""])
    const account = { administratorId: id, mail: "keeper@example.org", hasPassword: false }
    expect(JSON.parse(exported.out)).toMatchObject({ accounts: [account], favorites: [] })

    const counts = ({ out }: Ended) => Object.fromEntries(out.split("\n").map((line) => line.split("\t")))
    expect(counts(await operate("person", "erase", "--administrator", id))).toMatchObject({
      accounts: "1",
      accesses: "0"
    })
    const [again, nowhere, ...malformed] = await Promise.all([
      operate("person", "erase", "--administrator", id),
      operate("person", "erasures", "--organization", "9999"),
      operate("person", "erase", "--mail", id),
      operate("person", "erase", "--user", id, "--organization", "1", "--person", id)
    ])
    expect(counts(again!)).toMatchObject({ accounts: "0", permissions: "0" })
    expect(nowhere).toEqual({ code: 1, out: "", err: "sojourn: The organization does not exist.\n" })
    for (const ended of malformed) {
      expectRefusal(ended, /^sojourn: name one: /)
      expect(ended.err).not.toContain(id)
    }
  })

  it("demo loads the demo data once, and prints commands with valid tokens", async () => {
    const first = await sojourn("demo", "--server", server.baseUrl)
    expect(first.code).toBe(0)
    const listed = await operate("organization", "list")
    expect(listed.out).toMatch(
      /^\d+\tanonymous\tDemo Museum\n\d+\tauthenticated\tDemo Works\n\d+\tanonymous\tDemo Campus\n$/
    )
    expect((await sojourn("demo", "--server", server.baseUrl)).code).toBe(0)
    expect((await operate("organization", "list")).out).toBe(listed.out)
    const token = /^USER_TOKEN='([^']+)'$/m.exec(first.out)?.[1]
    expect(await status(token ?? "", `${server.baseUrl}/organization`)).toBe(200)
  })
})

it("data survives a restart of the server, and the operator's commands work without a running server", async () => {
  for (const storage of ["embedded", "postgres"] as const) {
    const create = ["organization", "create", "--name", "Lasting", "--area", AREA, "--owner", "ada"]
    const { out } = await sojourn(...create, "--mail", "ada@example.org", ...on(storage))
    const list = ["organization", "list", ...on(storage)]
    const alone = await sojourn(...list)
    expect(alone).toEqual({ code: 0, out: `${out.trim()}\tanonymous\tLasting\n`, err: "" })
    const { server } = await start(storage)
    expect(await sojourn(...list)).toEqual(alone)
    expect((await server.end()).code).toBe(0)
  }
})

it("without its database a command fails with one line on stderr and nothing on stdout", async () => {
  const away = ["--storage", "postgres", "--database-url", "postgresql://nobody@127.0.0.1:1/nothing"]
  for (const command of [["organization", "list"], ["deletion-request", "list"], ["check-identity"]]) {
    expectRefusal(await sojourn(...command, ...away), /^sojourn: the database cannot be used: /)
  }
})

it("with memory storage and no running server a command fails with one line on stderr", async () => {
  const alone = await sojourn("organization", "list", "--storage", "memory", "--server", "http://127.0.0.1:1")
  expect(alone.code).toBe(1)
  expect(alone.err).toMatch(/^sojourn: [^\n]+\n$/)
})

describe("sojourn serve with --database-url alone", () => {
  const missing = () => databaseUrl.replace("/commands", "/missing")

  it("uses that database", async () => {
    const server = launch(["serve", "--port", "0", "--database-url", databaseUrl])
    expect((await fetch(`${await server.listening}/health/ready`)).status).toBe(200)
    expect((await server.end()).code).toBe(0)
  })

  it("exits with one line that names a missing database", async () => {
    const ended = await sojourn("serve", "--port", "0", "--database-url", missing())
    expectRefusal(ended, /^sojourn: the database cannot be used: [^\n]*:\d+: [^\n]*"missing"/)
  })

  const own = temporaryFolder()

  it("warns of its own database in --data while the one at the URL has no organization", async () => {
    await Effect.runPromise(postgres.createDatabase("other"))
    const args = ["serve", "--port", "0", "--database-url", Redacted.value(postgres.url("other"))]
    const warned = async () => {
      const server = launch(args, { SOJOURN_DATA: own })
      await server.listening
      return /the database of --database-url is empty, and \S+postgres holds another one/.test((await server.end()).err)
    }
    expect(await warned()).toBe(false)
    mkdirSync(join(own, "postgres"))
    expect(await warned()).toBe(true)
    const create = ["--name", "Museum", "--area", AREA, "--owner", "ada", "--mail", "ada@example.org"]
    const created = await run(["organization", "create", ...create, ...args.slice(3)], { SOJOURN_DATA: own })
    expect(created.code, created.err).toBe(0)
    expect(await warned()).toBe(false)
  })

  it("logs the address of an unreachable database and the reason, without user and password", async () => {
    const server = launch(["serve", "--port", "0", "--database-url", "postgresql://user:secret@127.0.0.1:1/d"])
    await server.listening
    const { code, err } = await server.end()
    expect(code).toBe(0)
    expect(err).toMatch(/the database at 127\.0\.0\.1:1 is away \([^)]*ECONNREFUSED[^)]*\)/)
    expect(err).not.toMatch(/secret/)
  })
})

it("version prints what --version prints", async () => {
  const [command, flag] = await Promise.all([sojourn("version"), sojourn("--version")])
  expect(command).toEqual(flag)
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  expect(command.out).toBe(`sojourn v${version}\n`)
})

describe("sojourn migrate", () => {
  const migrate = (...args: ReadonlyArray<string>) => sojourn("migrate", "--database-url", databaseUrl, ...args)

  it("names a database that does not exist, and reports that a migrated schema is up to date", async () => {
    const url = databaseUrl.replace("/commands", "/migrated")
    expect((await sojourn("migrate", "--database-url", url)).err).toMatch(/^sojourn: [^\n]*"migrated"[^\n]*\n$/)
    expect(await migrate()).toEqual({ code: 0, out: "the schema is up to date\n", err: "" })
  })
})

it("with all keys given it writes nothing into the data directory; it logs its start and its end, and has no page", async () => {
  const folder = join(data, "token-keys")
  cpSync(join(data, "issuer-key.json"), join(folder, "issuer-key.json"))
  const { server, baseUrl } = await start(
    "memory",
    "--data",
    folder,
    "--token-keys",
    `1:${"A".repeat(43)}`,
    "--no-page"
  )
  for (const path of ["/", "/favicon.svg"]) expect((await fetch(`${baseUrl}${path}`)).status).toBe(404)
  const { code, err } = await server.end()
  expect(code).toBe(0)
  expect(err).toMatch(/the server ends, .*second Ctrl-C or SIGTERM ends it at once[^]*the server ended/)
  expect(readdirSync(folder)).toEqual(["issuer-key.json"])
})
