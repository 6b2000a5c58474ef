/** Finds and loads the keys that an issuer publishes. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpsUrl from "./HttpsUrl.ts"
import { type Answer, download, LoadFailed } from "./BoundedDownload.ts"
import * as PublicKeys from "./PublicKeys.ts"

/**
 * The location of an issuer's keys: a configured URL, or the one in the issuer's discovery document (OpenID Connect
 * Discovery 1.0).
 */
export type Source =
  | { readonly _tag: "Jwks"; readonly url: string }
  | { readonly _tag: "Discovery"; readonly issuer: string; readonly url: string; readonly allowHttp: boolean }

/** The URL of an issuer's discovery document. */
export const discoveryAddress = (issuer: string): string =>
  `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`

const Discovered = Schema.fromJsonString(Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String }))

const Published = Schema.fromJsonString(
  Schema.Struct({ keys: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) })
)

const failed = (reason: string) => new LoadFailed({ reason })

/** A discovery document loaded over https must name an https URL, unless `allowHttp` is set. */
const addressOfKeys = (source: Extract<Source, { _tag: "Discovery" }>, address: string) => {
  const allowHttp = source.allowHttp ? "anywhere" : HttpsUrl.isHttps(source.url) ? "never" : "loopback"
  return Effect.mapError(Effect.fromResult(HttpsUrl.parse(address, allowHttp)), (why) =>
    failed(`the discovery document's jwks_uri ${why}`)
  )
}

/** Finds the URL of the keys. `answer` is the discovery response, if one was loaded. */
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

/** Loads the keys at a URL that serve these algorithms, with the response that held them. */
export const load = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  url: string,
  algorithms: ReadonlyArray<string>
): Effect.fn.Return<{ readonly keys: PublicKeys.PublicKeys; readonly answer: Answer }, LoadFailed> {
  const answer = yield* download(client, url)
  const published = Schema.decodeResult(Published)(answer.text)
  if (Result.isFailure(published)) return yield* failed("the answer is no key set")
  const { keys } = published.success
  if (keys.length > PublicKeys.MAX_KEYS) return yield* failed(`the answer has over ${PublicKeys.MAX_KEYS} keys`)
  return { keys: yield* PublicKeys.fromJwks(keys, algorithms), answer }
})
