/** Uses a server of the pages, whose address is the argument: its own routes, and the interface below /presence. */
import { makeClient, outcome } from "@sojourn/client"
import assert from "node:assert/strict"

const [address = ""] = process.argv.slice(2)
const headers = { "x-visitor": "tim" }
const ask = (path: string, method = "GET") => fetch(address + path, { method, headers })
const inside = async () => ((await (await ask("/inside")).json()) as { counter: number }).counter

const before = await inside()
const came = await ask("/come-in", "POST")
assert.ok(came.ok)
assert.match(((await came.json()) as { exitToken: string }).exitToken, /^[\w-]{56}$/)
assert.equal(await inside(), before + 1)

const token = await (await ask("/token")).text()
const sojourn = makeClient({ baseUrl: `${address}/presence`, token })
await sojourn.health.ready()
const museum = (await sojourn.organization.list()).find(({ name }) => name === "Museum")
const body = { movementType: "entrance", organizationId: museum!.id } as const
const { exitToken } = await sojourn.movement.trackOrganization({ body })
assert.equal(exitToken.length, 56)
assert.equal(await inside(), before + 2)
// A body of unknown length: frameworks must leave it alone.
const long = {
  method: "POST",
  headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  duplex: "half",
  body: new Blob([JSON.stringify(body), " ".repeat(15000)]).stream()
} as RequestInit
assert.equal((await fetch(`${address}/presence/movement/track/organization`, long)).status, 201)
const refused = await outcome(sojourn.presence.organizationCounter({ organizationId: museum!.id }))
assert.ok(!refused.ok && refused.refusal.status === 403)
