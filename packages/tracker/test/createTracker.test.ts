/** The tracker against the reference server in memory, one behaviour at a time; `deliveries.test.ts` covers failures. */
import { OrgAuthServerId } from "@sojourn/core"
import * as Redacted from "effect/Redacted"
import { assert, describe, it } from "vitest"
import { createTrackerOn } from "../src/createTracker.ts"
import { platform } from "../src/platform.ts"
import { createTracker, type TrackerConfig, type TrackerStatus } from "../src/index.ts"
import { DIRECTORY } from "../../adapter-http/test/composed.ts"
import { at, memoryStorage, startServer } from "./server.ts"

const PASSWORD = "correct horse"
const ada = { name: "Ada", surname: "Lovelace", password: Redacted.make(PASSWORD) }
const people = new Map([[OrgAuthServerId.make("ada"), ada]])
const server = await startServer({ directories: new Map([[DIRECTORY, people]]) })
const { organizationId, west, east } = await server.found()

let users = 0
const newUser = () => `user:phone${++users}`

/** A tracker on the server, with its storage and the requests that it made. */
const make = async (options: Partial<TrackerConfig> = {}) => {
  const storage = memoryStorage()
  const requests: Array<string> = []
  const user = newUser()
  const config: TrackerConfig = {
    url: "http://sojourn.test",
    token: async () => user,
    storage,
    ...options,
    fetch: (url, request) => {
      requests.push(`${request.method} ${url.slice(19)} ${request.body ?? ""}`)
      return (options.fetch ?? server.fetch)(url, request)
    }
  }
  return { tracker: await createTracker(config), storage, requests, config }
}

const counter = async (placeId: number) =>
  (await server.call("administrator:owner", "GET", `/presence/place/${placeId}/counter`)).counter as number

