/** The tokens of a comparison: every candidate accepts the same. */
import { createPublicKey } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import { Effect, Redacted } from "effect"

/** How long the tokens are valid, in seconds. */
const LIFETIME = 12 * 3600

/** The owner of the organization. */
export const OWNER = { administratorId: "owner", mail: "owner@example.org" }

/** An issuer with a new key, and tokens for so many users. */
export const makeIssuer = Effect.fnUntraced(function* (users: number) {
  const jwk = yield* OwnIssuer.generate
  const key = yield* OwnIssuer.decode(jwk)
  const mint = (caller: Caller) =>
    Effect.map(OwnIssuer.mint(key, caller, { expiresIn: LIFETIME }), (token) => Redacted.value(token))
  const { kty, crv, x } = key.publicJwk
  return {
    /** In PEM. */
    publicKey: createPublicKey({ key: { kty, crv, x }, format: "jwk" })
      .export({ type: "spki", format: "pem" })
      .toString(),
    /** Writes the key into a data directory of Sojourn's, which it makes. */
    keepIn: (directory: string) => {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      writeFileSync(join(directory, "issuer-key.json"), `${JSON.stringify(Redacted.value(jwk))}\n`, { mode: 0o600 })
    },
    operator: yield* mint(Operator(OperatorId.make("operator"))),
    administrator: yield* mint(Administrator(AdministratorId.make(OWNER.administratorId), Mail.make(OWNER.mail))),
    /** An administrator of nothing. */
    stranger: yield* mint(Administrator(AdministratorId.make("stranger"), Mail.make("stranger@example.org"))),
    users: yield* Effect.forEach(Array.from({ length: users }), (_, nth) => mint(User(UserId.make(`user-${nth}`))))
  }
})

export type Issuer = Effect.Success<ReturnType<typeof makeIssuer>>
