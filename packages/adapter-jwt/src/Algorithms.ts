import type { JWK } from "jose"

const SUPPORTED = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519"
] as const

/** A signature algorithm with a public key. `none` and the shared secrets of `HS*` are not among them. */
export type Algorithm = (typeof SUPPORTED)[number]

/** Every algorithm that can be configured. */
export const ALL: ReadonlyArray<Algorithm> = SUPPORTED

/** The algorithms that are accepted unless the options name others (spec: accounts#algorithms). */
export const DEFAULT: ReadonlyArray<Algorithm> = ["RS256", "PS256", "ES256", "EdDSA"]

/** `Ed25519` is the name in RFC 9864 of what RFC 8037 calls `EdDSA`. */
const ED25519: ReadonlyArray<unknown> = ["EdDSA", "Ed25519"]

/** These algorithms, with both names of Ed25519 when one is among them. */
export const withBothNames = (algorithms: ReadonlyArray<Algorithm>): ReadonlyArray<string> =>
  algorithms.some((one) => ED25519.includes(one)) ? [...algorithms, "EdDSA", "Ed25519"] : algorithms

/** This key, without its `alg` when that is a name of Ed25519: its curve says the same, and serves both names. */
export const ofEitherName = ({ alg, ...jwk }: JWK): JWK =>
  jwk.kty === "OKP" && ED25519.includes(alg) ? jwk : { ...jwk, ...(alg === undefined ? {} : { alg }) }
