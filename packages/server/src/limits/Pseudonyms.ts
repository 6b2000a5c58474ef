import type { ExitTokenKey } from "@sojourn/core"
import * as Redacted from "effect/Redacted"
import { createHmac } from "node:crypto"

const PURPOSE = "sojourn/allowance/1"

/** What stands for a name: an HMAC under the last key of the exit tokens, the one that stays longest when keys are rotated. */
export const makePseudonyms = (keys: ReadonlyArray<ExitTokenKey>) => {
  const secret = keys.at(-1)?.secret
  const key = createHmac("sha256", secret === undefined ? "" : Redacted.value(secret))
    .update(PURPOSE)
    .digest()
  return (name: string): string => createHmac("sha256", key).update(name).digest("base64url")
}
