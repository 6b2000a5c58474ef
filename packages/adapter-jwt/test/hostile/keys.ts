/** Hostile tokens that are signed by a wrong key, or by none. */
import { createPublicKey } from "node:crypto"
import { encode, goodToken, hmac, issuer, type KeyType, publicJwk, raw } from "../Issuer.ts"
import { type Hostile, type Scene, without } from "./Scene.ts"

type Class = (scene: Scene) => ReadonlyArray<Hostile>

const algNone: Class = ({ header, parts: [, body, signature] }) =>
  ["none", "nOnE", "NONE", "None"].flatMap(
    (alg) =>
      [
        [alg, `${encode({ ...header, alg })}.${body}.`],
        [`${alg}, old signature`, `${encode({ ...header, alg })}.${body}.${signature}`],
        [`${alg}, any signature`, `${encode({ ...header, alg })}.${body}.AAAA`]
      ] as const
  )

const publicKeyAsSecret: Class = ({ victim, header, payload }) => {
  const publicKey = createPublicKey(victim.key)
  const jwk = publicJwk(victim)
  const secrets = {
    "SPKI PEM": publicKey.export({ format: "pem", type: "spki" }) as string,
    "SPKI DER": publicKey.export({ format: "der", type: "spki" }) as Buffer,
    JWK: JSON.stringify(jwk),
    "first member": Buffer.from(String(jwk.x ?? jwk.n), "base64url"),
    "empty secret": ""
  }
  return Object.entries(secrets).flatMap(([name, secret]) =>
    ["HS256", "hs256", "HS384", "HS512"].map(
      (alg) => [`${alg} with the ${name}`, hmac(secret, { ...header, alg }, payload)] as const
    )
  )
}

/** Of the trusted key's own type as well: its kid is right, and the signature is by another key. */
const otherAlgorithms: Class = ({ victim, header, payload }) =>
  (["RS256", "PS256", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"] satisfies ReadonlyArray<KeyType>).map((alg) => {
    const other = issuer(alg, victim.kid, victim.iss, victim.aud)
    return [`${alg} by another key`, raw(other, { ...header, alg }, payload)] as const
  })

const algNames: Class = ({ victim, header, payload }) => [
  ["no alg", raw(victim, without(header, "alg"), payload)],
  ["alg as array", raw(victim, { ...header, alg: [victim.alg] }, payload)],
  ["alg in another case", raw(victim, { ...header, alg: swapCase(victim.alg) }, payload)],
  ...["ES512", "ES256K", "RS1", "A128KW", "__proto__", "constructor", "", "EdDSA\u0000"].map(
    (alg) => [`alg ${JSON.stringify(alg)}`, raw(victim, { ...header, alg }, payload)] as const
  )
]

const swapCase = (name: string) => (name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase())

const anotherKey: Class = ({ attacker, now }) => [["wrong key", goodToken(attacker, now)]]

const kidInjection: Class = ({ victim, attacker, header, payload, trap }) =>
  [
    "../../../../dev/null",
    "/etc/passwd",
    "' OR '1'='1",
    "x'; DROP TABLE stay; --",
    `${trap}/jwks`,
    "|curl " + trap,
    "__proto__",
    "constructor",
    "",
    7,
    null,
    [victim.kid],
    { $ne: null },
    `${victim.kid}\u0000`
  ].map((kid) => [`kid ${JSON.stringify(kid)}`, raw(attacker, { ...header, kid }, payload)] as const)

const keysByAddress: Class = ({ attacker, header, payload, trap }) => [
  ["jku", raw(attacker, { ...header, kid: "trap", jku: `${trap}/jwks` }, payload)],
  ["jku under the issuer's kid", raw(attacker, { ...header, jku: `${trap}/jwks` }, payload)],
  ["x5u", raw(attacker, { ...header, x5u: `${trap}/certificate` }, payload)],
  ["iss is the trap", raw(attacker, { ...header, kid: "trap" }, { ...payload, iss: trap })],
  ["_claim_sources", raw(attacker, header, { ...payload, _claim_sources: { a: { endpoint: trap } } })]
]

const embeddedKeys: Class = ({ attacker, header, payload }) => [
  ["jwk", raw(attacker, { ...header, jwk: publicJwk(attacker) }, payload)],
  ["jwk, no kid", raw(attacker, { ...without(header, "kid"), jwk: publicJwk(attacker) }, payload)],
  ["x5c", raw(attacker, { ...header, x5c: ["MIIB"] }, payload)]
]

const octets = (text: string) => Buffer.from(text, "hex").toString("base64url")
const ORDER = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

/** Signatures that careless verifiers took for every message, and others of a wrong make. */
const worthlessSignatures: Class = ({ parts: [head, body, signature] }) => {
  const size = Buffer.from(signature, "base64url").length
  const worthless = {
    "r = s = 0": "00".repeat(64),
    "r = s = n": ORDER + ORDER,
    "r = 0, s = 1": "00".repeat(63) + "01",
    "r = n, s = 1": ORDER + "00".repeat(31) + "01",
    "r = s = 0 in DER": "3006020100020100",
    zeros: "00".repeat(size),
    one: "00".repeat(size - 1) + "01",
    ones: "ff".repeat(size),
    "the neutral point": "01" + "00".repeat(63),
    "too short": "00".repeat(size - 1),
    "too long": "00".repeat(size + 1),
    "one octet": "00"
  }
  return Object.entries(worthless).map(([name, hex]) => [name, `${head}.${body}.${octets(hex)}`] as const)
}

/** What is wrong with the key or the signature. */
export const ofKeys: Readonly<Record<string, Class>> = {
  "alg none": algNone,
  "the public key as a shared secret": publicKeyAsSecret,
  "algorithms of other keys": otherAlgorithms,
  "names of algorithms": algNames,
  "another key": anotherKey,
  "kid injection": kidInjection,
  "keys by address": keysByAddress,
  "embedded keys": embeddedKeys,
  "worthless signatures": worthlessSignatures
}
