/** The options of issuers decoded from JSON: all of them can be written, unknown and invalid ones are refused by name. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Oidc } from "../src/index.ts"

const good = { issuer: "https://login.example", audience: "sojourn" }

describe("options from JSON", () => {
  it("an object is one issuer, and an array several", () => {
    assert.deepStrictEqual(Result.getOrThrow(Oidc.fromJson(good)), [good])
    assert.deepStrictEqual(Result.getOrThrow(Oidc.fromJson([good, good])), [good, good])
  })

  it("every option can be written in JSON", () => {
    const all: Oidc.Options = {
      issuer: "https://login.example",
      audience: ["app", "web"],
      jwks: "https://login.example/jwks",
      algorithms: ["ES256"],
      type: "at+jwt",
      kind: { claim: "/realm_access/roles", values: { administrator: ["a", "b"], user: "c" }, default: "user" },
      subject: "oid",
      subjectPrefix: "partner:",
      mail: { claim: ["contact", "mail"], trust: "unless-denied" },
      clockSkew: "30 seconds",
      refreshEvery: 60_000,
      cooldown: "5 seconds",
      keepFor: "12 hours",
      timeout: "2 seconds",
      allowHttp: true
    }
    assert.deepStrictEqual(Result.getOrThrow(Oidc.fromJson(JSON.parse(JSON.stringify(all)))), [all])
    const changes: ReadonlyArray<Partial<Oidc.Options>> = [{ kind: "operator" }, { mail: false }]
    for (const change of changes) {
      assert.deepStrictEqual(Result.getOrThrow(Oidc.fromJson({ ...all, ...change })), [{ ...all, ...change }])
    }
  })

  it("unknown and invalid options are refused by name", () => {
    const wrong: ReadonlyArray<readonly [string, unknown]> = [
      ["issuer", { audience: "sojourn" }],
      ["audience", { issuer: "https://login.example" }],
      ["algorithm", { ...good, algorithm: ["ES256"] }],
      ["algorithms", { ...good, algorithms: ["HS256"] }],
      ["root", { ...good, kind: { values: { root: "a" } } }],
      ["kind", { ...good, kind: "root" }],
      ["clockSkew", { ...good, clockSkew: "soon" }],
      ["jwks", [good, { ...good, jwks: "http://login.example" }]],
      ["mail", { ...good, mail: true }],
      ["", null],
      ["", [[good]]]
    ]
    for (const [name, json] of wrong) {
      const options = Oidc.fromJson(json)
      assert.isTrue(Result.isFailure(options) && options.failure._tag === "InvalidOptions", JSON.stringify(json))
      if (Result.isFailure(options)) assert.include(options.failure.message, name)
    }
  })
})
