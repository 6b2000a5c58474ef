/** Against a real OpenID provider, which this process starts. SOJOURN_RUNS_FACTOR rotates its keys more often. */
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import { Oidc } from "../src/index.ts"
import { goodToken, issuer, type Issuer, type KeyType } from "./Issuer.ts"
import { until } from "./KeyServer.ts"
import { type OpenIdProvider, openIdProvider, WEB } from "./OpenIdProvider.ts"

const AUDIENCE = "sojourn"
const ROTATIONS = Math.ceil(8 * Number(process.env.SOJOURN_RUNS_FACTOR ?? 1))
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"] as const

const newKey = (kid: string, alg: KeyType = "EdDSA") => issuer(alg, kid, "", AUDIENCE)

const trusting = Effect.fnUntraced(function* (provider: OpenIdProvider, options: Partial<Oidc.Options> = {}) {
  const settings = { issuer: provider.issuer, audience: AUDIENCE, type: "at+jwt", ...options }
  const { authenticate } = yield* Effect.provide(Oidc.make(settings), FetchHttpClient.layer)
  return (token: string) => authenticate(Redacted.make(token))
})

/** A forged token: the provider's own words and the kid of one of its keys, by another key. */
const forged = (provider: OpenIdProvider, { alg, kid }: Issuer) => {
  const by = { ...newKey(kid, alg as KeyType), iss: provider.issuer }
  return goodToken(by, Math.floor(Date.now() / 1000), {}, { typ: "at+jwt" })
}

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
      yield* accepting(tokens.id)
    })
  )

  it.live(
    `${ROTATIONS} rotations under load refuse no good token and accept no forged one`,
    () =>
      Effect.gen(function* () {
        const first = newKey("key-0", "RS256")
        const provider = yield* openIdProvider([first], { alice: { sojourn_kind: "user" } })
        const authenticate = yield* trusting(provider, { refreshEvery: "100 millis", cooldown: "10 millis" })
        const good: Array<string> = [yield* provider.access("alice")]
        const bad: Array<string> = [forged(provider, first)]
        let stale = bad[0] ?? ""
        let [accepted, refused] = [0, 0]
        const load = { isOver: false }
        const wrong: Array<string> = []
        /** Presents tokens of all published keys, forged ones, and one of the last withdrawn key, until the end. */
        const present = Effect.gen(function* () {
          for (let i = 0; !load.isOver; i++) {
            const isGood = i % 4 > 1
            const token = (isGood ? good[i % good.length] : i % 4 === 0 ? bad[0] : stale) ?? ""
            const outcome = yield* Effect.result(authenticate(token))
            if (outcome._tag === "Success") accepted++
            else refused++
            if (outcome._tag === "Success" && !isGood) wrong.push("a worthless token is accepted")
            // Of a key that was withdrawn meanwhile, both answers are right.
            if (outcome._tag === "Failure" && isGood && good.includes(token)) wrong.push(outcome.failure.reason)
            yield* Effect.yieldNow
          }
        })
        const callers = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 20 }, () => present),
            { concurrency: 20 }
          )
        )

        let old = first
        for (let i = 1; i <= ROTATIONS; i++) {
          const next = newKey(`key-${i}`, ALGORITHMS[i % ALGORITHMS.length])
          provider.rotate([next, old])
          const token = yield* provider.access("alice")
          assert.strictEqual((yield* authenticate(token))._tag, "User")
          good.unshift(token)
          bad.unshift(forged(provider, next))
          yield* Effect.sleep("30 millis")
          const withdrawn = good.pop() ?? ""
          provider.rotate([next])
          const before = provider.requests.length
          // A load that began after the withdrawal has ended when the next but one begins.
          yield* until(() => provider.requests.length >= before + 4)
          assert.strictEqual((yield* Effect.flip(authenticate(withdrawn)))._tag, "NotAuthenticated")
          stale = withdrawn
          old = next
        }
        load.isOver = true
        yield* Fiber.join(callers)
        assert.deepStrictEqual(wrong, [])
        assert.isAbove(accepted, ROTATIONS * 20)
        assert.isAbove(refused, ROTATIONS * 10)
      }),
    600_000 + ROTATIONS * 2_000
  )
})
