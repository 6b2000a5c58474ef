/** The tracker in another program. */
import { createTracker, makeGeofence, type Tracker } from "@sojourn/tracker"
import assert from "node:assert/strict"

const ring = [
  [11, 45],
  [11.01, 45],
  [11.01, 45.01],
  [11, 45.01],
  [11, 45]
]
const geofence = makeGeofence([
  { organizationId: 1, trackingArea: JSON.stringify({ type: "Polygon", coordinates: [ring] }) }
])
for (let seconds = 0; seconds <= 60; seconds += 10) {
  geofence.push({
    coords: { latitude: 45.005, longitude: 11.005, accuracy: 5 },
    timestamp: 1_800_000_000_000 + seconds * 1000
  })
}

assert.deepEqual(geofence.inside(), [{ organizationId: 1, since: 1_800_000_000_000 }])

/** It sends what it stored, and asks for nothing of the platform but this. */
const items = new Map<string, string>()
const requests: Array<string> = []
const tracker: Tracker = await createTracker({
  url: "https://sojourn.example",
  token: async () => "a token",
  storage: {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key)
  },
  fetch: async (url, { method }) => {
    requests.push(`${method} ${url}`)
    return new Response(method === "POST" ? '{"exitToken":"a-token"}' : null, { status: method === "POST" ? 201 : 200 })
  }
})
await tracker.enter({ placeId: 7 })
await tracker.flush()
assert.equal(tracker.status().waiting, 0)
assert.ok(requests.includes("POST https://sojourn.example/movement/track/place"))
await tracker.forget()
assert.equal(items.size, 0)

/** Storage and fetch of the platform fit. */
export const ofBrowser = (storage: Storage) =>
  createTracker({ url: "https://sojourn.example", token: async () => "a token", storage, fetch })
