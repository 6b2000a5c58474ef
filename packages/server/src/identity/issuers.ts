import { Authorities, Oidc, OwnIssuer } from "@sojourn/adapter-jwt"
import type { Authenticator } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as fs from "node:fs/promises"
import { CommandFailed, layerFailed, messageOf, onOneLine } from "../CommandFailed.ts"

/** The issuers whose tokens authenticate callers. */
export interface Issuers {
  /** The service's own issuer, with the key in the data directory; none where only other issuers are used. */
  readonly own: OwnIssuer.SigningKey | undefined
  readonly others: ReadonlyArray<Oidc.Options>
}

/** The OpenID Connect issuers that a JSON file holds: one object, or several in an array. */
export const issuersIn = Effect.fnUntraced(function* (file: string) {
  const refuse = (reason: string) => new CommandFailed({ message: onOneLine(`--issuers: ${file}: ${reason}`) })
  const text = yield* Effect.tryPromise({
    try: () => fs.readFile(file, "utf8"),
    catch: (error) => refuse(messageOf(error))
  })
  const json = yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: () => refuse("not JSON") })
  return yield* Effect.mapError(Effect.fromResult(Oidc.fromJson(json)), ({ message }) => refuse(message))
})

/** Authenticates callers by tokens of these issuers. */
export const layerAuthenticator = ({ own, others }: Issuers): Layer.Layer<Authenticator, CommandFailed> =>
  Authorities.layer([
    ...(own === undefined ? [] : [OwnIssuer.authority(own)]),
    ...others.map((options) => Oidc.authority(options))
  ]).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.catch(({ message }) => layerFailed(new CommandFailed({ message: onOneLine(`--issuers: ${message}`) })))
  )
