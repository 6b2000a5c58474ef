import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { purposeMac, type SecretKey } from "../keys/SecretKey.ts"
import type { Webhook, WebhookSecretSource } from "./Webhook.ts"

const PURPOSE = utf8ToBytes("sojourn/webhook-secret/1")

/** Derives the secrets of webhooks, which are stored nowhere. */
export interface WebhookSecretScheme {
  /** The id of the key that new secrets are derived with; it is kept with the webhook. */
  readonly keyId: number
  /** A secret of a webhook, or none when its key was retired. A webhook that gets the id of another one has other secrets. */
  readonly derive: (
    webhook: Pick<Webhook, "webhookId" | "organizationId" | "creationDate">,
    source: WebhookSecretSource
  ) => Option.Option<Redacted.Redacted<Uint8Array>>
}

/** The secrets of a set of keys: the first derives new ones, and all of them their own. */
export const makeWebhookSecretScheme = (
  keys: readonly [SecretKey, ...ReadonlyArray<SecretKey>]
): WebhookSecretScheme => {
  const macs = new Map(keys.map((key) => [key.id, purposeMac(key, PURPOSE)] as const))
  return {
    keyId: keys[0].id,
    derive: ({ webhookId, organizationId, creationDate }, { keyId, number }) =>
      Option.map(Option.fromUndefinedOr(macs.get(keyId)), (mac) => {
        const named = utf8ToBytes(`${webhookId}/${organizationId}/${creationDate}/${number}`)
        return Redacted.make(mac.clone().update(named).digest())
      })
  }
}