describe("createTracker", () => {
  it("sends entrances and exits by hand, and lists their accesses", async () => {
    const { tracker } = await make()
    await tracker.enter({ placeId: west })
    assert.strictEqual(tracker.status().waiting, 1)
    await tracker.flush()
    assert.deepInclude(tracker.status(), { waiting: 0, refused: [], stale: false })
    assert.strictEqual(await counter(west), 1)
    await tracker.enter({ placeId: west })
    await tracker.leave({ placeId: west })
    assert.deepStrictEqual(tracker.status().inside, [])
    await tracker.flush()
    assert.strictEqual(await counter(west), 0)
    const accesses = await tracker.accesses({ placeId: west })
    assert.strictEqual(accesses.length, 1)
    assert.strictEqual(accesses[0]?.placeId, west)
    assert.deepStrictEqual(await tracker.accesses({ placeId: east }), [])
  })

  it("tracks by positions, and calls its listeners", async () => {
    let now = Date.now() - 3_600_000
    const { tracker } = await make({ now: () => now })
    const seen: Array<TrackerStatus> = []
    const stop = tracker.subscribe((status) => seen.push(status))
    await tracker.follow([organizationId])
    const stay = (x: number, y: number, minutes: number) => {
      for (let i = 0; i < minutes * 6; i++) tracker.push(at(x, y, (now += 10_000)))
    }
    stay(-30, 50, 3)
    stay(30, 50, 10)
    assert.deepStrictEqual(
      tracker.status().inside.map(({ organizationId, placeId }) => ({ organizationId, placeId })),
      [
        { organizationId, placeId: undefined },
        { organizationId: undefined, placeId: west }
      ]
    )
    now = Date.now()
    await tracker.flush()
    assert.strictEqual(await counter(west), 1)
    stop()
    const { length } = seen
    assert.isAbove(length, 1)
    stay(-30, 50, 5)
    await tracker.flush()
    assert.strictEqual(await counter(west), 0)
    assert.strictEqual((await tracker.accesses({ organizationId })).length, 1)
    assert.strictEqual(seen.length, length)
  })

  it("tells of no position but to the geofence", async () => {
    const { tracker, requests, storage } = await make()
    await tracker.follow([(await server.found()).organizationId])
    for (let i = 0; i < 12; i++) tracker.push(at(30, 50, Date.now() - 120_000 + i * 10_000))
    await tracker.flush()
    const place = String(at(30, 50, 0).coords.latitude).slice(0, 7)
    assert.isAbove(requests.filter((one) => one.startsWith("POST")).length, 1)
    assert.deepStrictEqual(
      requests.filter((one) => one.includes(place)),
      []
    )
    assert.isAbove(storage.items.size, 0)
  })

  it("settles a refusal for good with its reason, and drops what depends on it", async () => {
    const { tracker, requests } = await make()
    await tracker.enter({ placeId: 987_654 })
    await tracker.leave({ placeId: 987_654 })
    assert.strictEqual(tracker.status().waiting, 2)
    await tracker.flush()
    const { waiting, refused, inside } = tracker.status()
    assert.deepStrictEqual([waiting, inside], [0, []])
    assert.strictEqual(refused.length, 1)
    assert.deepInclude(refused[0], { movement: "entrance", placeId: 987_654, status: 400 })
    assert.match(refused[0]!.reason, /place/)
    assert.strictEqual(requests.filter((one) => one.startsWith("POST")).length, 1)
  })

  it("takes no page of a network for an answer", async () => {
    let isSigningIn = true
    const { tracker } = await make({
      fetch: async (url, request) =>
        isSigningIn
          ? new Response("<html>Welcome</html>", { headers: { "content-type": "text/html" } })
          : server.fetch(url, request)
    })
    await tracker.enter({ placeId: west })
    await tracker.flush()
    assert.strictEqual(tracker.status().waiting, 1)
    isSigningIn = false
    await tracker.flush()
    isSigningIn = true
    await tracker.leave({ placeId: west })
    await tracker.flush()
    assert.strictEqual(tracker.status().waiting, 1)
    isSigningIn = false
    await tracker.flush()
    assert.strictEqual(await counter(west), 0)
    isSigningIn = true
    const failure = await tracker.accesses({ placeId: west }).catch((error) => error)
    assert.match(failure.message, /none of the server's/)
  })

  it("asks for a new token once when the server refuses the one before", async () => {
    const user = newUser()
    const tokens: Array<string> = []
    const { tracker } = await make({
      token: async () => {
        tokens.push(tokens.length === 0 ? "expired" : user)
        return tokens.at(-1)!
      }
    })
    await tracker.enter({ placeId: west })
    await tracker.flush()
    assert.strictEqual(tracker.status().waiting, 0)
    assert.deepStrictEqual(tokens, ["expired", user])
    await tracker.leave({ placeId: west })
    await tracker.flush()
    assert.strictEqual(tokens.length, 2)
  })

  it("does not wait for ever for a token", async () => {
    const { config } = await make({ token: () => new Promise<string>(() => {}) })
    const hasty = {
      ...platform,
      setTimeout: (run: () => void, ms: number) => platform.setTimeout(run, Math.min(ms, 50))
    }
    const tracker = await createTrackerOn(hasty, config)
    await tracker.enter({ placeId: west })
    await tracker.flush()
    assert.match(tracker.status().lastError!, /token/)
    await tracker.forget()
  })

  it("waits as long as the server asks for, and says why", async () => {
    let now = Date.now()
    let isBusy = true
    const { tracker, requests } = await make({
      now: () => now,
      fetch: async (url, request) =>
        isBusy && request.method === "POST"
          ? new Response(null, { status: 429, headers: { "retry-after": "30" } })
          : server.fetch(url, request, now)
    })
    await tracker.enter({ placeId: west })
    await tracker.flush()
    const { length } = requests
    assert.match(tracker.status().lastError!, /429/)
    isBusy = false
    now += 29_000
    await tracker.flush()
    assert.deepStrictEqual([tracker.status().waiting, requests.length], [1, length])
    now += 2_000
    await tracker.flush()
    assert.deepStrictEqual([tracker.status().waiting, tracker.status().lastError], [0, undefined])
    await tracker.leave({ placeId: west })
    await tracker.flush()
  })

  it("waits until a date, also where the answer has none of its own", async () => {
    let now = Date.now()
    let isBusy = true
    const retryAt = new Date(now + 30_000).toUTCString()
    const { tracker } = await make({
      now: () => now,
      fetch: async (url, request) =>
        isBusy && request.method === "POST"
          ? new Response(null, { status: 429, headers: { "retry-after": retryAt } })
          : server.fetch(url, request, now)
    })
    await tracker.enter({ placeId: west })
    await tracker.flush()
    isBusy = false
    now += 20_000
    await tracker.flush()
    assert.strictEqual(tracker.status().waiting, 1)
    now += 12_000
    await tracker.flush()
    assert.strictEqual(tracker.status().waiting, 0)
    await tracker.leave({ placeId: west })
    await tracker.flush()
  })

  it("sends no time to come, of a clock that was set back before it could be sent", async () => {
    let ahead = 86_400_000
    let isOffline = true
    const { tracker } = await make({
      now: () => Date.now() + ahead,
      fetch: (url, request) =>
        isOffline ? Promise.reject(new TypeError("offline")) : server.fetch(url, request, Date.now())
    })
    await tracker.enter({ placeId: east })
    await tracker.leave({ placeId: east })
    ahead = 0
    isOffline = false
    await tracker.flush()
    assert.deepStrictEqual([tracker.status().waiting, tracker.status().refused], [0, []])
    assert.strictEqual((await tracker.accesses({ placeId: east })).length, 1)
  })

  it("says why, when nothing but positions that cannot be used came for 5 minutes", async () => {
    let now = Date.now()
    const { tracker } = await make({ now: () => now })
    const push = (minutes: number, more: object) => {
      now += minutes * 60_000
      tracker.push({ ...at(30, 50, now), ...more })
    }
    await tracker.follow([organizationId])
    const thrower = {
      get coords(): never {
        throw new Error("gone")
      }
    }
    push(0, { coords: { latitude: 45, longitude: 11, accuracy: NaN } })
    now += 120_000
    assert.doesNotThrow(() => tracker.push(thrower as never))
    tracker.push(undefined as never)
    push(2, { timestamp: Date.UTC(1995, 0, 1) })
    assert.isUndefined(tracker.status().lastError)
    push(2, { level: 0.5 })
    assert.match(
      tracker.status().lastError!,
      /5 minutes.*accuracy \(1\), coordinates \(2\), timestamp \(1\), level \(1\)/
    )
    push(1, { level: null, moving: null })
    assert.isUndefined(tracker.status().lastError)
    assert.lengthOf(tracker.status().inside, 2)
  })

  it("takes no position whose time is in seconds, and says so", async () => {
    const { tracker, requests } = await make()
    await tracker.follow([organizationId])
    for (let i = 0; i < 5; i++) tracker.push(at(30, 50, Date.now() / 1000 + i * 10))
    assert.match(tracker.status().lastError!, /milliseconds/)
    await tracker.flush()
    assert.notInclude(requests.join(), "movement")
    assert.deepStrictEqual(tracker.status().inside, [])
  })

  it.each([120, -120, 10])("puts times right on a device whose clock is off by %i minutes", async (minutes) => {
    const { tracker } = await make({ now: () => Date.now() + minutes * 60_000 })
    const before = Date.now()
    await tracker.enter({ placeId: east })
    await tracker.flush()
    await tracker.leave({ placeId: east })
    await tracker.flush()
    const [access, ...others] = await tracker.accesses({ placeId: east })
    assert.strictEqual(others.length, 0)
    for (const time of [access!.entranceTimestamp, access!.exitTimestamp]) {
      assert.isBelow(Math.abs(Date.parse(time) - before), 5_000)
    }
  })

  it("goes on where a process before has ended", async () => {
    const { tracker, config } = await make({ fetch: () => Promise.reject(new TypeError("offline")) })
    await tracker.enter({ placeId: west })
    await tracker.flush()
    assert.strictEqual(tracker.status().waiting, 1)
    const next = await createTracker({ ...config, fetch: server.fetch })
    assert.deepStrictEqual(
      next.status().inside.map(({ placeId }) => placeId),
      [west]
    )
    await next.flush()
    assert.strictEqual(await counter(west), 1)
    await next.leave({ placeId: west })
    await next.flush()
    assert.strictEqual(await counter(west), 0)
  })

  it("is one visit in two tabs", async () => {
    const { tracker, config } = await make()
    const other = await createTracker(config)
    await tracker.follow([organizationId])
    await other.follow([organizationId])
    const begun = Date.now() - 600_000
    for (let i = 0; i < 30; i++) {
      for (const tab of [tracker, other]) tab.push(at(30, 50, begun + i * 10_000))
    }
    await Promise.all([tracker.flush(), other.flush()])
    assert.strictEqual(await counter(west), 1)
    for (let i = 30; i < 60; i++) other.push(at(-50, 50, begun + i * 10_000))
    await Promise.all([tracker.flush(), other.flush()])
    assert.strictEqual(await counter(west), 0)
    assert.strictEqual((await tracker.accesses({ placeId: west })).length, 1)
  })

  it("leaves by hand in one tab what was entered in another", async () => {
    const { tracker, config } = await make()
    const other = await createTracker(config)
    await tracker.enter({ placeId: east })
    await tracker.flush()
    await other.leave({ placeId: east })
    await other.flush()
    assert.strictEqual(await counter(east), 0)
    await tracker.enter({ placeId: east })
    await other.enter({ placeId: east })
    await Promise.all([tracker.flush(), other.flush()])
    assert.strictEqual(await counter(east), 1)
    await tracker.leave({ placeId: east })
    await tracker.flush()
    assert.strictEqual((await other.accesses({ placeId: east })).length, 2)
  })

  it("leaves what is no longer followed, and what is gone", async () => {
    const own = await server.found()
    const { tracker } = await make()
    await tracker.follow([own.organizationId])
    for (let i = 0; i < 12; i++) tracker.push(at(30, 50, Date.now() - 120_000 + i * 10_000))
    await tracker.flush()
    assert.strictEqual(tracker.status().inside.length, 2)
    await server.call("administrator:owner", "DELETE", `/place/${own.west}`)
    await tracker.follow([own.organizationId])
    assert.strictEqual(tracker.status().inside.length, 1)
    await tracker.follow([])
    assert.deepStrictEqual(tracker.status().inside, [])
    await tracker.flush()
    assert.strictEqual((await tracker.accesses({ organizationId: own.organizationId })).length, 1)
  })

  it("says that an organization is unknown", async () => {
    const { tracker } = await make()
    await tracker.follow([organizationId, 987_654])
    assert.match(tracker.status().lastError!, /organization/i)
  })

  it("enters an authenticated organization once the user is linked", async () => {
    const own = await server.found({ trackingMode: "authenticated", authenticationServerURL: DIRECTORY })
    const { tracker } = await make()
    await tracker.follow([own.organizationId])
    for (let i = 0; i < 12; i++) tracker.push(at(30, 50, Date.now() - 120_000 + i * 10_000))
    await tracker.flush()
    assert.deepStrictEqual(
      tracker.status().refused.map(({ status }) => status),
      [403, 403]
    )
    const wrong = await tracker.link(own.organizationId, { username: "ada", password: "wrong" }).catch((error) => error)
    assert.strictEqual(wrong.status, 403)
    const linked = await tracker.link(own.organizationId, { username: "ada", password: PASSWORD })
    assert.deepStrictEqual(linked, { organizationId: own.organizationId, orgAuthServerId: "ada" })
    await tracker.flush()
    assert.strictEqual(await counter(own.west), 1)
    await tracker.follow([])
    await tracker.flush()
    const accesses = await tracker.accesses({ organizationId: own.organizationId })
    assert.deepStrictEqual(
      accesses.map(({ orgAuthServerId }) => orgAuthServerId),
      ["ada"]
    )
  })

  it("keeps tokens for 90 days", async () => {
    let now = Date.now()
    const { tracker, config } = await make({ now: () => now, fetch: (url, request) => server.fetch(url, request, now) })
    for (let i = 0; i < 25; i++) {
      await tracker.enter({ placeId: east })
      await tracker.leave({ placeId: east })
      await tracker.flush()
    }
    assert.strictEqual((await tracker.accesses({ placeId: east })).length, 25)
    now += 89 * 86_400_000
    const later = await createTracker(config)
    assert.strictEqual((await later.accesses({ placeId: east })).length, 25)
    now += 2 * 86_400_000
    assert.strictEqual((await later.accesses({ placeId: east })).length, 0)
  })

  it("forgets everything on the device", async () => {
    const { tracker, storage, config } = await make()
    await tracker.follow([organizationId])
    await tracker.enter({ placeId: east })
    await tracker.flush()
    assert.isAbove(storage.items.size, 2)
    await tracker.forget()
    assert.strictEqual(storage.items.size, 0)
    assert.deepStrictEqual(tracker.status(), { inside: [], waiting: 0, refused: [], stale: false })
    for (let i = 0; i < 12; i++) tracker.push(at(30, 50, Date.now() - 120_000 + i * 10_000))
    await tracker.flush()
    assert.strictEqual(storage.items.size, 0)
    assert.deepStrictEqual((await createTracker(config)).status().inside, [])
  })

  it("forgets in every tab", async () => {
    const { tracker, storage, config } = await make()
    const other = await createTracker(config)
    await tracker.follow([organizationId])
    await other.follow([organizationId])
    await tracker.forget()
    await other.flush()
    for (let i = 0; i < 12; i++) other.push(at(30, 50, Date.now() - 120_000 + i * 10_000))
    await other.flush()
    assert.deepStrictEqual([storage.items.size, other.status().inside], [0, []])
  })

  it("says that a movement by hand cannot be stored, and sends none that is not", async () => {
    const storage = memoryStorage()
    let isFull = true
    const { tracker, requests } = await make({
      storage: {
        getItem: (key) => storage.getItem(key),
        removeItem: (key) => storage.removeItem(key),
        setItem: (key, value) => {
          if (isFull) throw new Error("QuotaExceededError")
          storage.setItem(key, value)
        }
      }
    })
    const failure = await tracker.enter({ placeId: east }).catch((error) => error)
    assert.match(failure.message, /Quota/)
    await tracker.flush()
    assert.deepStrictEqual([requests, tracker.status().inside, tracker.status().waiting], [[], [], 0])
    await tracker.follow([organizationId]).catch(() => {})
    isFull = false
    await tracker.follow([organizationId])
    isFull = true
    for (let i = 0; i < 12; i++) tracker.push(at(30, 50, Date.now() - 120_000 + i * 10_000))
    await tracker.flush()
    assert.isAbove(tracker.status().waiting, 0)
    assert.deepStrictEqual(
      requests.filter((one) => one.startsWith("POST")),
      []
    )
    isFull = false
    await tracker.flush()
    assert.strictEqual(tracker.status().waiting, 0)
  })

  it("never throws for a position, and refuses premises and organizations that are none", async () => {
    const { tracker } = await make()
    const unreadable = {
      get timestamp(): number {
        throw new Error("no position")
      }
    }
    const garbage = [undefined, null, {}, { coords: null }, { coords: {}, timestamp: Number.NaN }, "here", unreadable]
    for (const one of garbage) tracker.push(one as never)
    await tracker.follow([organizationId])
    for (const one of garbage) tracker.push(one as never)
    for (const organizations of [undefined, null, "1", ["1"], [0]]) {
      const error = await tracker.follow(organizations as never).catch((error: unknown) => error)
      assert.instanceOf(error, TypeError)
    }
    for (const premises of [
      {},
      { placeId: 0 },
      { placeId: 1, organizationId: 1 },
      { placeId: "7" },
      { placeId: 1.5 }
    ]) {
      const error = await tracker.enter(premises as never).catch((error) => error)
      assert.instanceOf(error, TypeError)
    }
  })
})
