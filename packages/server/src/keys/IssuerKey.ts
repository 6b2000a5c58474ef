/** The key that signs tokens of the server's own issuer. The server and the operator's commands share it through the data directory. */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Effect, Redacted } from "effect"
import * as path from "node:path"
import { parseIssuerKey } from "@sojourn/service"
import { secretFile } from "./SecretFile.ts"

/** The file of the own issuer's key in a data directory. */
export const ISSUER_KEY_FILE = "issuer-key.json"

/** The key of the own issuer in a data directory, readable by its owner alone; it is made when there is none. */
export const issuerKey = Effect.fnUntraced(function* (data: string) {
  const file = path.join(data, ISSUER_KEY_FILE)
  const made = Effect.map(OwnIssuer.generate, (key) => `${JSON.stringify(Redacted.value(key))}\n`)
  return yield* parseIssuerKey(file, yield* secretFile(file, "the issuer's key", made))
})
