/** Reads the secrets of a service as operators write them. */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { readDatabaseUrl } from "@sojourn/adapter-postgres"
import { checkSecretKeys, parseSecretKeys, type SecretKey } from "@sojourn/core"
import { Effect, Option, Redacted } from "effect"
import { StartupError } from "../shared/StartupError.ts"

const KEYS_FORMAT =
  "keys as id:secret, the one that derives new tokens first: an id from 0 to 255, and 32 or more bytes as base64url"

/** The keys in a text. `where` names the text in messages. */
export const parseTokenKeys = (where: string, text: string): Effect.Effect<ReadonlyArray<SecretKey>, StartupError> =>
  Option.match(parseSecretKeys(text), {
    onNone: () =>
      Effect.fail(
        new StartupError({
          message: text === "" ? `${where} is missing: set it to ${KEYS_FORMAT}` : `${where} holds ${KEYS_FORMAT}`
        })
      ),
    onSome: (keys) =>
      Effect.mapError(
        Effect.fromResult(checkSecretKeys(keys)),
        ({ reason }) => new StartupError({ message: `${where}: ${reason}` })
      )
  })

/** The URL of a database, of one host or several. `where` names the text in messages, which hold nothing of it. */
export const parseDatabaseUrl = (where: string, text: string): Effect.Effect<Redacted.Redacted<string>, StartupError> =>
  Option.isSome(readDatabaseUrl(text))
    ? Effect.succeed(Redacted.make(text))
    : Effect.fail(
        new StartupError({
          message: `${where} ${text === "" ? "is missing: set it to" : "is not"} postgresql://user:password@host:port/name, with one host or several`
        })
      )

/** The own issuer's key in a text of JSON. `where` names the text in messages, which hold nothing of it. */
export const parseIssuerKey = (where: string, text: string): Effect.Effect<OwnIssuer.SigningKey, StartupError> =>
  Effect.flatMap(
    Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: () => new StartupError({ message: `${where} is not JSON` })
    }),
    (stored) =>
      Effect.mapError(
        OwnIssuer.decode(stored),
        ({ message }) => new StartupError({ message: `${where} holds no key of the own issuer: ${message}` })
      )
  )
