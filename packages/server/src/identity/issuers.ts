import { Authorities, Oidc, OwnIssuer } from "@sojourn/adapter-jwt"
import type { Authenticator } from "@sojourn/core"
import type { SignInIssuer } from "@sojourn/page"
import { Effect, Layer, Schema } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as fs from "node:fs/promises"
import { StartupError, layerFailed, messageOf, onOneLine } from "@sojourn/service"

/** The issuers whose tokens authenticate callers. */
export interface Issuers {
  /** The service's own issuer, with the key in the data directory; none where only other issuers are used. */
  readonly own: OwnIssuer.SigningKey | undefined
  readonly others: ReadonlyArray<Oidc.Options>
  /** Those of them that the page signs administrators in with. */
  readonly signIns: ReadonlyArray<SignInIssuer>
}

/** The member `page` of an issuer: the page as a client of it. */
const decodeClient = Schema.decodeUnknownEffect(
  Schema.Struct({
    clientId: Schema.NonEmptyString,
    label: Schema.optional(Schema.NonEmptyString),
    scope: Schema.optional(Schema.String.check(Schema.isPattern(/(^| )openid( |$)/))),
    tokenEndpoint: Schema.optional(Schema.String.check(Schema.isPattern(/^https:\/\/[^\s?#]+$/))),
    parameters: Schema.optional(Schema.Record(Schema.String, Schema.String))
  }),
  { onExcessProperty: "error" }
)

/** An issuer as an object of a file, with its member `page` apart. */
const withoutPage = (json: unknown): readonly [options: unknown, page: unknown] => {
  if (typeof json !== "object" || json === null) return [json, undefined]
  const { page, ...options } = json as { readonly page?: unknown }
  return [options, page]
}

/** The OpenID Connect issuers that a JSON file holds: one object, or several in an array. */
export const issuersIn = Effect.fnUntraced(function* (
  file: string
): Effect.fn.Return<Pick<Issuers, "others" | "signIns">, StartupError> {
  const refuse = (reason: string) => new StartupError({ message: onOneLine(`--issuers: ${file}: ${reason}`) })
  const text = yield* Effect.tryPromise({
    try: () => fs.readFile(file, "utf8"),
    catch: (error) => refuse(messageOf(error))
  })
  const json = yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: () => refuse("not JSON") })
  const entries = (Array.isArray(json) ? json : [json]).map(withoutPage)
  const others = yield* Effect.mapError(
    Effect.fromResult(Oidc.fromJson(entries.map(([options]) => options))),
    ({ message }) => refuse(message)
  )
  const signIns: Array<SignInIssuer> = []
  for (const [at, { issuer }] of others.entries()) {
    const page = entries[at]?.[1]
    if (page === undefined) continue
    const client = yield* Effect.mapError(decodeClient(page), ({ message }) => refuse(`page: ${message}`))
    if (signIns.some((one) => one.issuer === issuer)) return yield* refuse(`two entries of ${issuer} have a page`)
    signIns.push({ issuer, ...client })
  }
  return { others, signIns }
})

/** Authenticates callers by tokens of these issuers. */
export const layerAuthenticator = ({
  own,
  others
}: Pick<Issuers, "own" | "others">): Layer.Layer<Authenticator, StartupError> =>
  Authorities.layer([
    ...(own === undefined ? [] : [OwnIssuer.authority(own)]),
    ...others.map((options) => Oidc.authority(options))
  ]).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.catch(({ message }) => layerFailed(new StartupError({ message: onOneLine(`--issuers: ${message}`) })))
  )
