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
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
  PS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 })
}

export const issuer = (alg: keyof typeof TYPES, kid: string, iss: string, aud: string): Issuer => ({
  alg,
  kid,
  key: TYPES[alg]().privateKey,
  iss,
  aud
})

export const issuerOfJwk = (jwk: Json, kid: string, iss: string, aud: string): Issuer => ({
  alg: "EdDSA",
  kid,
  key: createPrivateKey({ key: jwk, format: "jwk" }),
  iss,
  aud
})

export const encode = (part: unknown): string =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url")

const signature = (alg: string, key: KeyObject, data: Buffer): Buffer => {
  switch (alg) {
    case "EdDSA":
      return sign(null, data, key)
    case "ES256":
      return sign("sha256", data, { key, dsaEncoding: "ieee-p1363" })
    case "PS256":
      return sign("sha256", data, { key, padding: 6, saltLength: 32 })
    default:
      return sign("sha256", data, key)
  }
}

/** A token with any header and any payload, really signed. `alg` and `kid` of the header may lie. */
export const raw = (from: Issuer, header: Json, payload: unknown): string => {
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
