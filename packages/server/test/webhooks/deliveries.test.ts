/** Deliveries of webhooks by a server to real receivers: good, slow, failing and hostile ones. */
import { Result } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { square, want } from "../fixtures.ts"
import { deliveringTo, until } from "./delivering.ts"
import { certificates, type Received, startReceiver, verified } from "./Receiver.ts"

const receiver = await startReceiver()
const ofAnother = await startReceiver(certificates.ofAnother)
const selfSigned = await startReceiver(certificates.selfSigned)
const stopped = await startReceiver()
await stopped.stop()
afterAll(() => Promise.all([receiver.stop(), ofAnother.stop(), selfSigned.stop()]))

const delivering = await deliveringTo(receiver, ofAnother, selfSigned, stopped)
const { owner, organization, place, post, get, remove, enter, leave, hook, rename, target } = delivering

const listed = async (id: number): Promise<any> => want(await get(owner, `/webhook/organization/${id}`), 200).json
const user = () => delivering.sojourn.user(`user-${Math.random()}`)

const versions = (all: ReadonlyArray<Received>) => all.map(({ json }) => json.data.version)

// At the same moment: they wait for retries and for a receiver that does not answer in time.
describe.concurrent("deliveries of webhooks", () => {
  it("are verified by the library of Standard Webhooks, one event for one request, in order", async () => {
    const { id } = await organization()
    await rename(id, "before the webhook")
    const { url, received } = target()
    const { secret, webhookId } = await hook(id, url)
    const other = await hook(id, url)
    const { id: placeId } = await place(id)
    await rename(id, "after it")
    want(await remove(owner, `/place/${placeId}`), 205)

    const mine = await until(() => {
      const all = received().filter((one) => Result.isSuccess(Result.try(() => verified(secret, one))))
      expect(all).toHaveLength(3)
      return all
    })
    expect(mine.map((one) => verified(secret, one).type)).toEqual([
      "place.changed",
      "organization.changed",
      "place.changed"
    ])
    for (const { json, headers } of mine) {
      expect(json.timestamp).toBe(json.data.at)
      expect(json.data).toMatchObject({ type: json.type, organizationId: id })
      expect(headers["content-type"]).toBe("application/json")
      expect(headers.host).toBe(new URL(url).host)
    }
    expect(mine.map(({ json }) => [json.data.placeId, json.data.changed])).toEqual([
      [placeId, "created"],
      [undefined, "updated"],
      [placeId, "deleted"]
    ])
    expect(new Set(mine.map(({ headers }) => headers["webhook-id"])).size).toBe(3)
    expect(() => verified(other.secret, mine[0]!)).toThrow()
    await until(async () => {
      const [first] = await listed(id)
      expect(first).toMatchObject({ webhookId, state: "active", lastDeliveredVersion: mine[2]!.json.data.version })
    })
    expect(versions(mine)).toEqual(versions(mine).toSorted((one: number, two: number) => one - two))
  })

  it("of presence are summed, and count every entrance and exit", async () => {
    const { id } = await organization()
    const where = [
      { kind: "organization" as const, id },
      { kind: "place" as const, id: (await place(id)).id },
      { kind: "place" as const, id: (await place(id, square(1))).id }
    ]
    const { url, received } = target()
    const { secret } = await hook(id, url, ["presence.changed", "place.changed"])
    const counts = new Map(where.map((premises) => [premises, 0]))
    for (let n = 0; n < 30; n++) {
      const premises = where[n % 3]!
      const someone = user()
      const { exitToken } = want(await enter(someone, premises), 201).json
      if (n % 2 === 0) counts.set(premises, counts.get(premises)! + 1)
      else want(await leave(someone, premises, exitToken), 202)
    }
    await place(id, square(2))
    const all = await until(() => {
      const some = received()
      for (const [premises, inside] of counts) {
        const own = some.filter(
          ({ json }) => json.type === "presence.changed" && json.data.placeId === placeOf(premises)
        )
        const sum = (field: "entered" | "left") => own.reduce((total, { json }) => total + json.data[field], 0)
        expect(sum("entered")).toBe(10)
        expect(sum("entered") - sum("left")).toBe(inside)
        expect(own.at(-1)!.json.data.inside).toBe(inside)
      }
      expect(some.filter(({ json }) => json.type === "place.changed")).toHaveLength(1)
      return some
    })
    expect(versions(all)).toEqual(versions(all).toSorted((one: number, two: number) => one - two))
    const reached = new Map<number | undefined, number>()
    for (const one of all) {
      verified(secret, one)
      const { fromVersion, version, placeId, type } = one.json.data
      if (type !== "presence.changed") continue
      expect(fromVersion).toBeLessThanOrEqual(version)
      expect(fromVersion).toBeGreaterThan(reached.get(placeId) ?? 0)
      reached.set(placeId, version)
    }
  })

  it("are retried with the same id and body, and continue after the failed event", async () => {
    const { id } = await organization()
    const { url, path, received } = target()
    const { secret } = await hook(id, url)
    receiver.answer(path, (response, attempt) => response.writeHead(attempt === 1 ? 503 : 200).end())
    await rename(id, "one")
    await place(id)
    await until(async () => expect((await listed(id))[0]).toMatchObject({ state: "failing" }))
    const [failing] = await listed(id)
    expect(failing.lastFailure.reason).toBe("the receiver answered 503")
    expect(failing).not.toHaveProperty("lastDeliveredVersion")
    const [first, again, next] = await until(() => {
      expect(received()).toHaveLength(3)
      return received()
    })
    expect(again!.text).toBe(first!.text)
    expect(again!.headers["webhook-id"]).toBe(first!.headers["webhook-id"])
    expect(next!.json.data.version).toBe(first!.json.data.version + 1)
    for (const one of [first!, again!, next!]) verified(secret, one)
    await until(async () => expect((await listed(id))[0].state).toBe("active"))
  })

  it("that fail in any way delay no other deliveries, and record the reason", async () => {
    const { id } = await organization()
    const failing: Record<string, { readonly url: string; readonly reason: RegExp }> = {}
    const at = (name: string, reason: RegExp, to = receiver) => {
      const { url, path } = target(to)
      failing[name] = { url, reason }
      return path
    }
    receiver.answer(at("answers after 20 s", /within 15 seconds/), (response) =>
      setTimeout(() => response.writeHead(200).end(), 20_000).unref()
    )
    receiver.answer(at("resets", /closed the connection/), (response) => response.socket?.destroy())
    receiver.answer(at("redirects", /answered 302/), (response) =>
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end()
    )
    receiver.answer(at("redirects for good", /answered 308/), (response) =>
      response.writeHead(308, { location: receiver.origin }).end()
    )
    receiver.answer(at("answers 500 and 10 MB", /answered 500/), (response) =>
      response.writeHead(500).end(Buffer.alloc(10 * 1024 * 1024))
    )
    receiver.answer(at("sends endless headers", /HPE_HEADER_OVERFLOW/), (response) =>
      response.socket?.write(`HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(1000)}\r\n`.repeat(100)}`)
    )
    receiver.answer(at("speaks no HTTP", /HPE_/), (response) => response.socket?.end("220 smtp ready\r\n\r\n"))
    at("has a certificate for another name", /for another name/, ofAnother)
    at("has a self-signed certificate", /self-signed|not trusted|not known/, selfSigned)
    at("is not there", /nothing listens/, stopped)

    for (const { url } of Object.values(failing)) await hook(id, url)
    const { id: elsewhere } = await organization()
    const good = target()
    await hook(elsewhere, good.url)
    await rename(id, "for all of them")
    await rename(elsewhere, "delivered at once")
    await until(() => expect(good.received()).toHaveLength(1))
    // The slow one is waited for.
    expect((await listed(id))[0].state).toBe("active")

    const states = await until(async () => {
      const all = await listed(id)
      expect(all.map((one: { state: string }) => one.state)).toEqual(Object.keys(failing).map(() => "failing"))
      return all
    })
    for (const [name, { url, reason }] of Object.entries(failing)) {
      expect(states.find((one: { url: string }) => one.url === url).lastFailure.reason, name).toMatch(reason)
    }
  })

  it("succeed with a 2xx whose body has 10 MB, or does not end", async () => {
    const { id } = await organization()
    const [large, endless] = [target(), target()]
    receiver.answer(large.path, (response) => response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024)))
    receiver.answer(endless.path, (response) => response.writeHead(202).write("and so on"))
    for (const { url } of [large, endless]) await hook(id, url)
    await rename(id, "one")
    await place(id)
    for (const { received } of [large, endless]) await until(() => expect(received()).toHaveLength(2))
  })

  it("stop after 410, and resume with undelivered events when an owner enables the webhook", async () => {
    const { id } = await organization()
    const { url, path, received } = target()
    const { webhookId } = await hook(id, url)
    receiver.answer(path, (response) => response.writeHead(410).end())
    await rename(id, "one")
    await until(async () => expect((await listed(id))[0]).toMatchObject({ state: "disabled" }))
    await rename(id, "two")
    receiver.answer(path, (response) => response.writeHead(204).end())
    const enabled = want(await post(owner, `/webhook/${webhookId}/enable`, undefined), 200).json
    expect(enabled).toMatchObject({ webhookId, state: "active" })
    const all = await until(() => {
      expect(received()).toHaveLength(3)
      return received()
    })
    expect(all[1]!.text).toBe(all[0]!.text)
    expect(all[2]!.json.data.version).toBe(all[0]!.json.data.version + 1)
  })

  it("wait for the Retry-After of the receiver, and pending events of the same content become one delivery", async () => {
    const { id } = await organization()
    const { url, path, received } = target()
    const { secret, webhookId } = await hook(id, url)
    receiver.answer(path, (response, attempt) =>
      response.writeHead(attempt === 1 ? 429 : 204, { "retry-after": "7" }).end()
    )
    await rename(id, "one")
    await until(async () => expect((await listed(id))[0]).toMatchObject({ state: "failing" }))
    await rename(id, "two")
    const { id: placeId } = await place(id)
    await rename(id, "three")
    const [first, again, created, last] = await until(() => {
      expect(received()).toHaveLength(4)
      return received()
    })
    // The one that was sent stays what it was.
    expect(again!.text).toBe(first!.text)
    expect(created!.json.data).toMatchObject({ type: "place.changed", placeId, changed: "created" })
    const { version } = first!.json.data
    expect(last!.json.data).toMatchObject({
      type: "organization.changed",
      version: version + 3,
      fromVersion: version + 1
    })
    for (const one of [first!, again!, created!, last!]) verified(secret, one)
    const waited = Number(again!.headers["webhook-timestamp"]) - Number(first!.headers["webhook-timestamp"])
    expect(waited).toBeGreaterThanOrEqual(6)
    const attempts = await until(async () => {
      const { json } = want(await get(owner, `/webhook/${webhookId}/attempts`), 200)
      expect(json).toHaveLength(4)
      return json
    })
    const of = (version: number) => ({ version, at: expect.any(String), status: 204, ms: expect.any(Number) })
    expect(attempts).toEqual([
      of(version + 3),
      of(version + 2),
      of(version),
      { ...of(version), status: 429, failure: "the receiver answered 429" }
    ])
  })
})

describe("deliveries that succeeded and failed", () => {
  it("are counted, and the age of the oldest pending delivery is a metric", async () => {
    const { text } = want(await get(undefined, "/metrics"), 200)
    expect(text).toMatch(/^sojourn_webhook_deliveries_total\{outcome="delivered"\} [1-9]/m)
    expect(text).toMatch(/^sojourn_webhook_deliveries_total\{outcome="failed"\} [1-9]/m)
    // Those of the receivers that fail.
    expect(text).toMatch(/^sojourn_webhook_oldest_undelivered_seconds [1-9]/m)
  })
})

const placeOf = ({ kind, id }: { readonly kind: string; readonly id: number }) => (kind === "place" ? id : undefined)
