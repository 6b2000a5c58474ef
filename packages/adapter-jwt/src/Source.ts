import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as HttpClient from "effect/http/HttpClient"
import * as Address from "./Address.ts"
import { type Answer, download, LoadFailed } from "./Download.ts"
import * as PublicKeys from "./PublicKeys.ts"

/**
 * Where an issuer's keys are: at an address that the operator gives, or at the one that the issuer's own discovery document
 * names (OpenID Connect Discovery 1.0).
 */
export type Source =
  | { readonly _tag: "Jwks"; readonly url: string }
  | { readonly _tag: "Discovery"; readonly issuer: string; readonly url: string; readonly allowHttp: boolean }

/** Where the discovery document of an issuer is, in text. */
export const discoveryAddress = (issuer: string): string =>
  `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`

const Discovered = Schema.fromJsonString(Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String }))

const Published = Schema.fromJsonString(
  Schema.Struct({ keys: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) })
)

const failed = (reason: string) => new LoadFailed({ reason })

/** A discovery document that came by https leads to https, unless the operator allows all else. */
const addressOfKeys = (source: Extract<Source, { _tag: "Discovery" }>, address: string) => {
  const allowHttp = source.allowHttp ? "anywhere" : Address.isHttps(source.url) ? "never" : "loopback"
  return Effect.mapError(Effect.fromResult(Address.parse(address, allowHttp)), (why) =>
    failed(`the discovery document's jwks_uri ${why}`)
  )
}

/** The address of the keys, and the answer that named it, if one was asked for. */
export const locate = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  source: Source
): Effect.fn.Return<{ readonly url: string; readonly answer?: Answer }, LoadFailed> {
  if (source._tag === "Jwks") return { url: source.url }
  const inDiscovery = ({ reason }: LoadFailed) => failed(`discovery: ${reason}`)
  const answer = yield* Effect.mapError(download(client, source.url), inDiscovery)
  const document = Schema.decodeResult(Discovered)(answer.text)
  if (Result.isFailure(document)) return yield* failed("discovery: the answer is no discovery document")
  if (document.success.issuer !== source.issuer) {
    return yield* failed("discovery: the document is of another issuer than the configured one")
  }
  return { url: yield* addressOfKeys(source, document.success.jwks_uri), answer }
})

/** The keys at an address, for these algorithms, and the answer that held them. */
export const load = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  url: string,
  algorithms: ReadonlyArray<string>
): Effect.fn.Return<{ readonly keys: PublicKeys.PublicKeys; readonly answer: Answer }, LoadFailed> {
  const answer = yield* download(client, url)
  const published = Schema.decodeResult(Published)(answer.text)
  if (Result.isFailure(published)) return yield* failed("the answer is no key set")
  const { keys } = published.success
  if (keys.length > PublicKeys.MOST_KEYS) return yield* failed(`the answer has over ${PublicKeys.MOST_KEYS} keys`)
  return { keys: yield* PublicKeys.fromJwks(keys, algorithms), answer }
})
