/** Claims of common providers, and ID tokens, from a real OpenID provider that this process starts. */
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Oidc } from "../src/index.ts"
import { issuer, type KeyType } from "./Issuer.ts"
import { type OpenIdProvider, openIdProvider, WEB } from "./OpenIdProvider.ts"

const AUDIENCE = "sojourn"

const newKey = (kid: string, alg: KeyType = "EdDSA") => issuer(alg, kid, "", AUDIENCE)

const trusting = Effect.fnUntraced(function* (provider: OpenIdProvider, options: Partial<Oidc.Options> = {}) {
  const settings = { issuer: provider.issuer, audience: AUDIENCE, type: "at+jwt", ...options }
  const { authenticate } = yield* Effect.provide(Oidc.make(settings), FetchHttpClient.layer)
  return (token: string) => authenticate(Redacted.make(token))
})

describe("Oidc with a real OpenID provider", () => {
  const mail = "ada@example.org"
  const claimed = {
    plain: { sojourn_kind: "user" },
    keycloak: {
      email: mail,
      email_verified: true,
      realm_access: { roles: ["offline_access", "uma_authorization", "sojourn-admin"] },
      resource_access: { "sojourn.api": { roles: ["operate"] }, account: { roles: ["manage-account"] } }
    },
    entra: { email: mail, oid: "00000000-0000-0000-0000-000000000001", roles: ["Sojourn.Administrator"], tid: "t" },
    auth0: { "https://example.org/roles": ["admin"], permissions: [] },
    firebase: { role: "operator", firebase: { sign_in_provider: "password" } },
    zitadel: { "urn:zitadel:iam:org:project:roles": { admin: { "2791": "town.example.org" } } },
    nobody: {}
  }
  const ada = (id: string) => Administrator(AdministratorId.make(id), Mail.make(mail))
  const administrators = { administrator: ["sojourn-admin", "Sojourn.Administrator", "admin"] }

  const cases: ReadonlyArray<readonly [string, string, Partial<Oidc.Options>, Caller]> = [
    ["a claim at the top", "plain", {}, User(UserId.make("plain"))],
    [
      "Keycloak's realm roles",
      "keycloak",
      { kind: { claim: "/realm_access/roles", values: administrators } },
      ada("keycloak")
    ],
    [
      "Keycloak's client roles",
      "keycloak",
      { kind: { claim: ["resource_access", "sojourn.api", "roles"], values: { operator: "operate" } } },
      Operator(OperatorId.make("keycloak"))
    ],
    [
      "Entra ID's app roles, its oid and its unverified mail",
      "entra",
      { kind: { claim: "roles", values: administrators }, subject: "oid", mail: { trust: "unless-denied" } },
      ada("00000000-0000-0000-0000-000000000001")
    ],
    [
      "Auth0's names with dots",
      "auth0",
      { kind: { claim: "https://example.org/roles", values: administrators } },
      Administrator(AdministratorId.make("auth0"))
    ],
    [
      "Firebase's custom claims",
      "firebase",
      { kind: { claim: "role", default: "user" } },
      Operator(OperatorId.make("firebase"))
    ],
    [
      "Zitadel's roles, which are keys of an object",
      "zitadel",
      { kind: { claim: "urn:zitadel:iam:org:project:roles", values: administrators } },
      Administrator(AdministratorId.make("zitadel"))
    ],
    ["no claim, and a default", "nobody", { kind: { claim: "role", default: "user" } }, User(UserId.make("nobody"))],
    [
      "no claim, and one kind for all",
      "nobody",
      { kind: "administrator" },
      Administrator(AdministratorId.make("nobody"))
    ]
  ]

  it.live("callers of every kind are recognized in the claims of common providers", () =>
    Effect.gen(function* () {
      const provider = yield* openIdProvider([newKey("1", "RS256")], claimed)
      for (const [name, client, options, caller] of cases) {
        const authenticate = yield* trusting(provider, options)
        assert.deepStrictEqual(yield* authenticate(yield* provider.access(client)), caller, name)
      }
      const authenticate = yield* trusting(provider)
      const error = yield* Effect.flip(authenticate(yield* provider.access("nobody")))
      assert.strictEqual(error.reason, "the token names no known kind of caller")
    })
  )

  it.live("a signed-in person is authenticated by the access token, and not by the ID token", () =>
    Effect.gen(function* () {
      const provider = yield* openIdProvider([newKey("1", "ES256")], { ada: { sojourn_kind: "user" } })
      const tokens = yield* provider.signIn("ada")
      const authenticate = yield* trusting(provider)
      assert.deepStrictEqual(yield* authenticate(tokens.access), User(UserId.make("ada")))
      assert.strictEqual((yield* Effect.flip(authenticate(tokens.id))).reason, "the token is of another type")
      const careless = yield* trusting(provider, { type: undefined, kind: "user" })
      assert.strictEqual((yield* Effect.flip(careless(tokens.id))).reason, "the token is for another audience")
      const accepting = yield* trusting(provider, { type: undefined, kind: "user", audience: WEB })
      assert.match((yield* Effect.flip(accepting(tokens.id))).reason, /is an ID token/)
      assert.deepStrictEqual(yield* careless(tokens.access), User(UserId.make("ada")))
    })
  )
})
