/** The tracker in a building, against the reference server in memory: outside in, inside out, and from floor to floor. */
import { assert, describe, it } from "vitest"
import { createTracker, type Tracker, type TrackerRequest } from "../src/index.ts"
import { at, memoryStorage, rectangle, startServer } from "./server.ts"

const server = await startServer()
const { organizationId } = await server.found()

const create = async (left: number, right: number, fields: object): Promise<number> =>
  (
    await server.call("administrator:owner", "POST", "/place", {
      organizationId,
      trackingArea: rectangle(left, 0, right, 20),
      ...fields
    })
  ).id

/** The building comes last: its parts are older. */
const [ground, first] = [await create(0, 20, { level: 0 }), await create(0, 20, { level: 1 })]
const room = await create(5, 15, { parentId: first })
const building = await create(0, 20, { level: 2 })
for (const part of [ground, first]) {
  await server.call("administrator:owner", "PUT", "/place", { id: part, parentId: building })
}
await server.call("administrator:owner", "PUT", "/place", { id: building, level: null })

const NAMES = new Map([
  [building, "building"],
  [ground, "ground"],
  [first, "first"],
  [room, "room"]
])

/** A tracker that follows the organization, and the movements that the server got of it. */
const make = async (storage = memoryStorage(), user = `user:${Math.random()}`) => {
  const movements: Array<string> = []
  const fetch = (url: string, request: TrackerRequest) => {
    if (request.method === "POST") {
      const { placeId, exitToken } = JSON.parse(request.body!)
      const name = placeId === undefined ? "organization" : NAMES.get(placeId)
      movements.push(`${exitToken === undefined ? "+" : "-"}${name}`)
    }
    return server.fetch(url, request)
  }
  const tracker = await createTracker({ url: "http://sojourn.test", token: () => user, storage, fetch })
  await tracker.follow([organizationId])
  return { tracker, movements, storage, user }
}

const BEGIN = Date.now() - 3_600_000

/** Pushes positions on a level for some minutes, from a minute on. */
const stay = async (tracker: Tracker, x: number, level: number | undefined, from: number, minutes: number) => {
  for (let i = 0; i < minutes * 6; i++) {
    tracker.push({ ...at(x, 10, BEGIN + from * 60_000 + i * 10_000), ...(level !== undefined && { level }) })
  }
  await tracker.flush()
}

const insideOf = (tracker: Tracker) =>
  tracker.status().inside.map(({ placeId }) => (placeId === undefined ? "organization" : NAMES.get(placeId)))

describe("a tracker in a building", () => {
  it("reports outside in and inside out, on the level of the positions", async () => {
    const { tracker, movements } = await make()
    await stay(tracker, 10, 0, 0, 5)
    assert.deepStrictEqual(movements.splice(0), ["+organization", "+building", "+ground"])
    await stay(tracker, 10, 1, 5, 5)
    assert.deepStrictEqual(movements.splice(0).toSorted(), ["+first", "+room", "-building", "-ground"].toSorted())
    assert.deepStrictEqual(insideOf(tracker), ["organization", "first", "room"])
    await stay(tracker, -100, 1, 10, 5)
    assert.deepStrictEqual(movements, ["-room", "-first", "-organization"])
  })

  it("reports all floors for positions without a level", async () => {
    const { tracker, movements } = await make()
    await stay(tracker, 10, undefined, 0, 5)
    assert.deepStrictEqual(movements.splice(0), ["+organization", "+building", "+ground", "+first", "+room"])
    await stay(tracker, -100, undefined, 5, 5)
    assert.deepStrictEqual(movements, ["-room", "-first", "-ground", "-building", "-organization"])
  })

  it("takes no position of a level that is none", async () => {
    const { tracker, movements } = await make()
    for (const level of [0.5, 301, -101, Number.NaN, "1"]) await stay(tracker, 10, level as number, 0, 1)
    assert.deepStrictEqual(movements, [])
    await stay(tracker, 10, 1, 5, 1)
    assert.deepStrictEqual(movements, ["+organization", "+first", "+room"])
  })

  it("goes on from areas and a geofence that were stored without levels", async () => {
    const { tracker, storage, user } = await make()
    await stay(tracker, 10, undefined, 0, 5)
    const stored = [...storage.items].map(([key, text]) => [key, text.replaceAll(/,"(level|depth)":\d+/g, "")] as const)
    const areas = stored.find(([key]) => key.endsWith(" areas"))![1]
    assert.notMatch(areas, /level|depth/)
    for (const [key, text] of stored) storage.setItem(key, text)
    const restarted = await make(storage, user)
    assert.strictEqual(insideOf(restarted.tracker).length, 5)
    await stay(restarted.tracker, 10, 1, 5, 5)
    assert.deepStrictEqual(insideOf(restarted.tracker), ["organization", "first", "room"])
    assert.deepStrictEqual(restarted.movements, ["-ground", "-building"])
  })
})
