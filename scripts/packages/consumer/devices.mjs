/** The client and the tracker in a program of Node's oldest line, without a compiler. */
import { makeClient, outcome } from "@sojourn/client"
import { createTracker } from "@sojourn/tracker"
import assert from "node:assert/strict"
import { createServer } from "node:http"

/** Answers as a Sojourn server would. */
const server = createServer((request, response) => {
  const isEntrance = request.method === "POST"
  response.writeHead(isEntrance ? 201 : 404, { "content-type": "application/json" })
  response.end(isEntrance ? JSON.stringify({ exitToken: "a-token" }) : "")
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const url = `http://127.0.0.1:${server.address().port}`

const sojourn = makeClient({ baseUrl: url, token: async () => "a token" })
const { exitToken } = await sojourn.movement.trackOrganization({
  body: { movementType: "entrance", organizationId: 1 }
})
assert.equal(exitToken, "a-token")
assert.equal((await outcome(sojourn.organization.get({ organizationId: 2 }))).refusal.status, 404)

const items = new Map()
const storage = {
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => void items.set(key, value),
  removeItem: (key) => void items.delete(key)
}
const tracker = await createTracker({ url, token: async () => "a token", storage })
await tracker.enter({ placeId: 7 })
await tracker.flush()
assert.equal(tracker.status().waiting, 0)
await tracker.forget()
server.close()
server.closeAllConnections()
