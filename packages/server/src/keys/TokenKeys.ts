/** The keys of exit tokens. They are kept apart from the database, so that a copy of it contains no token. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Effect, Redacted } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as path from "node:path"
import { parseTokenKeys } from "@sojourn/service"
import { secretFile } from "./SecretFile.ts"

/** The file of the exit-token keys in a data directory. */
export const TOKEN_KEYS_FILE = "exit-token-keys"

/** The id of the key that a data directory begins with. */
const FIRST_KEY = 1

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
