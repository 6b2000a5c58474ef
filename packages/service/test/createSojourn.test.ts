/** The whole service in the database of an application, as promises. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import {
  Authenticator,
  CellNumber,
  cellOfId,
  Movements,
  NotAuthenticated,
  OrganizationId,
  OrganizationPremises,
  User,
  UserId
} from "@sojourn/core"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { certificates, startReceiver } from "../../server/test/webhooks/Receiver.ts"
import { createSojourn, explainStart, outcome, Refused, type Sojourn, type SojournOptions } from "../src/index.ts"
import { ProcessCredentials } from "../src/sojourn/callers.ts"
import { startPostgres } from "./database.ts"

const tokenKeys = `1:${"A".repeat(43)}`
const issuerKey = JSON.stringify(Redacted.value(await Effect.runPromise(OwnIssuer.generate)))
const owner = { administratorId: "ada", mail: "ada@example.org" }
const ada = { kind: "administrator", id: "ada", mail: "ada@example.org" } as const
const tim = { kind: "user", id: "tim" } as const
const operator = { kind: "operator", id: "test" } as const
const draft = {
  name: "Museum",
  trackingArea: '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}',
  trackingMode: "anonymous",
  owner
} as const

let postgres: Awaited<ReturnType<typeof startPostgres>>
const closing: Array<() => Promise<unknown>> = []

beforeAll(async () => void (postgres = await startPostgres()))
afterAll(async () => {
  for (const close of closing) await close()
  await postgres.stop()
})

const start = async (database: string, options: Partial<SojournOptions> = {}): Promise<Sojourn> => {
  const sojourn = await createSojourn({ databaseUrl: postgres.urlOf(database), tokenKeys, issuerKey, ...options })
  closing.push(sojourn.close)
  return sojourn
}

const listen = (server: Server) =>
  new Promise<string>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  )

const inside = async (sojourn: Sojourn, organizationId: number) =>
  (await sojourn.as(ada).presence.organizationCounter({ organizationId })).counter

const enter = (sojourn: Sojourn, organizationId: number) =>
  sojourn.as(tim).movement.trackOrganization({ body: { movementType: "entrance", organizationId } })

describe("createSojourn", () => {
  it("starts any number of times in a database whose tables have the same names, and leaves them alone", async () => {
    const database = await postgres.application()
    const before = await postgres.catalogOf(database)
    const racing = await Promise.all([start(database), start(database), start(database)])
    const ids = await Promise.all(racing.map((sojourn) => sojourn.ensureOrganization(draft)))
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1)
    await Promise.all(racing.map(({ close }) => close()))
    const again = await start(database)
    expect(await again.ensureOrganization(draft)).toEqual(ids[0])
    expect(await postgres.catalogOf(database)).toEqual(before)
    expect(await postgres.query(database, "select code from organization")).toEqual([{ code: "museum" }])
  })

  it("works in a schema of any name, apart from others of the database", async () => {
    const database = await postgres.application()
    const [one, other] = [await start(database, { schema: 'Two "words"' }), await start(database, { schema: "other" })]
    const { id } = await one.ensureOrganization(draft)
    await enter(one, id)
    expect(await inside(one, id)).toBe(1)
    await expect(other.as(tim).organization.get({ organizationId: id })).rejects.toMatchObject({ status: 404 })
    const again = await start(database, { schema: 'Two "words"' })
    expect(await inside(again, id)).toBe(1)
  })

  it("answers JSON to callers whom the application knows", async () => {
    const sojourn = await start(await postgres.application())
    const organization = await sojourn.ensureOrganization(draft)
    expect(JSON.parse(JSON.stringify(organization))).toEqual(organization)
    const organizationId = organization.id
    const entered = await enter(sojourn, organizationId)
    expect(entered).toEqual({
      movementType: 1,
      organizationId,
      timestamp: new Date(entered.timestamp).toISOString(),
      exitToken: expect.any(String)
    })
    const door = { name: "Door", premises: [{ organization: true }] } as const
    await sojourn.as(ada).device.create({ organizationId, body: door })
    for await (const { event, data } of sojourn.as(ada).stream.presence({ organizations: [organizationId] })) {
      expect([event, data]).toMatchObject(["snapshot", { organizations: [{ organizationId }] }])
      break
    }
    expect(await sojourn.as(ada).floorplan.list({ organizationId })).toEqual([])
    expect(await sojourn.as(operator).operator.readOrganization({ organizationId })).toEqual(organization)
    expect(await sojourn.as({ kind: "user", id: "Zoë/…" }).organization.get({ organizationId })).toEqual(organization)
    await sojourn.close()
  })

  it("answers refusals as values with a status, and says which member got what and what it wants", async () => {
    const sojourn = await start(await postgres.application())
    const { id: organizationId } = await sojourn.ensureOrganization(draft)
    const eve = sojourn.as({ kind: "administrator", id: "eve" })
    const refused = await outcome(eve.presence.organizationCounter({ organizationId }))
    expect(refused).toMatchObject({ ok: false, refusal: { status: 403, type: expect.stringMatching(/^urn:sojourn:/) } })

    const wrong: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
      [
        'movementType: Expected 1 | "entrance", got "Entrance"; movementType: Expected -1 | "exit", got "Entrance"',
        () => track({ movementType: "Entrance" })
      ],
      ['Expected OrganizationMovementEntrance | OrganizationMovementExit, got "tim"', () => track("tim")],
      ['timestamp: Expected an RFC 3339 timestamp, got "yesterday"', () => track({ timestamp: "yesterday" })],
      ["organizationId: Missing key", () => track({ organizationId: undefined })],
      [
        'trackingMode: Expected "anonymous" | "authenticated", got "anon"',
        () => sojourn.ensureOrganization({ ...draft, name: "Other", trackingMode: "anon" as never })
      ],
      [
        'owner.mail: Expected a mail address, got "ada"',
        () => sojourn.ensureOrganization({ ...draft, owner: { ...owner, mail: "ada" } })
      ]
    ]
    const track = (wrong: object | string) => {
      const body = typeof wrong === "string" ? wrong : { movementType: "entrance", organizationId, ...wrong }
      return sojourn.as(tim).movement.trackOrganization({ body: body as never })
    }
    for (const [detail, call] of wrong) {
      const error: unknown = await call().catch((error: unknown) => error)
      expect(error).toBeInstanceOf(Refused)
      expect(error).toMatchObject({ status: 400, detail: expect.stringContaining(detail) })
    }
    await sojourn.close()
  })

  it("refuses a caller by the member that is wrong", async () => {
    const sojourn = await start(await postgres.application())
    for (const [caller, message] of [
      ["ada", 'caller: Expected { kind, id, mail? }, got "ada"'],
      [new Date(0), "caller.kind: Missing key; caller.id: Missing key"],
      [{ kind: "anon", id: "tim" }, 'caller.kind: Expected "user" | "administrator" | "operator", got "anon"'],
      [{ kind: "user", id: 5 }, "caller.id: Expected string, got 5"],
      [{ kind: "administrator", id: "ada", mail: "ada" }, 'caller.mail: Expected a mail address, got "ada"']
    ] as const) {
      expect(() => sojourn.as(caller as never)).toThrow(new TypeError(message))
      await expect(sojourn.mint(caller as never)).rejects.toThrow(new TypeError(message))
    }
    await sojourn.close()
  })

  it("takes no credentials of another process, and works with another authenticator", async () => {
    const database = await postgres.application()
    const authenticator = Layer.succeed(Authenticator, {
      authenticate: () => Effect.fail(new NotAuthenticated({ reason: "none is known here" }))
    })
    const [one, other] = [await start(database), await start(database, { issuerKey: undefined, authenticator })]
    const { id } = await one.ensureOrganization(draft)
    expect(await inside(other, id)).toBe(0)
    const sent: Array<string> = []
    const stolen = new ProcessCredentials().of(ada)
    for (const token of [stolen, `${"0".repeat(64)}.${stolen.split(".")[1]}`, await one.mint(ada), "."]) {
      const request = new Request(`http://h/presence/organization/${id}/counter`, {
        headers: { authorization: `Bearer ${token}` }
      })
      sent.push(String((await other.fetch(request)).status))
    }
    expect(sent).toEqual(["401", "401", "401", "401"])
    await Promise.all([one.close(), other.close()])
  })

  it("refuses revoked tokens, and no caller whom the application names", async () => {
    const sojourn = await start(await postgres.application())
    const statusOf = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await sojourn.fetch(new Request("http://sojourn.test/authentication/administrator", { headers }))).status
    }
    const token = await sojourn.mint(ada)
    expect(await statusOf(token)).toBe(200)
    await sojourn.as(operator).operator.revokeTokens({ body: { kind: "administrator", id: ada.id } })
    expect(await statusOf(token)).toBe(401)
    expect(await statusOf(await sojourn.mint(ada))).toBe(200)
    expect(await sojourn.as(ada).authentication.administrator()).toEqual({ administratorId: "ada", mail: ada.mail })
  })

  it("spreads organizations over cells", async () => {
    const [home, far] = [await postgres.application(), await postgres.application()]
    const address = { url: Redacted.make(postgres.urlOf(far)) }
    const cells = [{ number: CellNumber.make(9), weight: 1, address, schema: "cell" }]
    const sojourn = await start(home, { cells, maxConnections: 4 })
    const names = ["one", "two", "three", "four"]
    const ids = []
    for (const name of names) ids.push((await sojourn.ensureOrganization({ ...draft, name })).id)
    expect(ids.map((id) => Option.getOrThrow(cellOfId(BigInt(id))))).toEqual([0, 9, 0, 9])
    for (const id of ids) await enter(sojourn, id)
    await sojourn.close()
    const again = await start(home, { cells, maxConnections: 4 })
    expect(await Promise.all(ids.map((id) => inside(again, id)))).toEqual([1, 1, 1, 1])
    await again.close()
    await expect(createSojourn({ databaseUrl: postgres.urlOf(home), tokenKeys, issuerKey })).rejects.toMatchObject({
      message: expect.stringContaining("one of several cells")
    })
  })

  it("works where it may not create schemas, in one that is there", async () => {
    const database = await postgres.application()
    await postgres.query(database, `create role ${database} login password 'its'`)
    const url = new URL(postgres.urlOf(database))
    url.username = database
    url.password = "its"
    const databaseUrl = url.href
    const refusal = await createSojourn({ databaseUrl, tokenKeys, issuerKey }).catch(explainStart)
    expect(refusal).toMatch(/permission denied for database .*create the schema/)
    await postgres.query(database, `create schema sojourn authorization ${database}`)
    const sojourn = await start(database, { databaseUrl })
    expect((await sojourn.ensureOrganization(draft)).name).toBe("Museum")
  })

  it("uses the database of a client of the application with sessions of its own, and takes part in its transactions", async () => {
    const database = await postgres.application()
    const rename = (name: string) => name.toUpperCase()
    const config = {
      ...postgres.connection,
      database,
      transformResultNames: rename,
      startupParameters: { search_path: "public" }
    }
    await Effect.gen(function* () {
      const client = yield* PgClient.PgClient
      const sojourn = yield* Effect.promise(() => start(database, { databaseUrl: undefined, database: { client } }))
      const { id } = yield* Effect.promise(() => sojourn.ensureOrganization(draft))
      const path = yield* client`show search_path`
      expect(path).toEqual([{ SEARCH_PATH: "public" }])
      expect(yield* client`select name from sojourn.organization where id = ${id}::bigint`).toEqual([
        { NAME: "Museum" }
      ])
      const premises = OrganizationPremises(OrganizationId.make(BigInt(id)))
      const entering = Movements.use((_) => _.track(User(UserId.make("tim")), { _tag: "Entrance", premises }))
      const rolledBack = client.withTransaction(Effect.andThen(entering, Effect.fail("rolled back")))
      yield* Effect.promise(() => sojourn.runtime.runPromise(Effect.flip(rolledBack)))
      expect(yield* Effect.promise(() => inside(sojourn, id))).toBe(0)
      yield* Effect.promise(() => sojourn.runtime.runPromise(client.withTransaction(entering)))
      expect(yield* Effect.promise(() => inside(sojourn, id))).toBe(1)
    }).pipe(Effect.provide(PgClient.layer(config)), Effect.runPromise)
  })

  it("ends stays by their policy and delivers webhooks by itself, or leaves that to another process", async () => {
    const receiver = await startReceiver()
    closing.push(receiver.stop)
    const database = await postgres.application()
    const idle = await start(database, { background: false, sweepInterval: "100 millis", webhookReceivers: [] })
    const { id: organizationId } = await idle.ensureOrganization(draft)
    const hook = { organizationId, body: { url: "https://hooks.example.org" } }
    await expect(idle.as(ada).webhook.create(hook)).rejects.toMatchObject({
      type: "urn:sojourn:problem:webhook-url-refused"
    })
    await idle.as(operator).operator.changeStayPolicy({ organizationId, body: { longestStay: 60 } })
    await enter(idle, organizationId)
    await postgres.query(database, "update sojourn.open_stay set recorded_at = recorded_at - interval '2 minutes'")
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await inside(idle, organizationId)).toBe(1)

    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    const busy = await start(database, {
      references: Logger.layer([logger]),
      sweepInterval: "100 millis",
      certificates: [certificates.authority.pem],
      webhookReceivers: [receiver.origin]
    })
    await vi.waitFor(async () => expect(await inside(busy, organizationId)).toBe(0), { timeout: 20_000 })
    await vi.waitFor(() => expect(lines).toContain("swept: 1 stays abandoned, 0 accesses forgotten"))
    await busy.as(ada).webhook.create({ organizationId, body: { url: `${receiver.origin}/hook` } })
    await busy.as(ada).organization.edit({ body: { id: organizationId, description: "Of the town" } })
    await vi.waitFor(() => expect(receiver.received("/hook")).toHaveLength(1), { timeout: 20_000 })
    await vi.waitFor(
      async () =>
        expect(await postgres.query(database, "select count(*)::int as n from sojourn.presence_bucket")).not.toEqual([
          { n: 0 }
        ]),
      { timeout: 90_000 }
    )
  })

  it("answers Node's requests and those of Fetch, and ends open streams and connections when it is closed", async () => {
    const sojourn = await start(await postgres.application())
    const { id } = await sojourn.ensureOrganization(draft)
    const server = createServer(sojourn.listener)
    const origin = await listen(server)
    const authorization = `Bearer ${await sojourn.mint(ada)}`
    const counter = `/presence/organization/${id}/counter`
    for (const answer of [
      await fetch(`${origin}${counter}`, { headers: { authorization } }),
      await sojourn.fetch(new Request(`http://h${counter}`, { headers: { authorization } })),
      await sojourn.fetchBelow("/sojourn")(new Request(`http://h/sojourn${counter}`, { headers: { authorization } }))
    ]) {
      expect(await answer.json()).toEqual({ organizationId: id, counter: 0 })
    }
    expect((await sojourn.fetchBelow("/sojourn")(new Request(`http://h/sojourns${counter}`))).status).toBe(404)

    const stream = await fetch(`${origin}/presence/stream?organizations=${id}`, { headers: { authorization } })
    expect(stream.status).toBe(200)
    const begun = performance.now()
    const ended = new Promise((resolve) => server.close(resolve))
    await Promise.all([sojourn.close(), sojourn.close()])
    expect(await stream.text()).toContain('data: {"reason":"shutdown"}')
    await ended
    expect(performance.now() - begun).toBeLessThan(4_000)
  })
})

describe("createSojourn says in one line what keeps it from starting:", () => {
  const away = "postgresql://sojourn:very-secret@127.0.0.1:1/application"
  it.each<readonly [string, Partial<SojournOptions>, RegExp]>([
    ["a missing URL", { databaseUrl: undefined }, /DATABASE_URL\) is missing/],
    ["a URL of something else", { databaseUrl: "https://example.org" }, /DATABASE_URL\) is not postgresql:/],
    ["missing token keys", { databaseUrl: away, tokenKeys: undefined }, /TOKEN_KEYS\) is missing/],
    ["malformed token keys", { databaseUrl: away, tokenKeys: "secret" }, /TOKEN_KEYS\) holds keys as id:secret/],
    ["token keys that are too short", { databaseUrl: away, tokenKeys: "1:c2hvcnQ" }, /shorter than 32 bytes/],
    ["a missing issuer's key", { databaseUrl: away, issuerKey: undefined }, /ISSUER_KEY\), .* is missing/],
    ["an issuer's key that is no JSON", { databaseUrl: away, issuerKey: "{" }, /ISSUER_KEY\) is not JSON/],
    ["an issuer's key of another kind", { databaseUrl: away, issuerKey: "{}" }, /ISSUER_KEY\) holds no key/],
    [
      "a receiver that is no https server",
      { databaseUrl: away, webhookReceivers: ["http://a.example"] },
      /webhookReceivers: .*https/
    ],
    [
      "an origin with a path",
      { databaseUrl: away, corsOrigins: ["https://a.example/"] },
      /^corsOrigins: .*; write https:\/\/a.example$/
    ],
    ["a database that is away", { databaseUrl: away }, /127\.0\.0\.1:1: .*ECONNREFUSED.*: start it/]
  ])("%s", async (_, options, line) => {
    const reason = await createSojourn({ tokenKeys, issuerKey, ...options }).then(() => "it started", explainStart)
    expect(reason).toMatch(line)
    expect(reason).toMatch(/^[^\n]{1,400}$/)
    expect(reason).not.toContain("very-secret")
  })

  it("a wrong password, and a database that there is not", async () => {
    const wrong = new URL(postgres.urlOf("postgres"))
    wrong.password = "wrong"
    const refusals = [wrong.href, postgres.urlOf("missing")].map((databaseUrl) =>
      createSojourn({ databaseUrl, tokenKeys, issuerKey }).catch(explainStart)
    )
    expect(await refusals[0]).toMatch(/password authentication failed.*correct the user and the password/)
    expect(await refusals[1]).toMatch(/"missing" does not exist.*create the database/)
  })

  it("keys of exit tokens that the database was not used with", async () => {
    const database = await postgres.application()
    await start(database)
    const others = createSojourn({ databaseUrl: postgres.urlOf(database), tokenKeys: `1:${"B".repeat(43)}`, issuerKey })
    expect(await others.catch(explainStart)).toMatch(/exit-token key 1 is not the one/)
  })

  it("a port that is taken", async () => {
    const [one, other] = [createServer(), createServer()]
    const { port } = new URL(await listen(one))
    const error = new Promise<unknown>((resolve) => other.once("error", resolve).listen(Number(port), "127.0.0.1"))
    expect(explainStart(await error)).toBe(
      `cannot listen: port ${port} is taken by another program: end it, or choose another port`
    )
    one.close()
  })
})
