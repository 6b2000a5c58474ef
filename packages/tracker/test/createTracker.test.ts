import { assert, describe, it } from "vitest"
import { createTracker, type TrackerConfig, type TrackerStatus } from "../src/index.ts"
import { at, memoryStorage, startServer } from "./server.ts"

const server = await startServer()
const { organizationId, west, east } = await server.found()

let users = 0
const newUser = () => `user:phone${++users}`

/** A tracker on the server, with its storage and the requests that it made. */
const make = async (config: Partial<TrackerConfig> = {}) => {
  const storage = memoryStorage()
  const requests: Array<string> = []
  const user = newUser()
  const given: TrackerConfig = {
    url: "http://sojourn.test",
    token: async () => user,
    storage,
    ...config,
    fetch: (url, request) => {
      requests.push(`${request.method} ${url.slice(19)} ${request.body ?? ""}`)
      return (config.fetch ?? server.fetch)(url, request)
    }
  }
  return { tracker: await createTracker(given), storage, requests, given }
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

  it("tracks by positions, and tells whoever listens", async () => {
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
})
