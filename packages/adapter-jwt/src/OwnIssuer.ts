/** The issuer of this service's own tokens: its key pair, and minting and verifying tokens with it. */
import type { Caller } from "@sojourn/core"
import { Authenticator } from "@sojourn/core"
import { Clock, Data, Duration, Effect, Layer, Redacted, Result, Schema } from "effect"
import type { CryptoKey } from "jose"
import {
  calculateJwkThumbprint,
  CompactSign,
  compactVerify,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT
} from "jose"
import type { Authority } from "./Authorities.ts"
import * as Authorities from "./Authorities.ts"
import * as Claims from "./Claims.ts"
import * as TokenChecks from "./TokenChecks.ts"

/** The `iss` of every token of the own issuer. */
export const ISSUER = "sojourn"

/** The `aud` of every token of the own issuer. */
export const AUDIENCE = "sojourn"

const ALGORITHM = "EdDSA"

const Octets32 = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/))

/** An Ed25519 key pair as it is stored: a private JWK (RFC 8037). `d` is the secret. Other members are ignored. */
export const PrivateJwk = Schema.Struct({
  kty: Schema.Literal("OKP"),
  crv: Schema.Literal("Ed25519"),
  x: Octets32,
  d: Octets32
})
export type PrivateJwk = typeof PrivateJwk.Type

/** The public half of a key, as served at `/.well-known/jwks.json`. */
export interface PublicJwk {
  readonly kty: "OKP"
  readonly crv: "Ed25519"
  readonly x: string
  readonly kid: string
  readonly alg: "EdDSA"
  readonly use: "sig"
}

/** An imported key for signing and verifying. The secret cannot be exported from it. */
export interface SigningKey {
  readonly publicJwk: PublicJwk
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

/** The stored key is not a valid Ed25519 key pair. `reason` contains nothing of the key. */
export class InvalidSigningKey extends Data.TaggedError("InvalidSigningKey")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

/**
 * Generates a key pair. Store it where only the server can read it; {@link decode} makes a {@link SigningKey} of it.
 */
export const generate: Effect.Effect<Redacted.Redacted<PrivateJwk>> = Effect.promise(async () => {
  const pair = await generateKeyPair(ALGORITHM, { crv: "Ed25519", extractable: true })
  return exportJWK(pair.privateKey)
}).pipe(
  Effect.flatMap(Schema.decodeUnknownEffect(PrivateJwk)),
  Effect.orDie,
  Effect.map((jwk) => Redacted.make(jwk, { label: "PrivateJwk" }))
)

const unusable = () =>
  new InvalidSigningKey({ reason: "the stored key cannot be used: its x and d are not of one pair" })

/**
 * Imports a stored private JWK: parsed JSON, or the result of {@link generate}. The `kid` is the key's RFC 7638 thumbprint,
 * regardless of a stored one. Fails with `InvalidSigningKey`.
 */
export const decode = Effect.fnUntraced(function* (stored: unknown): Effect.fn.Return<SigningKey, InvalidSigningKey> {
  const { kty, crv, x, d } = yield* Schema.decodeUnknownEffect(PrivateJwk)(
    Redacted.isRedacted(stored) ? Redacted.value(stored) : stored
  ).pipe(
    // The schema's own error would show the key.
    Effect.mapError(
      () =>
        new InvalidSigningKey({
          reason: 'the stored key is no private JWK of kty "OKP" and crv "Ed25519" with x and d of 32 octets each'
        })
    )
  )
  return yield* Effect.tryPromise({
    try: async () => {
      const kid = await calculateJwkThumbprint({ kty, crv, x })
      const privateKey = await importJWK({ kty, crv, x, d }, ALGORITHM, { extractable: false })
      const publicKey = await importJWK({ kty, crv, x }, ALGORITHM)
      const signed = await new CompactSign(new Uint8Array(32)).setProtectedHeader({ alg: ALGORITHM }).sign(privateKey)
      await compactVerify(signed, publicKey, { algorithms: [ALGORITHM] })
      const publicJwk: PublicJwk = { kty, crv, x, kid, alg: ALGORITHM, use: "sig" }
      return { publicJwk, privateKey, publicKey }
    },
    catch: unusable
  })
})

/** The public key set for `/.well-known/jwks.json`. */
export const jwks = (key: SigningKey): { readonly keys: readonly [PublicJwk] } => ({ keys: [key.publicJwk] })

/**
 * Signs a token for a caller. It expires `expiresIn` whole seconds (1 or more, else a defect) after `now`, in milliseconds
 * since the epoch (default: Effect's clock).
 */
export const mint = Effect.fnUntraced(function* (
  key: SigningKey,
  caller: Caller,
  options: { readonly expiresIn: number; readonly now?: number | undefined }
): Effect.fn.Return<Redacted.Redacted<string>> {
  const issuedAt = Math.floor((options.now ?? (yield* Clock.currentTimeMillis)) / 1000)
  const expiresAt = issuedAt + options.expiresIn
  if (!(options.expiresIn >= 1 && Number.isSafeInteger(options.expiresIn) && Number.isSafeInteger(expiresAt))) {
    return yield* Effect.die(new RangeError("expiresIn must be a whole number of seconds, 1 or more"))
  }
  const token = new SignJWT({ ...Claims.ofCaller(caller) })
    .setProtectedHeader({ alg: ALGORITHM, kid: key.publicJwk.kid, typ: "JWT" })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
  return Redacted.make(yield* Effect.promise(() => token.sign(key.privateKey)), { label: "token" })
})

/** `clockSkew`: the tolerated clock skew, 0 to 60 seconds (default 5 seconds). */
export interface Options {
  readonly clockSkew?: Duration.Input | undefined
}

/**
 * The own issuer as an authority. It accepts tokens signed by this key under its `kid`, with algorithm EdDSA, `iss` and `aud`
 * "sojourn", that have not expired by Effect's clock. It is always available. A `clockSkew` out of range is a defect.
 */
export const authority = Effect.fnUntraced(function* (
  key: SigningKey,
  options: Options = {}
): Effect.fn.Return<Authority> {
  const clockSkew = Duration.fromInputUnsafe(options.clockSkew ?? TokenChecks.DEFAULT_CLOCK_SKEW)
  if (!TokenChecks.isTolerable(clockSkew)) return yield* Effect.die(new RangeError("clockSkew must be 0 to 60 seconds"))
  const checks = {
    issuer: ISSUER,
    audience: [AUDIENCE],
    algorithms: [ALGORITHM],
    clockSkew: Duration.toSeconds(clockSkew)
  }
  const verify = TokenChecks.verifier(checks, async ({ kid }) => {
    if (kid !== key.publicJwk.kid) throw new errors.JWKSNoMatchingKey()
    return key.publicKey
  })
  return {
    issuer: ISSUER,
    audience: [AUDIENCE],
    authenticate: (presented) =>
      Effect.flatMap(verify(presented), ({ payload, issuedAt, isTimely }) =>
        // The key does not change while the process runs.
        Effect.fromResult(Result.map(Claims.toCaller(payload), (caller) => ({ caller, issuedAt, holds: isTimely })))
      )
  }
})

/** An authenticator for the own issuer's tokens only: see {@link authority}. */
export const make = (key: SigningKey, options?: Options): Effect.Effect<Authenticator["Service"]> =>
  Effect.orDie(Authorities.make([authority(key, options)]))

/** The {@link make} of this key, as a layer. */
export const layer = (key: SigningKey, options?: Options): Layer.Layer<Authenticator> =>
  Layer.effect(Authenticator, make(key, options))
