/** The keys of exit tokens. They are kept apart from the database, so that a copy of it contains no token. */
import { parseSecretKeys } from "@sojourn/core"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as path from "node:path"
import { StartupError } from "@sojourn/service"
import { secretFile } from "./SecretFile.ts"

/** The file of the exit-token keys in a data directory. */
export const TOKEN_KEYS_FILE = "exit-token-keys"

/** The id of the key that a data directory begins with. */
const FIRST_KEY = 1

const malformed = (where: string) =>
  new StartupError({
    message: `${where} holds keys as id:secret, the one that derives new tokens first: an id from 0 to 255, and 32 or more bytes as base64url`
  })

/** The keys in a text. `where` names the text in messages. */
export const parseTokenKeys = (where: string, text: string) =>
  Option.match(parseSecretKeys(text), { onNone: () => Effect.fail(malformed(where)), onSome: Effect.succeed })

const make = Effect.sync(() => `${FIRST_KEY}:${Base64Url.encode(SecureRandom.randomBytesUnsafe(32))}\n`)

/**
 * The keys that exit tokens are derived with: `given` by the operator, as servers that share a database must be, or else
 * those of the data directory, in a file that its owner alone can read. They are never in the database.
 */
export const tokenKeys = Effect.fnUntraced(function* (data: string, given: Redacted.Redacted<string>) {
  const text = Redacted.value(given)
  if (text !== "") return yield* parseTokenKeys("--token-keys", text)
  const file = path.join(data, TOKEN_KEYS_FILE)
  return yield* parseTokenKeys(file, yield* secretFile(file, "the exit-token key", make))
})
