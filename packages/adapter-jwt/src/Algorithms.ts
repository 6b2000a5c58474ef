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

const OF_KEYS: Readonly<Record<string, ReadonlyArray<Algorithm>>> = {
  RSA: ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  "EC P-256": ["ES256"],
  "EC P-384": ["ES384"],
  "EC P-521": ["ES512"],
  "OKP Ed25519": ["EdDSA", "Ed25519"]
}

/** The algorithms that a key of this type (such as `RSA` or `EC P-256`) can serve; none for a type that is not known. */
export const ofKey = (type: string): ReadonlyArray<Algorithm> =>
  Object.hasOwn(OF_KEYS, type) ? (OF_KEYS[type] ?? []) : []
