/** Tokens that end before they expire: POST /operator/token/revoke and POST /administrator/signout (spec: accounts#revocation). */
import { Administrator, AdministratorId, type Caller, Operator, OperatorId, User, UserId } from "@sojourn/core"
import { describe, expect, it } from "vitest"
import { mintToken } from "./callers.ts"
import { makeEventStreams } from "./eventStream.ts"
import { makeFixtures, unique, want } from "./fixtures.ts"
import { forThisFile } from "./forThisFile.ts"
import { sojournForThisFile } from "./harness.ts"
import { described, startProvider } from "./identity/OpenIdProvider.ts"
import { until } from "./webhooks/delivering.ts"

const provider = forThisFile(await startProvider())
const issuers = [{ ...described(provider.issuer), subjectPrefix: "town|" }]
const sojourn = await sojournForThisFile({ issuers })
const other = forThisFile(await sojourn.startBeside({ issuers }))
const { call, operator, organization, owner, post } = makeFixtures(sojourn)
const { id: organizationId } = await organization()

const revoke = (body: object) => post(operator, "/operator/token/revoke", body)
const mint = (caller: Caller, now = Date.now()) => mintToken(sojourn.keys.key, caller, { expiresIn: 3600, now })
const administrator = (id: string) => Administrator(AdministratorId.make(id))

/** How the servers answer a token: 401, or with what its kind may do. */
const statusesOf = (path: string) => (token: string) =>
  Promise.all([sojourn, other].map(async ({ call }) => (await call(`Bearer ${token}`, "GET", path)).status))
const ofUser = statusesOf("/organization")
const ofAdministrator = statusesOf("/authentication/administrator")
const ofOperator = statusesOf("/operator/deletionrequest?status=rejected")

/** Both servers come to refuse the token. */
const wantRefused = (statuses: (token: string) => Promise<ReadonlyArray<number>>, token: string) =>
  until(async () => expect(await statuses(token)).toEqual([401, 401]))

