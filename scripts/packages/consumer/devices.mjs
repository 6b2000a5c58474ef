/** The client and the tracker in a program of Node's oldest line, without a compiler. */
import { makeClient, outcome } from "@sojourn/client"
import { createTracker } from "@sojourn/tracker"
import assert from "node:assert/strict"

/** Answers as a Sojourn server would. */
const fetch = async (_, { method }) =>
  method === "POST"
    ? Response.json({ exitToken: "a-token" }, { status: 201 })
    : new Response(null, { status: 404, headers: { "content-type": "application/json" } })
const url = "https://sojourn.example"

const sojourn = makeClient({ baseUrl: url, token: async () => "a token", fetch })
const body = { movementType: "entrance", organizationId: 1 }
assert.equal((await sojourn.movement.trackOrganization({ body })).exitToken, "a-token")
assert.equal((await outcome(sojourn.organization.get({ organizationId: 2 }))).refusal.status, 404)

const items = new Map()
const storage = {
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => void items.set(key, value),
  removeItem: (key) => void items.delete(key)
}
const tracker = await createTracker({ url, token: async () => "a token", storage, fetch })
await tracker.enter({ placeId: 7 })
await tracker.flush()
assert.equal(tracker.status().waiting, 0)
await tracker.forget()
