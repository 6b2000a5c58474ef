/**
 * Uses a server of the pages, whose address is the argument: its own routes, and the interface below them. With `root` as a second
 * argument the server has the interface alone, at its root, and callers' tokens are signed with ISSUER_KEY.
 */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { makeClient, outcome } from "@sojourn/client"
import { type Caller, Administrator, AdministratorId, Operator, OperatorId, User, UserId } from "@sojourn/core"
import { Effect, Redacted } from "effect"
import assert from "node:assert/strict"

const [address = "", where] = process.argv.slice(2)

const mint = async (caller: Caller) => {
  const key = OwnIssuer.decode(JSON.parse(process.env.ISSUER_KEY ?? ""))
  const minted = Effect.flatMap(key, (signing) => OwnIssuer.mint(signing, caller, { expiresIn: 600 }))
  return Redacted.value(await Effect.runPromise(minted))
}

/** The interface alone: an organization that the operator creates counts a visitor, for its owner. */
const driveRoot = async () => {
  const as = async (caller: Caller) => makeClient({ baseUrl: address, token: await mint(caller) })
  const operator = await as(Operator(OperatorId.make("operator")))
  const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'
  const owner = { administratorId: "ada", mail: "ada@example.org" }
  const name = `Museum ${process.pid}`
  const { id: organizationId } = await operator.operator.createOrganization({
    body: { name, trackingArea, trackingMode: "anonymous", owner }
  })
  const user = await as(User(UserId.make("tim")))
  await user.movement.trackOrganization({ body: { movementType: "entrance", organizationId } })
  const ada = await as(Administrator(AdministratorId.make("ada")))
  assert.equal((await ada.presence.organizationCounter({ organizationId })).counter, 1)
}

/** The routes of the page's servers, and the interface below /presence. */
const drivePage = async () => {
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
}

await (where === "root" ? driveRoot() : drivePage())
