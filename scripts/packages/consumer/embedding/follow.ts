/** Opens a presence stream of the museum at the address that is the argument, says so, and reads it to its end. */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Administrator, AdministratorId } from "@sojourn/core"
import { Effect, Redacted } from "effect"
import assert from "node:assert/strict"

const [address = ""] = process.argv.slice(2)
const key = OwnIssuer.decode(JSON.parse(process.env.ISSUER_KEY ?? ""))
const minted = Effect.flatMap(key, (signing) =>
  OwnIssuer.mint(signing, Administrator(AdministratorId.make("ada")), { expiresIn: 600 })
)
const authorization = `Bearer ${Redacted.value(await Effect.runPromise(minted))}`
const permissions = await fetch(`${address}/administrator/permission/ada`, { headers: { authorization } })
const [{ organizationId } = { organizationId: 0 }] = (await permissions.json()) as Array<{ organizationId: number }>
const stream = await fetch(`${address}/presence/stream?organizations=${organizationId}`, { headers: { authorization } })
assert.equal(stream.status, 200)
console.log("following")
assert.match(await stream.text(), /"reason":"shutdown"/)
