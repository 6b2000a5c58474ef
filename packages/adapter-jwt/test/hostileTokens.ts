/** Every hostile token that must be refused, by what is wrong with it. */
import { createPublicKey } from "node:crypto"
import { deflateRawSync } from "node:zlib"
import { encode, goodHeader, goodPayload, goodToken, hmac, issuer, type Issuer, type Json } from "./Issuer.ts"
import { type KeyType, publicJwk, raw } from "./Issuer.ts"

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Other spellings of the same octets: the bits of the last character that hold no octet are set. */
const spellings = (text: string): ReadonlyArray<string> =>
  [...ALPHABET]
    .map((last) => text.slice(0, -1) + last)
    .filter((other) => other !== text && Buffer.from(other, "base64url").equals(Buffer.from(text, "base64url")))

const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))

/** A payload as text, with something put before its members. */
const before = (payload: Json, members: string) => `{${members},${JSON.stringify(payload).slice(1)}`

const hex = (text: string) => Buffer.from(text, "hex").toString("base64url")

/**
 * Tokens for the time `now`, in seconds. `victim` is trusted: what it has signed differs from a good token in what is named alone.
 * `attacker` is a key of the same type under the same names, whose public half is at the address `trap`.
 */
export const hostileTokens = (
  victim: Issuer,
  now: number,
  trap: string
): Readonly<Record<string, ReadonlyArray<string>>> => {
  const attacker: Issuer = { ...victim, key: issuer(victim.alg as KeyType, "", "", "").key }
  const [header, payload, token] = [goodHeader(victim), goodPayload(victim, now), goodToken(victim, now)]
  const [head = "", body = "", signature = ""] = token.split(".")
  const [otherHead, otherBody, otherSignature] = goodToken(victim, now, { sub: "alice" }, { typ: "at+jwt" }).split(".")
  const size = Buffer.from(signature, "base64url").length

  const claims = (...changes: ReadonlyArray<Json>) => changes.map((change) => goodToken(victim, now, change))
  const each = (claim: string, ...values: ReadonlyArray<unknown>) => claims(...values.map((one) => ({ [claim]: one })))
  const headers = (...changes: ReadonlyArray<Json>) => changes.map((change) => goodToken(victim, now, {}, change))
  const payloads = (...texts: ReadonlyArray<unknown>) => texts.map((text) => raw(victim, header, text))
  const forged = (...changes: ReadonlyArray<Json>) => changes.map((change) => goodToken(attacker, now, {}, change))
  const signatures = (...texts: ReadonlyArray<string>) => texts.map((text) => `${head}.${body}.${text}`)
  const publicKey = createPublicKey(victim.key)
  const [start = "", end = ""] = JSON.stringify({ ...payload, sub: "alice@" }).split("@")

  return {
    "no signature": ["none", "nOnE", "None"].flatMap((alg) => [
      `${encode({ ...header, alg })}.${body}.`,
      `${encode({ ...header, alg })}.${body}.${signature}`
    ]),
    "the public key as a shared secret": [
      publicKey.export({ format: "pem", type: "spki" }),
      publicKey.export({ format: "der", type: "spki" }),
      JSON.stringify(publicJwk(victim)),
      Buffer.from(String(publicJwk(victim).x ?? publicJwk(victim).n), "base64url"),
      ""
    ].flatMap((secret) => ["HS256", "hs256"].map((alg) => hmac(secret, { ...header, alg }, payload))),
    "other algorithms, or their names": [
      ...(["RS256", "ES256", "ES512", "Ed25519"] as const).map((alg) =>
        raw(issuer(alg, victim.kid, victim.iss, victim.aud), { ...header, alg }, payload)
      ),
      raw(victim, without(header, "alg"), payload),
      ...headers(
        { alg: [victim.alg] },
        { alg: victim.alg === "EdDSA" ? "EDDSA" : victim.alg.toLowerCase() },
        { alg: "RS1" },
        { alg: "__proto__" },
        { alg: "" },
        { alg: `${victim.alg}\u0000` }
      )
    ],
    "another key, and its kid": forged(
      {},
      ...[
        "../../../dev/null",
        "' OR '1'='1",
        `${trap}/jwks`,
        "__proto__",
        "",
        7,
        null,
        [victim.kid],
        { $ne: null }
      ].map((kid) => ({ kid }))
    ),
    "keys that the token names": [
      ...forged(
        { kid: "trap", jku: `${trap}/jwks` },
        { jku: `${trap}/jwks` },
        { x5u: `${trap}/certificate` },
        { x5c: ["MIIB"] },
        { jwk: publicJwk(attacker) },
        { kid: undefined, jwk: publicJwk(attacker) }
      ),
      raw(attacker, { ...header, kid: "trap" }, { ...payload, iss: trap })
    ],
    "worthless signatures": signatures(
      hex("00".repeat(64)),
      hex("3006020100020100"),
      hex("ff".repeat(size)),
      hex("00".repeat(size + 1)),
      hex("00")
    ),
    "changed parts": [
      ...["somebody-else", "mallory"].map((sub) => `${head}.${encode({ ...payload, sub })}.${signature}`),
      `${encode({ ...header, typ: "at+jwt" })}.${body}.${signature}`,
      `${otherHead}.${body}.${signature}`,
      `${head}.${otherBody}.${signature}`,
      `${head}.${body}.${otherSignature}`,
      `${head}.${encode({})}.${signature}`
    ],
    "ID tokens and others": [
      ...claims({ nonce: "n" }, { at_hash: "h" }, { c_hash: "h" }, { typ: "ID" }),
      ...headers({ typ: "logout+jwt" }, { typ: "ID" }, { typ: "dpop+jwt" })
    ],
    "another iss": each(
      "iss",
      "https://evil.example",
      `${victim.iss}/`,
      victim.iss.toUpperCase(),
      [victim.iss],
      { toString: victim.iss },
      null,
      undefined
    ),
    "another aud": each(
      "aud",
      "another-service",
      ["another-service", "a-third"],
      `${victim.aud} another`,
      [[victim.aud]],
      { [victim.aud]: true },
      [],
      undefined
    ),
    "no valid exp": [
      ...each("exp", now - 5, -now * 1000, String(now + 600), [now + 600], null, undefined),
      ...payloads(JSON.stringify(payload).replace(/"exp":\d+/, '"exp":1e999'))
    ],
    "not valid yet": claims({ nbf: now + 6 }, { nbf: "0" }, { iat: now + 6 }, { iat: "0" }),
    "no valid sub": each(
      "sub",
      undefined,
      "",
      1,
      { id: "alice" },
      ["alice"],
      "x".repeat(257),
      "alice\u0000",
      "a\ud800"
    ),
    "no known kind, or several": [
      ...each(
        "sojourn_kind",
        undefined,
        null,
        true,
        "root",
        "Operator",
        "operator ",
        "",
        "__proto__",
        [],
        [["operator"]]
      ),
      ...each("sojourn_kind", ["operator", 1], [{ operator: true }], { operator: false }, ["user", "operator"]),
      ...["__proto__", "constructor"].map((name) =>
        raw(victim, header, before(without(payload, "sojourn_kind"), `"${name}":{"sojourn_kind":"operator"}`))
      )
    ],
    "duplicate members": [
      ...['"sub":"alice"', '"s\\u0075b":"alice"', '"sojourn_kind":"user"', '"a":[{"b":1,"b":2}]'].map((members) =>
        raw(victim, header, before(payload, members))
      ),
      raw(victim, before(header, '"alg":"none"'), payload),
      raw(victim, before(header, '"kid":"other"'), payload)
    ],
    "extensions, compression and encryption": [
      ...headers({ crit: ["exp"], exp: 1 }, { crit: ["x"], x: true }, { crit: [] }, { crit: null }),
      ...headers({ crit: ["b64"], b64: true }, { b64: false }, { zip: "DEF" }, { enc: "A256GCM" }),
      `${encode({ ...header, crit: ["b64"], b64: false })}.${JSON.stringify(payload)}.${signature}`,
      raw(victim, { ...header, zip: "DEF" }, deflateRawSync(JSON.stringify(payload))),
      raw(victim, header, deflateRawSync(Buffer.alloc(8 * 1024 * 1024))),
      `${encode({ alg: "dir", enc: "A256GCM", kid: victim.kid })}..AAAA.AAAA.AAAA`
    ],
    "a token inside": [raw(attacker, { ...header, cty: "JWT" }, token), raw(victim, { ...header, cty: "JWT" }, token)],
    "a payload that is no object in UTF-8": [
      ...payloads([payload], '"alice"', "null", "alice", `${JSON.stringify(payload)}{}`, JSON.stringify(token)),
      ...payloads("[".repeat(6000) + "]".repeat(6000)),
      ...["c0a2", "eda080", "f4908080", "e282", "e9"].map((octets) =>
        raw(victim, header, Buffer.concat([Buffer.from(start), Buffer.from(octets, "hex"), Buffer.from(end)]))
      )
    ],
    "too long": [
      ...claims({ padding: "x".repeat(13_000) }),
      ...headers({ padding: "x".repeat(13_000) }),
      ".".repeat(1024 * 1024)
    ],
    "other than three parts": [
      "",
      "alice",
      `${head}.${body}`,
      "..",
      `${head}..${signature}`,
      `.${body}.${signature}`,
      `${token}.${signature}`,
      `.${token}`,
      `${token},${token}`,
      JSON.stringify({ protected: head, payload: body, signature })
    ],
    "base64url spelled another way": [
      `${token}=`,
      `${head}=.${body}.${signature}`,
      `${head}A.${body}.${signature}`,
      ...signatures(`${signature.slice(0, -1)}+`, ...spellings(signature)),
      ...spellings(head).map((other) => `${other}.${body}.${signature}`)
    ],
    "something around or inside": [
      ...[" ", "\t", "\n", "\u0000", "\ufeff", "="].flatMap((blank) => [blank + token, token + blank]),
      `${head}. ${body}.${signature}`,
      ...signatures(`${signature.slice(0, 9)}\n${signature.slice(9)}`, `\u00ad${signature}`),
      `Bearer ${token}`,
      `"${token}"`,
      token.replaceAll(".", "%2E")
    ]
  }
}
