/** Issuers of tests: their keys, and the tokens that they sign. */
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto"

export interface Issuer {
  readonly alg: string
  readonly kid: string
  readonly key: KeyObject
  readonly iss: string
  readonly aud: string
}

export type Json = Record<string, unknown>

/** What a test's issuer publishes of its key. */
export const publicJwk = ({ alg, key, kid }: Issuer): Json => ({
  ...createPublicKey(key).export({ format: "jwk" }),
  kid,
  alg,
  use: "sig"
})

const TYPES = {
  EdDSA: () => generateKeyPairSync("ed25519"),
  Ed25519: () => generateKeyPairSync("ed25519"),
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ES384: () => generateKeyPairSync("ec", { namedCurve: "P-384" }),
  ES512: () => generateKeyPairSync("ec", { namedCurve: "P-521" }),
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 })
}

export type KeyType = keyof typeof TYPES

export const issuer = (alg: KeyType, kid: string, iss: string, aud: string): Issuer => ({
  alg,
  kid,
  key: TYPES[alg]().privateKey,
  iss,
  aud
})

/** An RSA key that is too short to be trusted. */
export const weakKey = (kid: string): Issuer => ({
  ...issuer("EdDSA", kid, "https://login.example", "sojourn"),
  alg: "RS256",
  key: generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey
})

export const issuerOfJwk = (jwk: Json, kid: string, iss: string, aud: string): Issuer => ({
  alg: "EdDSA",
  kid,
  key: createPrivateKey({ key: jwk, format: "jwk" }),
  iss,
  aud
})

/** A part of a token: text and octets as they are, everything else as JSON. */
export const encode = (part: unknown): string =>
  Buffer.isBuffer(part)
    ? part.toString("base64url")
    : Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url")

const signature = (alg: string, key: KeyObject, data: Buffer): Buffer => {
  switch (alg) {
    case "EdDSA":
    case "Ed25519":
      return sign(null, data, key)
    case "ES256":
    case "ES384":
    case "ES512":
      return sign(`sha${alg === "ES512" ? 512 : alg.slice(2)}`, data, { key, dsaEncoding: "ieee-p1363" })
    case "PS256":
      return sign("sha256", data, { key, padding: 6, saltLength: 32 })
    default:
      return sign("sha256", data, key)
  }
}

/** A token with any header and any payload, really signed. `alg` and `kid` of the header may lie. */
export const raw = (from: Issuer, header: Json | string, payload: unknown): string => {
  const input = `${encode(header)}.${encode(payload)}`
  return `${input}.${signature(from.alg, from.key, Buffer.from(input)).toString("base64url")}`
}

export const hmac = (secret: string | Buffer, header: Json, payload: unknown): string => {
  const input = `${encode(header)}.${encode(payload)}`
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`
}

export const goodHeader = (from: Issuer): Json => ({ alg: from.alg, kid: from.kid, typ: "JWT" })

/** `now` in seconds. */
export const goodPayload = (from: Issuer, now: number): Json => ({
  iss: from.iss,
  aud: from.aud,
  sub: "mallory-or-alice",
  iat: now,
  exp: now + 600,
  sojourn_kind: "operator"
})

export const goodToken = (from: Issuer, now: number, payload: Json = {}, header: Json = {}): string =>
  raw(from, { ...goodHeader(from), ...header }, { ...goodPayload(from, now), ...payload })
