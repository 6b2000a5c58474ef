/**
 * The service in a program of plain JavaScript: JSON in, JSON out, refusals as values with a status.
 *
 * Run it: `node --conditions=source examples/plain-javascript/main.mjs`
 */
import { createSojourn, exitWithReason, outcome } from "@sojourn/service"
import { generateKeyPairSync, randomBytes } from "node:crypto"
import assert from "node:assert/strict"
import { startDatabase } from "./database.mjs"

const database = await startDatabase()

// A program keeps the two secrets: open stays can be left with the same keys alone.
const sojourn = await createSojourn({
  databaseUrl: database.url,
  tokenKeys: `1:${randomBytes(32).toString("base64url")}`,
  issuerKey: JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }))
}).catch(exitWithReason)

const museum = await sojourn.ensureOrganization({
  name: "Museum",
  trackingArea: '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}',
  trackingMode: "anonymous",
  owner: { administratorId: "ada", mail: "ada@example.org" }
})
const organizationId = museum.id

// Your session says who is calling. A client for a caller costs nothing: make one for each request.
const tim = sojourn.as({ kind: "user", id: "tim" })
const ada = sojourn.as({ kind: "administrator", id: "ada" })

const { exitToken } = await tim.movement.trackOrganization({ body: { movementType: "entrance", organizationId } })
console.log("inside:", JSON.stringify(await ada.presence.organizationCounter({ organizationId })))
await tim.movement.trackOrganization({ body: { movementType: "exit", organizationId, exitToken } })

const eve = sojourn.as({ kind: "administrator", id: "eve" })
const refused = await outcome(eve.presence.organizationCounter({ organizationId }))
assert.equal(refused.ok, false)
console.log("refused:", refused.refusal.status, refused.refusal.detail)

const wrong = await outcome(tim.movement.trackOrganization({ body: { movementType: "Entrance", organizationId } }))
assert.equal(wrong.refusal.status, 400)
console.log("wrong:", wrong.refusal.detail)
assert.throws(() => sojourn.as("tim"), TypeError)

await sojourn.close()
await database.stop()
