/** Webhooks over HTTP, without deliveries: those are in `webhooks/`. */
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, organization, post, get, remove } = fixtures

const URL = "https://hooks.example.org/sojourn?key=7"
const DEFAULT = ["capacity.changed", "place.changed", "organization.changed", "muster.changed", "device.changed"]

const of = (id: number) => `/webhook/organization/${id}`
const create = (id: number, over: object = {}, who = owner) => post(who, of(id), { url: URL, ...over })
const created = async (id: number, over: object = {}) => want(await create(id, over), 201).json
const list = (id: number) => get(owner, of(id))
const drop = (id: number) => remove(owner, `/webhook/${id}`)
const enable = (id: number, who = owner) => post(who, `/webhook/${id}/enable`, undefined)

const act = (id: number, path: string, json?: unknown, who = owner) =>
  sojourn.call(who, "POST", `/webhook/${id}/${path}`, json === undefined ? {} : { json })

describe("POST and GET /webhook/organization/{organizationId}", () => {
  it("201 the webhook with its secret, and 200 the list without secrets", async () => {
    const { id } = await organization()
    want(await list(id), 204)
    const { secret, ...one } = await created(id)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(one).toEqual({
      webhookId: one.webhookId,
      organizationId: id,
      url: URL,
      types: DEFAULT,
      state: "active",
      createdBy: owner.id
    })
    const { secret: another, ...two } = await created(id, { types: ["presence.changed", "presence.changed"] })
    expect(another).not.toBe(secret)
    expect(two.types).toEqual(["presence.changed"])
    expect(want(await list(id), 200).json).toEqual([one, two])
    const elsewhere = await organization()
    want(await list(elsewhere.id), 204)
  })

  it("201 where types is null, which counts as left out", async () => {
    const { id } = await organization()
    expect((await created(id, { types: null })).types).toEqual(DEFAULT)
  })

  it.each([
    ["no url", { url: undefined }],
    ["a url that is null", { url: null }],
    ["a url that is a number", { url: 7 }],
    ["no types in the list", { types: [] }],
    ["an unknown type", { types: ["presence.changed", "presence.*"] }],
    ["types as text", { types: "presence.changed" }]
  ])("%s: 400, whatever else is wrong", async (_, over) => {
    const { id } = await organization()
    want(await create(id, over), 400)
    want(await create(NOWHERE, over), 400)
    want(await list(id), 204)
  })

  it.each([
    "http://hooks.example.org/",
    "hooks.example.org",
    "https://user:password@hooks.example.org/",
    "https://hooks.example.org/#fragment",
    "https://127.0.0.1/",
    "https://127.0.0.1:8443/hook",
    "https://[::1]/",
    "https://[::ffff:169.254.169.254]/",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/",
    "https://0x7f000001/",
    "https://metadata.google.internal/",
    `https://hooks.example.org/${"a".repeat(2048)}`,
    ""
  ])("the url %s: 400, after existence and authority", async (url) => {
    const { id } = await organization()
    want(await create(id, { url }), 400)
    want(await create(NOWHERE, { url }), 404)
    want(await create(id, { url }, sojourn.administrator("not-bound")), 403)
    want(await list(id), 204)
  })

  it("409 an eleventh webhook, until one of the ten is deleted", async () => {
    const { id } = await organization()
    const made = []
    for (let n = 0; n < 10; n++) made.push(await created(id))
    want(await create(id), 409)
    want(await create(id, { url: "http://hooks.example.org/" }), 400)
    want(await drop(made[3].webhookId), 204)
    want(await create(id), 201)
    want(await create(id), 409)
    expect(want(await list(id), 200).json).toHaveLength(10)
  })
})

