/** The tracker in another program. */
import { makeGeofence } from "@sojourn/tracker"
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
