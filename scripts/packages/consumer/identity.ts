/** Who is calling, an organization's own directory, and checked addresses: packages that are of use without a server. */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { DirectoryProbe } from "@sojourn/adapter-ldap"
import { Authenticator, parseAuthenticationServerUrl, User, UserId } from "@sojourn/core"
import { makeSystemResolver, reachableAddresses } from "@sojourn/outbound"
import { Effect, Result } from "effect"
import assert from "node:assert/strict"

const alice = User(UserId.make("alice"))

const known = Effect.gen(function* () {
  const key = yield* OwnIssuer.decode(yield* OwnIssuer.generate)
  const token = yield* OwnIssuer.mint(key, alice, { expiresIn: 60 })
  const authenticate = Authenticator.use((authenticator) => authenticator.authenticate(token))
  return yield* Effect.provide(authenticate, OwnIssuer.layer(key))
})
assert.deepEqual(await Effect.runPromise(known), alice)

const url = Result.getOrThrow(parseAuthenticationServerUrl("ldaps://127.0.0.1/dc=example,dc=org?uid"))
const report = await Effect.runPromise(DirectoryProbe.probe(url))
assert.equal(report.isAllowed, false)

const local = reachableAddresses({ host: "localhost" }, { allow: [] }, makeSystemResolver())
assert.match((await Effect.runPromise(Effect.flip(local))).reason, /loopback/)