describe("DELETE /webhook/{webhookId} and POST /webhook/{webhookId}/enable", () => {
  it("204 once, and 404 from then on", async () => {
    const { id } = await organization()
    const { webhookId } = await created(id)
    want(await drop(webhookId), 204)
    want(await drop(webhookId), 404)
    want(await enable(webhookId), 404)
    want(await list(id), 204)
  })

  it("200 the webhook, which is active", async () => {
    const { id } = await organization()
    const { secret, ...webhook } = await created(id)
    expect(want(await enable(webhook.webhookId), 200).json).toEqual(webhook)
    expect(want(await list(id), 200).json).toEqual([webhook])
  })
})

describe("POST /webhook/{webhookId}/secret", () => {
  it("200 the webhook with another secret each time, which the list never has", async () => {
    const { id } = await organization()
    const { secret, ...webhook } = await created(id)
    const secrets = new Set([secret])
    for (let nth = 0; nth < 3; nth++) {
      const { secret: next, ...rest } = want(await act(webhook.webhookId, "secret"), 200).json
      expect(next).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(rest).toEqual(webhook)
      secrets.add(next)
    }
    expect(secrets.size).toBe(4)
    expect(want(await list(id), 200).json).toEqual([webhook])
  })
})

describe("POST /webhook/{webhookId}/replay", () => {
  it("200 the webhook for each stored event, and 400 for other versions", async () => {
    const { id } = await organization()
    const { secret: _, ...webhook } = await created(id)
    const replay = (fromVersion: unknown) => act(webhook.webhookId, "replay", { fromVersion })
    want(await replay(1), 400)
    await fixtures.place(id)
    want(await fixtures.put(owner, "/organization", { id, description: "changed" }), 200)
    for (const fromVersion of [1, 2]) expect(want(await replay(fromVersion), 200).json).toEqual(webhook)
    for (const fromVersion of [0, 3, -1, 1.5, "1", null, undefined, 2 ** 53]) want(await replay(fromVersion), 400)
    expect(want(await list(id), 200).json).toEqual([webhook])
  })

  it("400 a malformed body before 404 and 403, and these before a version that is not kept", async () => {
    const { id } = await organization()
    const { webhookId } = await created(id)
    want(await act(NOWHERE, "replay", {}), 400)
    want(await act(NOWHERE, "replay", { fromVersion: 99 }), 404)
    want(await act(webhookId, "replay", { fromVersion: 99 }, sojourn.administrator("outsider")), 403)
    want(await act(webhookId, "replay", { fromVersion: 99 }), 400)
  })
})

describe("POST /webhook/{webhookId}/test", () => {
  it("204, and 429 with Retry-After until it is sent", async () => {
    const { id } = await organization()
    const [one, other] = [await created(id), await created(id)]
    const answers = await Promise.all(Array.from({ length: 5 }, () => act(one.webhookId, "test")))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 429, 429, 429, 429])
    for (const { status, headers } of answers) if (status === 429) expect(headers["retry-after"]).toBe("2")
    want(await act(other.webhookId, "test"), 204)
  })
})

describe("GET /webhook/{webhookId}/attempts", () => {
  it("204 when there is none", async () => {
    const { id } = await organization()
    const { webhookId } = await created(id)
    want(await get(owner, `/webhook/${webhookId}/attempts`), 204)
  })
})

describe("the creator of a webhook", () => {
  it("is exported with their data, and erased with them, which disables the webhook", async () => {
    const { id } = await organization()
    const ben = await fixtures.bind(id, sojourn.administrator(`ben-${id}`), "owner")
    const { webhookId } = want(await create(id, {}, ben), 201).json
    const subject = { administratorId: ben.id }
    const exported = want(await fixtures.exportData(subject), 200).json
    expect(exported.createdWebhooks).toEqual([{ webhookId, organizationId: id, creationDate: expect.any(String) }])
    want(await fixtures.eraseData(subject), 200)
    expect(want(await list(id), 200).json).toMatchObject([{ webhookId, state: "disabled", createdBy: "(erased)" }])
    expect(want(await fixtures.exportData(subject), 200).json.createdWebhooks).toEqual([])
    expect(want(await enable(webhookId), 200).json).toMatchObject({ state: "active", createdBy: owner.id })
  })
})
