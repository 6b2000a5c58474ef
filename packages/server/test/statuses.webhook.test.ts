/** Webhooks over HTTP, without deliveries: those are in `webhooks/`. */
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, organization, post, get, remove } = fixtures

const URL = "https://hooks.example.org/sojourn?key=7"
const DEFAULT = ["capacity.changed", "place.changed", "organization.changed", "muster.changed"]

const of = (id: number | string) => `/webhook/organization/${id}`
const create = (id: number | string, over: object = {}, who = owner) => post(who, of(id), { url: URL, ...over })
const created = async (id: number, over: object = {}) => want(await create(id, over), 201).json
const list = (id: number | string, who = owner) => get(who, of(id))
const drop = (id: number | string, who = owner) => remove(who, `/webhook/${id}`)
const enable = (id: number | string, who = owner) => post(who, `/webhook/${id}/enable`, undefined)

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

  it("404 after the organization was deleted", async () => {
    const { id } = await organization()
    const { webhookId } = await created(id)
    await fixtures.deleteOrganization(id)
    want(await list(id), 404)
    want(await drop(webhookId), 404)
    want(await enable(webhookId), 404)
  })
})
