import { createPublicKey } from "node:crypto"
import { encode, goodHeader, goodPayload, goodToken, hmac, issuer, publicJwk, raw, type Issuer } from "./Issuer.ts"

const without = (object: Record<string, unknown>, key: string) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))

/**
 * Tokens that must all be refused, by class. `trap` is an address of the attacker, where the attacker's keys are served.
 * Those "by the issuer" are really signed with the issuer's key: they are what its other tokens could look like.
 */
export const hostileTokens = (victim: Issuer, now: number, trap: string): ReadonlyArray<readonly [string, string]> => {
  const header = goodHeader(victim)
  const payload = goodPayload(victim, now)
  const token = goodToken(victim, now)
  const [head = "", body = "", signature = ""] = token.split(".")
  const attacker: Issuer = { ...issuer(victim.alg as "EdDSA", victim.kid, victim.iss, victim.aud) }
  const attackerJwk = publicJwk(attacker)
  const publicKey = createPublicKey(victim.key)
  const secrets = {
    "SPKI PEM": publicKey.export({ format: "pem", type: "spki" }) as string,
    "SPKI DER": publicKey.export({ format: "der", type: "spki" }) as Buffer,
    JWK: JSON.stringify(publicJwk(victim)),
    "first member": Buffer.from(String(publicJwk(victim).x ?? publicJwk(victim).n), "base64url"),
    "empty secret": ""
  }
  const byIssuer = (change: object) => goodToken(victim, now, change as Record<string, unknown>)
  return [
    ...["none", "nOnE", "NONE", "None"].flatMap(
      (alg) =>
        [
          [`alg ${alg}`, `${encode({ ...header, alg })}.${body}.`],
          [`alg ${alg}, old signature`, `${encode({ ...header, alg })}.${body}.${signature}`],
          [`alg ${alg}, any signature`, `${encode({ ...header, alg })}.${body}.AAAA`]
        ] as const
    ),
    ...Object.entries(secrets).flatMap(([name, secret]) =>
      ["HS256", "hs256", "HS512"].map(
        (alg) => [`${alg} with the ${name}`, hmac(secret, { ...header, alg }, payload)] as const
      )
    ),
    ["wrong key", goodToken(attacker, now)],
    ["no alg", raw(victim, without(header, "alg"), payload)],
    ["alg as array", raw(victim, { ...header, alg: [victim.alg] }, payload)],
    ["another algorithm's name", raw(victim, { ...header, alg: "ES512" }, payload)],
    ["alg __proto__", raw(victim, { ...header, alg: "__proto__" }, payload)],
    ...[
      "../../../../dev/null",
      "/etc/passwd",
      "' OR '1'='1",
      "x'; DROP TABLE stay; --",
      `${trap}/jwks`,
      "__proto__",
      "",
      7,
      [victim.kid],
      { $ne: null },
      `${victim.kid}\u0000`
    ].map((kid) => [`kid ${JSON.stringify(kid)}`, raw(attacker, { ...header, kid }, payload)] as const),
    ["jku", raw(attacker, { ...header, kid: "trap", jku: `${trap}/jwks` }, payload)],
    ["jku under the issuer's kid", raw(attacker, { ...header, jku: `${trap}/jwks` }, payload)],
    ["x5u", raw(attacker, { ...header, x5u: `${trap}/certificate` }, payload)],
    ["embedded jwk", raw(attacker, { ...header, jwk: attackerJwk }, payload)],
    ["embedded jwk, no kid", raw(attacker, { ...without(header, "kid"), jwk: attackerJwk }, payload)],
    ["x5c", raw(attacker, { ...header, x5c: ["MIIB"] }, payload)],
    ["crit by the issuer", raw(victim, { ...header, crit: ["exp"], exp: 1 }, payload)],
    ["crit of an unknown extension by the issuer", raw(victim, { ...header, crit: ["x"], x: true }, payload)],
    ["empty crit by the issuer", raw(victim, { ...header, crit: [] }, payload)],
    ["crit b64 by the issuer", raw(victim, { ...header, crit: ["b64"], b64: true }, payload)],
    [
      "unencoded payload",
      `${encode({ ...header, crit: ["b64"], b64: false })}.${JSON.stringify(payload)}.${signature}`
    ],
    ["tampered sub", `${head}.${encode({ ...payload, sub: "somebody-else" })}.${signature}`],
    ["tampered kind", `${head}.${encode({ ...payload, sojourn_kind: "administrator" })}.${signature}`],
    ["tampered header", `${encode({ ...header, typ: "at+jwt" })}.${body}.${signature}`],
    ["wrong iss", byIssuer({ iss: "https://evil.example" })],
    ["iss with a slash more", byIssuer({ iss: `${victim.iss}/` })],
    ["iss as array", byIssuer({ iss: [victim.iss] })],
    ["no iss", raw(victim, header, without(payload, "iss"))],
    ["wrong aud", byIssuer({ aud: "another-service" })],
    ["aud without ours", byIssuer({ aud: ["another-service", "a-third"] })],
    ["empty aud", byIssuer({ aud: [] })],
    ["no aud", raw(victim, header, without(payload, "aud"))],
    ["no exp", raw(victim, header, without(payload, "exp"))],
    ["exp as text", byIssuer({ exp: String(now + 600) })],
    ["exp null", byIssuer({ exp: null })],
    ["expired", byIssuer({ exp: now - 61 })],
    ["expired at the skew's end", byIssuer({ exp: now - 5 })],
    ["exp in milliseconds before the epoch", byIssuer({ exp: -now * 1000 })],
    ["nbf in the future", byIssuer({ nbf: now + 61 })],
    ["nbf as text", byIssuer({ nbf: "0" })],
    ["no sub", raw(victim, header, without(payload, "sub"))],
    ["empty sub", byIssuer({ sub: "" })],
    ["sub as number", byIssuer({ sub: 1 })],
    ["sub as object", byIssuer({ sub: { id: "alice" } })],
    ["sub too long", byIssuer({ sub: "x".repeat(257) })],
    ["sub with NUL", byIssuer({ sub: "alice\u0000" })],
    ["sub with a lone surrogate", byIssuer({ sub: "alice\ud800" })],
    ["unknown kind", byIssuer({ sojourn_kind: "root" })],
    ["kind in another case", byIssuer({ sojourn_kind: "Operator" })],
    ["kind with a blank", byIssuer({ sojourn_kind: "operator " })],
    ["kind as array", byIssuer({ sojourn_kind: ["operator"] })],
    ["kind null", byIssuer({ sojourn_kind: null })],
    ["no kind", raw(victim, header, without(payload, "sojourn_kind"))],
    [
      "kind in __proto__",
      raw(
        victim,
        header,
        `{"__proto__":{"sojourn_kind":"operator"},${JSON.stringify(without(payload, "sojourn_kind")).slice(1)}`
      )
    ],
    ["payload array", raw(victim, header, [payload])],
    ["payload text", raw(victim, header, '"alice"')],
    ["payload no JSON", raw(victim, header, "alice")],
    ["empty", ""],
    ["one word", "alice"],
    ["no dots", head + body + signature],
    ["one dot", `${head}.${body}`],
    ["only dots", ".."],
    ["no signature", `${head}.${body}.`],
    ["no payload", `${head}..${signature}`],
    ["no header", `.${body}.${signature}`],
    ["four parts", `${token}.${signature}`],
    ["signature twice", `${head}.${body}.${signature}${signature}`],
    ["two tokens", `${token} ${token}`],
    ["two tokens with a comma", `${token},${token}`],
    ["JWE", `${encode({ alg: "dir", enc: "A256GCM", kid: victim.kid })}..AAAA.AAAA.AAAA`],
    ["JWE header on three parts", `${encode({ alg: "RSA-OAEP", enc: "A256GCM" })}.${body}.${signature}`],
    ["JSON serialization", JSON.stringify({ protected: head, payload: body, signature })],
    ["1 MB of payload by the issuer", byIssuer({ padding: "x".repeat(1024 * 1024) })],
    ["1 MB of nothing", "A".repeat(1024 * 1024)],
    ["1 MB of dots", ".".repeat(1024 * 1024)],
    ["just too long, by the issuer", byIssuer({ padding: "x".repeat(13_000) })],
    ["padded signature", `${token}=`],
    ["twice padded signature", `${token}==`],
    ["padded header", `${head}=.${body}.${signature}`],
    ["blank before", ` ${token}`],
    ["blank after", `${token} `],
    ["line break after", `${token}\n`],
    ["blank inside", `${head}. ${body}.${signature}`],
    ["line break in the signature", `${head}.${body}.${signature.slice(0, 9)}\n${signature.slice(9)}`],
    ["base64 in place of base64url", `${head}.${body}.${signature.slice(0, -1)}+`],
    ["Bearer twice", `Bearer ${token}`],
    ["NUL after", `${token}\u0000`],
    ["full-width dots", token.replaceAll(".", "\uff0e")],
    ...spellings(token).map((spelling, i) => [`signature spelled another way (${i})`, spelling] as const)
  ]
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Other spellings of the same signature: the bits of the last character that hold no octet are set. */
const spellings = (token: string): ReadonlyArray<string> => {
  const octets = Buffer.from(token.split(".")[2] ?? "", "base64url")
  return [...ALPHABET]
    .map((last) => token.slice(0, -1) + last)
    .filter((other) => other !== token && Buffer.from(other.split(".")[2] ?? "", "base64url").equals(octets))
}

/** Endless small damages to a token: none gives the token itself. The same seed gives the same ones. */
export const mutations = (token: string, count: number, seed: number): ReadonlyArray<string> => {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const character = () => (ALPHABET + ".= \n+/\u0000é")[below(ALPHABET.length + 8)] ?? "A"
  const mutate = (text: string): string => {
    const at = below(text.length)
    switch (below(7)) {
      case 0:
        return text.slice(0, at) + text.slice(at + 1)
      case 1:
        return text.slice(0, at) + character() + text.slice(at)
      case 2:
        return text.slice(0, at)
      case 3: {
        const other = below(text.length)
        const characters = [...text]
        characters[at] = text[other] ?? ""
        characters[other] = text[at] ?? ""
        return characters.join("")
      }
      case 4:
        return text.slice(0, -1) + character()
      default:
        return text.slice(0, at) + character() + text.slice(at + 1)
    }
  }
  const all: Array<string> = []
  while (all.length < count) {
    const mutated = below(4) === 0 ? mutate(mutate(token)) : mutate(token)
    if (mutated !== token) all.push(mutated)
  }
  return all
}
