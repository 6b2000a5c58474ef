/** Loads what an issuer publishes: its discovery document (OpenID Connect Discovery 1.0) and its key set. */
import { Data, Effect, Result, Schema, Stream } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { createLocalJWKSet, type JWK } from "jose"
import * as Algorithms from "./Algorithms.ts"
import * as HttpsUrl from "./HttpsUrl.ts"

/** The location of an issuer's keys: a configured URL, or the one in the discovery document at `url`. */
export type Source =
  | { readonly _tag: "Jwks"; readonly url: string }
  | { readonly _tag: "Discovery"; readonly issuer: string; readonly url: string; readonly allowHttp: boolean }

/** A document could not be loaded from the issuer; `reason` says why. */
export class LoadFailed extends Data.TaggedError("LoadFailed")<{ readonly reason: string }> {}

/** A published key that verifies tokens. `type` is such as `RSA` or `EC P-256`. */
export interface UsableKey {
  readonly jwk: JWK
  readonly type: string
  readonly algorithms: ReadonlyArray<string>
}

/** A published key that verifies nothing here. */
export interface IgnoredKey {
  readonly kid: string | undefined
  readonly reason: string
}

/** The largest document that is read. */
const LARGEST_DOCUMENT = "1 MiB"

/** The most keys that a key set may have: each verification looks at all of them. */
const MAX_KEYS = 100

const SMALLEST_RSA = 2048

const Discovered = Schema.fromJsonString(Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String }))

const Published = Schema.fromJsonString(
  Schema.Struct({ keys: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) })
)

const failed = (reason: string) => new LoadFailed({ reason })

/** The URL of an issuer's discovery document. */
export const discoveryAddress = (issuer: string): string =>
  `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`

/** Redirects are not followed, because only the operator decides where keys are. `date` is the unparsed header. */
const fetchDocument = (url: string) =>
  Effect.gen(function* () {
    const client = HttpClient.withScope(yield* HttpClient.HttpClient)
    const response = yield* client.execute(HttpClientRequest.get(url, { acceptJson: true }))
    if (response.status !== 200) return yield* failed(`the answer has status ${response.status}`)
    if (response.url !== url) return yield* failed("the answer is of another address")
    const body: Stream.Stream<Uint8Array, HttpClientError.HttpClientError | LoadFailed> = response.stream
    const limited = Stream.limitBytes(body, LARGEST_DOCUMENT, () => Stream.fail(failed("the answer is too large")))
    const text = yield* Stream.mkString(Stream.decodeText(limited))
    return { text, date: response.headers.date }
  }).pipe(
    Effect.scoped,
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    Effect.catchTag("HttpClientError", (error) => failed(`the request failed (${error.reason._tag})`))
  )

const discover = Effect.fnUntraced(function* (source: Extract<Source, { _tag: "Discovery" }>) {
  const { text, date } = yield* fetchDocument(source.url)
  const document = Schema.decodeResult(Discovered)(text)
  if (Result.isFailure(document)) return yield* failed("the answer is no discovery document")
  const { issuer, jwks_uri } = document.success
  if (issuer !== source.issuer) return yield* failed("the document is of another issuer than the configured one")
  const allowHttp = source.allowHttp ? "anywhere" : HttpsUrl.isHttps(source.url) ? "never" : "loopback"
  const url = yield* Effect.mapError(Effect.fromResult(HttpsUrl.parse(jwks_uri, allowHttp)), (why) =>
    failed(`the discovery document's jwks_uri ${why}`)
  )
  return { url, date }
})

/** Finds the URL of the keys, with the `Date` header of the discovery document if one was loaded. */
export const locate = (
  source: Source
): Effect.Effect<{ readonly url: string; readonly date?: string | undefined }, LoadFailed, HttpClient.HttpClient> =>
  source._tag === "Jwks"
    ? Effect.succeed({ url: source.url })
    : Effect.mapError(discover(source), ({ reason }) => failed(`discovery: ${reason}`))

/** Whether jose verifies with this key and algorithm: it looks at the size with each verification, and not before. */
const serves = (jwk: JWK, alg: string) =>
  Effect.match(
    Effect.tryPromise(() => createLocalJWKSet({ keys: [jwk] })({ ...jwk, alg })),
    {
      onFailure: () => false,
      onSuccess: ({ algorithm }) => !("modulusLength" in algorithm) || Number(algorithm.modulusLength) >= SMALLEST_RSA
    }
  )

const judge = Effect.fnUntraced(function* (published: JWK, accepted: ReadonlyArray<string>) {
  const jwk = Algorithms.ofEitherName(published)
  const algorithms = yield* Effect.filter(accepted, (alg) => serves(jwk, alg))
  const key: UsableKey = { jwk, type: [jwk.kty, jwk.crv].filter(Boolean).join(" "), algorithms }
  if (algorithms.length > 0) return key
  const ignored: IgnoredKey = {
    kid: typeof jwk.kid === "string" ? jwk.kid : undefined,
    reason: `it verifies no ${accepted.join(", ")}: its type, use, size or form is another, or it is private`
  }
  return yield* Effect.fail(ignored)
})

/** Loads the keys at a URL: those that verify tokens of the accepted algorithms, and the others. */
export const keysAt = Effect.fnUntraced(function* (url: string, accepted: ReadonlyArray<string>) {
  const { text, date } = yield* fetchDocument(url)
  const published = Schema.decodeResult(Published)(text)
  if (Result.isFailure(published)) return yield* failed("the answer is no key set")
  const { keys } = published.success
  if (keys.length > MAX_KEYS) return yield* failed(`the answer has over ${MAX_KEYS} keys`)
  const [usable, ignored] = yield* Effect.partition(keys, (jwk) => judge(jwk as JWK, accepted))
  return { usable, ignored, date }
})
