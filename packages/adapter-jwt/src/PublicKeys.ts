/** Imports the keys of a key set, and chooses the key that verifies a token. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import type { CryptoKey, JWK } from "jose"
import { importJWK } from "jose"
import * as Algorithms from "./Algorithms.ts"

/** The most keys that a key set may have. */
export const MAX_KEYS = 100

const SMALLEST_RSA = 2048
const LARGEST_RSA = 8192

/** A published key that verifies tokens, ready for each algorithm that it serves. `type` is such as `RSA` or `EC P-256`. */
export interface UsableKey {
  readonly kid: string | undefined
  readonly type: string
  readonly byAlgorithm: ReadonlyMap<string, CryptoKey>
}

/** A published key that verifies nothing here, and why. */
export interface IgnoredKey {
  readonly kid: string | undefined
  readonly reason: string
}

/** What an issuer publishes: the keys that verify tokens, and those that do not. */
export interface PublicKeys {
  readonly usable: ReadonlyArray<UsableKey>
  readonly ignored: ReadonlyArray<IgnoredKey>
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const typeOf = ({ kty, crv }: JWK): string => (kty === "EC" || kty === "OKP" ? `${kty} ${crv}` : String(kty))

/** The members of the public key alone: no other member has a say in how it is imported. */
const publicPart = ({ kty, crv, n, e, x, y }: JWK): JWK => {
  if (kty === "RSA") return { kty, n: text(n) ?? "", e: text(e) ?? "" } as JWK
  return { kty, crv: text(crv) ?? "", x: text(x) ?? "", ...(kty === "EC" ? { y: text(y) ?? "" } : {}) } as JWK
}

const rsaBits = (n: string): number => {
  const octets = Result.getOrElse(Base64Url.decode(n), () => new Uint8Array())
  const first = octets.findIndex((octet) => octet !== 0)
  return first === -1 ? 0 : (octets.length - first) * 8 - Math.clz32(octets[first] ?? 0) + 24
}

/** Why this key is not used for its published members alone, if so. */
const objection = (jwk: JWK): string | undefined => {
  if (jwk.use !== undefined && jwk.use !== "sig") return "its use is not to sign"
  if (jwk.key_ops !== undefined && !(Array.isArray(jwk.key_ops) && jwk.key_ops.includes("verify"))) {
    return "its key_ops are not to verify"
  }
  // Every reader of the key set could sign with it.
  if (jwk.d !== undefined || jwk.k !== undefined) return "it is secret, and published"
  if (jwk.kid !== undefined && typeof jwk.kid !== "string") return "its kid is no text"
  if (Algorithms.ofKey(typeOf(jwk)).length === 0) return "its type is not known"
  if (jwk.kty !== "RSA") return undefined
  const bits = rsaBits(text(jwk.n) ?? "")
  return bits < SMALLEST_RSA || bits > LARGEST_RSA ? `it has not ${SMALLEST_RSA} to ${LARGEST_RSA} bits` : undefined
}

/** The algorithms that this key serves: its own `alg`, or those of its type when it names none. */
const served = (jwk: JWK, accepted: ReadonlyArray<string>): ReadonlyArray<string> =>
  Algorithms.ofKey(typeOf(jwk)).filter(
    (algorithm) => accepted.includes(algorithm) && (jwk.alg === undefined || jwk.alg === algorithm)
  )

const importOne = (jwk: JWK, accepted: ReadonlyArray<string>): Effect.Effect<UsableKey, IgnoredKey> => {
  const kid = text(jwk.kid)
  const objected = objection(jwk)
  if (objected !== undefined) return Effect.fail({ kid, reason: objected })
  const algorithms = served(jwk, accepted)
  if (algorithms.length === 0) return Effect.fail({ kid, reason: "it serves no accepted algorithm" })
  return Effect.tryPromise({
    try: async () => {
      const part = publicPart(jwk)
      const keys = await Promise.all(
        algorithms.map(async (algorithm) => [algorithm, (await importJWK(part, algorithm)) as CryptoKey] as const)
      )
      return { kid, type: typeOf(jwk), byAlgorithm: new Map(keys) }
    },
    catch: () => ({ kid, reason: "it cannot be read" })
  })
}

/** The keys of a key set that verify tokens of the accepted algorithms, and the others. */
export const fromJwks = (
  published: ReadonlyArray<Readonly<Record<string, unknown>>>,
  accepted: ReadonlyArray<string>
): Effect.Effect<PublicKeys> =>
  Effect.map(
    Effect.partition(published, (jwk) => importOne(jwk as JWK, accepted)),
    ([usable, ignored]) => ({ usable, ignored })
  )

/**
 * The key that a token's header asks for: `undefined` when there is none, and `"several"` when the header does not say
 * which. A token without `kid` has a key when one alone can have signed it.
 */
export const find = (
  { usable }: PublicKeys,
  alg: string,
  kid: string | undefined
): CryptoKey | "several" | undefined => {
  let found: CryptoKey | undefined
  for (const one of usable) {
    if (kid !== undefined && one.kid !== kid) continue
    const key = one.byAlgorithm.get(alg)
    if (key !== undefined && found !== undefined) return "several"
    found = key ?? found
  }
  return found
}
