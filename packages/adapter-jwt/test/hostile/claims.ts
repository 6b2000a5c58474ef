/** Hostile tokens by the issuer: their signature is right, and a claim is wrong. */
import { deflateRawSync } from "node:zlib"
import { encode, goodToken, type Json, raw } from "../Issuer.ts"
import { type Hostile, type Scene, without } from "./Scene.ts"

type Class = (scene: Scene) => ReadonlyArray<Hostile>

const tampered: Class = ({ header, payload, parts: [head, body, signature] }) => [
  ["sub", `${head}.${encode({ ...payload, sub: "somebody-else" })}.${signature}`],
  ["kind", `${head}.${encode({ ...payload, sojourn_kind: "administrator" })}.${signature}`],
  ["header", `${encode({ ...header, typ: "at+jwt" })}.${body}.${signature}`]
]

/** Tokens by the issuer, each with one claim changed or, when it is `undefined`, left out. */
const changed =
  (changes: (scene: Scene) => Readonly<Record<string, Json>>): Class =>
  (scene) =>
    Object.entries(changes(scene)).map(([name, change]) => [name, goodToken(scene.victim, scene.now, change)] as const)

const wrongIssuer = changed(({ victim }) => ({
  "another iss": { iss: "https://evil.example" },
  "a slash more": { iss: `${victim.iss}/` },
  "in another case": { iss: victim.iss.toUpperCase() },
  array: { iss: [victim.iss] },
  object: { iss: { toString: victim.iss } },
  null: { iss: null },
  none: { iss: undefined }
}))

const wrongAudience = changed(({ victim }) => ({
  another: { aud: "another-service" },
  "others, without ours": { aud: ["another-service", "a-third"] },
  "begins with ours": { aud: `${victim.aud} another` },
  nested: { aud: [[victim.aud]] },
  object: { aud: { [victim.aud]: true } },
  empty: { aud: [] },
  none: { aud: undefined }
}))

const expired = changed(({ now }) => ({
  "long ago": { exp: now - 61 },
  "at the skew's end": { exp: now - 5 },
  "before the epoch": { exp: -now * 1000 },
  "as text": { exp: String(now + 600) },
  "as array": { exp: [now + 600] },
  null: { exp: null },
  none: { exp: undefined }
}))

const notYet = changed(({ now }) => ({
  nbf: { nbf: now + 61 },
  "nbf after the skew": { nbf: now + 6 },
  "nbf as text": { nbf: "0" },
  iat: { iat: now + 61 },
  "iat after the skew": { iat: now + 6 },
  "iat as text": { iat: "0" }
}))

const wrongSubject = changed(() => ({
  none: { sub: undefined },
  empty: { sub: "" },
  number: { sub: 1 },
  object: { sub: { id: "alice" } },
  array: { sub: ["alice"] },
  "too long": { sub: "x".repeat(257) },
  NUL: { sub: "alice\u0000" },
  "lone surrogate": { sub: "alice\ud800" }
}))

const kindShapes = changed(() =>
  Object.fromEntries(
    [
      undefined,
      null,
      true,
      1,
      "root",
      "Operator",
      "operator ",
      "",
      "__proto__",
      "constructor",
      [],
      ["root"],
      [["operator"]],
      ["operator", 1],
      ["operator", null],
      ["operator", ["operator"]],
      [{ operator: true }],
      { operator: true },
      { 0: "operator", length: 1 },
      { toString: "operator" }
    ].map((sojourn_kind) => [JSON.stringify(sojourn_kind) ?? "none", { sojourn_kind }])
  )
)

const severalKinds = changed(() => ({
  "two kinds": { sojourn_kind: ["user", "operator"] },
  "all kinds": { sojourn_kind: ["user", "administrator", "operator"] }
}))

/** A payload as text, with something put before its members. */
const before = (payload: Json, members: string) => `{${members},${JSON.stringify(payload).slice(1)}`

const prototypes: Class = ({ victim, header, payload }) => {
  const kindless = without(payload, "sojourn_kind")
  return ["__proto__", "constructor", "prototype"].map(
    (name) => [name, raw(victim, header, before(kindless, `"${name}":{"sojourn_kind":"operator"}`))] as const
  )
}

const duplicates: Class = ({ victim, header, payload }) => [
  ["sub", raw(victim, header, before(payload, `"sub":"alice"`))],
  ["sub, escaped", raw(victim, header, before(payload, `"s\\u0075b":"alice"`))],
  ["kind", raw(victim, header, before(payload, `"sojourn_kind":"user"`))],
  ["exp", raw(victim, header, before(payload, `"exp":1`))],
  ["inside", raw(victim, header, before(payload, `"a":[{"b":1,"b":2}]`))],
  ["the same twice", raw(victim, header, before(payload, `"iss":${JSON.stringify(payload.iss)}`))],
  ["alg", raw(victim, before(header, `"alg":"none"`), payload)],
  ["kid", raw(victim, before(header, `"kid":"other"`), payload)],
  ["proto", raw(victim, header, before(payload, `"__proto__":1,"__proto__":2`))]
]