describe("POST /operator/token/revoke", () => {
  it("204: the caller's tokens are 401 on every server, and those that are issued after the answer work", async () => {
    for (const [kind, caller, statuses] of [
      ["user", (id: string) => User(UserId.make(id)), ofUser],
      ["administrator", administrator, ofAdministrator],
      ["operator", (id: string) => Operator(OperatorId.make(id)), ofOperator]
    ] as const) {
      const id = unique("caller")
      const [token, another] = [await mint(caller(id)), await mint(caller(`${id}-2`))]
      const works = await statuses(token)
      expect(works).not.toContain(401)
      want(await revoke({ kind, id }), 204)
      expect(await statuses(await mint(caller(id)))).toEqual(works)
      await wantRefused(statuses, token)
      expect(await statuses(another)).toEqual(works)
      expect(await statuses(await mint(caller(id)))).toEqual(works)
    }
  })

  it("ends the tokens of another issuer, under the service's id of the caller", async () => {
    const id = unique("oidc")
    const token = await provider.token("administrator", id)
    expect(await ofAdministrator(token)).toEqual([200, 200])
    want(await revoke({ kind: "administrator", id }), 204)
    want(await revoke({ kind: "user", id: `town|${id}` }), 204)
    expect(await ofAdministrator(token)).toEqual([200, 200])
    want(await revoke({ kind: "administrator", id: `town|${id}` }), 204)
    expect(await ofAdministrator(await provider.token("administrator", id))).toEqual([200, 200])
    await wantRefused(ofAdministrator, token)
  })

  it("ends streams with `expired`, on every server", async () => {
    const streams = await Promise.all(
      [sojourn, other].map(({ port }) => makeEventStreams(port)(owner, `?organizations=${organizationId}`))
    )
    for (const stream of streams) await stream.want("snapshot")
    want(await revoke({ kind: "administrator", id: owner.id }), 204)
    for (const stream of streams) {
      const last = (await stream.until(({ event }) => event === "end")).at(-1)!
      expect(last.data).toEqual({ reason: "expired" })
    }
  })

  it("with issuedBefore: tokens that were issued since then go on, and of several the latest counts", async () => {
    const id = unique("caller")
    const now = Math.floor(Date.now() / 1_000) * 1_000
    const tokens = await Promise.all([30, 20, 10].map((ago) => mint(administrator(id), now - ago * 1_000)))
    const statuses = async () => (await Promise.all(tokens.map(ofAdministrator))).map(([, last]) => last)
    const before = (ago: number) =>
      revoke({ kind: "administrator", id, issuedBefore: new Date(now - ago * 1_000).toISOString() })
    want(await before(20), 204)
    await until(async () => expect(await statuses()).toEqual([401, 200, 200]))
    want(await before(30), 204)
    expect(await statuses()).toEqual([401, 200, 200])
    want(await before(19.5), 204)
    await until(async () => expect(await statuses()).toEqual([401, 401, 200]))
  })

  it("400 for a moment more than 5 minutes ahead", async () => {
    const ahead = (seconds: number) => ({
      kind: "user",
      id: unique("user"),
      issuedBefore: new Date(Date.now() + seconds * 1_000).toISOString()
    })
    want(await revoke(ahead(290)), 204)
    want(await revoke(ahead(310)), 400)
  })

  it.each([
    ["a device", { kind: "device", id: "1" }],
    ["an unknown kind", { kind: "User", id: "tim" }],
    ["no kind", { id: "tim" }],
    ["no id", { kind: "user" }],
    ["an empty id", { kind: "user", id: "" }],
    ["an id of 257 characters", { kind: "user", id: "x".repeat(257) }],
    ["an id that is no text", { kind: "user", id: 1 }],
    ["an issuedBefore that is no timestamp", { kind: "user", id: "tim", issuedBefore: "yesterday" }]
  ])("400 for %s", async (_, body) => {
    want(await revoke(body), 400)
  })

  it("issuedBefore null counts as left out", async () => {
    const id = unique("user")
    const token = await mint(User(UserId.make(id)))
    want(await revoke({ kind: "user", id, issuedBefore: null }), 204)
    await wantRefused(ofUser, token)
  })
})

describe("POST /administrator/signout", () => {
  const signOut = (token: string) => call(`Bearer ${token}`, "POST", "/administrator/signout")

  it("204: every token of the caller is 401, and one that is issued after it works", async () => {
    const id = unique("leaver")
    const [one, another, colleague] = [
      await mint(administrator(id)),
      await mint(administrator(id), Date.now() - 5_000),
      await mint(administrator(`${id}-2`))
    ]
    want(await signOut(one), 204)
    for (const token of [one, another]) {
      want(await call(`Bearer ${token}`, "GET", "/authentication/administrator"), 401)
      await wantRefused(ofAdministrator, token)
    }
    expect(await ofAdministrator(await mint(administrator(id)))).toEqual([200, 200])
    expect(await ofAdministrator(colleague)).toEqual([200, 200])
    want(await signOut(one), 401)
  })

  it("a sign-in with a password right after it works", async () => {
    const founder = sojourn.administrator(unique("founder"))
    const own = { owner: { administratorId: founder.id, mail: founder.mail } }
    const { id } = await organization(own)
    const [mail, password] = [`${unique("leaver")}@example.test`, "correct horse battery staple"]
    const creation = { organizationId: id, mail, password, permission: 1 }
    want(await post(founder, "/administrator/createadministrator", creation), 201)
    const signIn = async () => {
      const form = { grant_type: "password", username: mail, password }
      const { json } = want(await call(undefined, "POST", "/authentication/token", { form }), 200)
      return json.access_token as string
    }
    const first = await signIn()
    want(await signOut(first), 204)
    const second = await signIn()
    expect(await ofAdministrator(second)).toEqual([200, 200])
    await wantRefused(ofAdministrator, first)
  })
})
