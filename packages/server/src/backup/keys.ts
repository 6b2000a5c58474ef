/** The keys in a backup: without them no open stay of a restored database can be left. */
import { Effect, Option } from "effect"
import * as path from "node:path"
import { parseIssuerKey, parseTokenKeys, StartupError } from "@sojourn/service"
import { ISSUER_KEY_FILE } from "../keys/IssuerKey.ts"
import { secretFile, storedSecret } from "../keys/SecretFile.ts"
import { TOKEN_KEYS_FILE } from "../keys/TokenKeys.ts"

/** The key files of a data directory, and their names in messages. */
const FILES = { [TOKEN_KEYS_FILE]: "the exit-token keys", [ISSUER_KEY_FILE]: "the issuer's key" }

/** The keys that are in a data directory, by the names of their files. */
export const keysIn = Effect.fnUntraced(function* (data: string) {
  const keys: Record<string, string> = {}
  for (const [file, what] of Object.entries(FILES)) {
    const stored = yield* storedSecret(path.join(data, file), what)
    if (Option.isSome(stored)) keys[file] = stored.value
  }
  return keys
})

/** The exit-token keys of a backup; none where they were left out. Refuses keys that no server could use. */
export const tokenKeysOf = Effect.fnUntraced(function* (keys: { readonly [file: string]: string }) {
  const [issuerKey, tokenKeys] = [keys[ISSUER_KEY_FILE], keys[TOKEN_KEYS_FILE]]
  if (issuerKey !== undefined) yield* parseIssuerKey(`the backup's ${ISSUER_KEY_FILE}`, issuerKey)
  return tokenKeys === undefined ? [] : yield* parseTokenKeys(`the backup's ${TOKEN_KEYS_FILE}`, tokenKeys)
})

/** Refuses to put keys into a directory that has others. */
export const requireNoOtherKeys = Effect.fnUntraced(function* (
  data: string,
  keys: { readonly [file: string]: string }
) {
  for (const [file, stored] of Object.entries(yield* keysIn(data))) {
    if (keys[file] !== undefined && keys[file] !== stored) {
      return yield* new StartupError({
        message: `${path.join(data, file)} holds another key than the backup: restore into another directory`
      })
    }
  }
})

/** Puts keys into a data directory, readable by their owner alone, where it has none. */
export const putKeys = Effect.fnUntraced(function* (data: string, keys: { readonly [file: string]: string }) {
  for (const [file, what] of Object.entries(FILES)) {
    const text = keys[file]
    if (text !== undefined) yield* secretFile(path.join(data, file), what, Effect.succeed(text))
  }
})