const extensions: Class = ({ victim, header, payload, parts: [, , signature] }) => [
  ["crit", raw(victim, { ...header, crit: ["exp"], exp: 1 }, payload)],
  ["crit of an unknown extension", raw(victim, { ...header, crit: ["x"], x: true }, payload)],
  ["empty crit", raw(victim, { ...header, crit: [] }, payload)],
  ["crit null", raw(victim, { ...header, crit: null }, payload)],
  ["crit b64", raw(victim, { ...header, crit: ["b64"], b64: true }, payload)],
  ["b64 without crit", raw(victim, { ...header, b64: false }, payload)],
  ["unencoded", `${encode({ ...header, crit: ["b64"], b64: false })}.${JSON.stringify(payload)}.${signature}`]
]

const compressed: Class = ({ victim, header, payload }) => [
  ["zip", raw(victim, { ...header, zip: "DEF" }, deflateRawSync(JSON.stringify(payload)))],
  ["zip in name only", raw(victim, { ...header, zip: "DEF" }, payload)],
  ["unannounced", raw(victim, header, deflateRawSync(JSON.stringify(payload)))],
  ["a bomb", raw(victim, { ...header, zip: "DEF" }, deflateRawSync(Buffer.alloc(8 * 1024 * 1024)))]
]

const nested: Class = ({ victim, attacker, header, payload, token, now }) => [
  ["a good token inside", raw(victim, { ...header, cty: "JWT" }, token)],
  ["a good token inside another's", raw(attacker, { ...header, cty: "JWT" }, token)],
  ["a forged token inside", raw(victim, { ...header, cty: "JWT" }, goodToken(attacker, now))],
  ["quoted", raw(victim, header, JSON.stringify(token))],
  ["JWE", `${encode({ alg: "dir", enc: "A256GCM", kid: victim.kid })}..AAAA.AAAA.AAAA`],
  ["JWE header on three parts", raw(victim, { ...header, enc: "A256GCM" }, payload)]
]

const notUtf8: Class = ({ victim, header, payload }) => {
  const text = JSON.stringify({ ...payload, sub: "alice@" })
  const octets = (hex: string) => {
    const [start = "", end = ""] = text.split("@")
    return Buffer.concat([Buffer.from(start), Buffer.from(hex, "hex"), Buffer.from(end)])
  }
  return [
    ["overlong quote", raw(victim, header, octets("c0a2"))],
    ["overlong NUL", raw(victim, header, octets("c080"))],
    ["surrogate", raw(victim, header, octets("eda080"))],
    ["above Unicode", raw(victim, header, octets("f4908080"))],
    ["cut", raw(victim, header, octets("e282"))],
    ["Latin-1", raw(victim, header, octets("e9"))],
    ["UTF-16", raw(victim, header, Buffer.from(JSON.stringify(payload), "utf16le"))]
  ]
}

const notAnObject: Class = ({ victim, header, payload }) => [
  ["array", raw(victim, header, [payload])],
  ["text", raw(victim, header, '"alice"')],
  ["null", raw(victim, header, "null")],
  ["no JSON", raw(victim, header, "alice")],
  ["JSON and more", raw(victim, header, `${JSON.stringify(payload)}{}`)],
  ["deep", raw(victim, header, "[".repeat(6000) + "]".repeat(6000))],
  ["deep inside", raw(victim, header, before(payload, `"a":${'{"a":'.repeat(1500)}1${"}".repeat(1500)},"a":1`))],
  ["endless exp", raw(victim, header, JSON.stringify(payload).replace(/"exp":\d+/, '"exp":1e999'))]
]

/** What is wrong with what the token says. */
export const ofClaims: Readonly<Record<string, Class>> = {
  "tampered parts": tampered,
  "wrong iss": wrongIssuer,
  "wrong aud": wrongAudience,
  "no valid exp": expired,
  "not valid yet": notYet,
  "wrong sub": wrongSubject,
  "shapes of the kind": kindShapes,
  "several kinds": severalKinds,
  "prototype members": prototypes,
  "duplicate members": duplicates,
  "critical extensions": extensions,
  "compressed payloads": compressed,
  "nested and encrypted tokens": nested,
  "not UTF-8": notUtf8,
  "no claims": notAnObject
}
