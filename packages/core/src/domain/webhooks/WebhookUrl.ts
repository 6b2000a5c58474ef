/** Where a webhook may deliver to. The operator's policy keeps deliveries out of the operator's own network. */
import * as Result from "effect/Result"
import {
  parseServerAddress,
  requireReachableServer,
  type ServerAddress,
  type ServerPolicy
} from "../accounts/ServerAddress.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** Where deliveries of a webhook are sent. */
export interface WebhookUrl extends ServerAddress<"https"> {
  /** The URL exactly as it was given. */
  readonly text: string
  /** The path and the query, as they are sent. */
  readonly path: string
}

/** The URL is not one that deliveries may be sent to. */
export class WebhookUrlRefused extends TaggedError("WebhookUrlRefused", "deliveries may not be sent to this URL")<{
  readonly reason: string
}> {}

/** Which receivers the service may reach. */
export type WebhookReceiverPolicy = ServerPolicy<"https">

/** `https` on any port, and never loopback, link-local, unspecified or metadata addresses. */
export const defaultWebhookReceiverPolicy: WebhookReceiverPolicy = { allow: [] }

/** The longest URL, in characters. */
export const LONGEST_WEBHOOK_URL = 2048

const DEFAULT_PORT = 443
const VISIBLE = /^[\x21-\x7e]*$/
const URL_FORM = /^https:\/\/([^/?#@\\]+)([/?][^#]*)?$/i

const refused = (reason: string) => new WebhookUrlRefused({ reason })

/** Reads an absolute `https` URL without user name, password and fragment. */
export const parseWebhookUrl = (text: string): Result.Result<WebhookUrl, WebhookUrlRefused> => {
  if (text.length > LONGEST_WEBHOOK_URL) return Result.fail(refused("the URL is too long"))
  if (!VISIBLE.test(text)) return Result.fail(refused("a URL holds visible ASCII characters alone"))
  const match = URL_FORM.exec(text)
  if (match === null) return Result.fail(refused("not an https URL without user name, password and fragment"))
  const path = match[2] ?? ""
  return Result.mapBoth(parseServerAddress(match[1] ?? "", "https", DEFAULT_PORT), {
    onSuccess: (server) => ({ text, ...server, path: path.startsWith("/") ? path : `/${path}` }),
    onFailure: refused
  })
}

/** May the service send deliveries to this URL? It is decided when a webhook is created, and again at each delivery. */
export const requireAllowedReceiver = (
  url: WebhookUrl,
  policy: WebhookReceiverPolicy
): Result.Result<WebhookUrl, WebhookUrlRefused> =>
  Result.mapBoth(
    requireReachableServer(url, policy, () => Result.void),
    { onSuccess: () => url, onFailure: refused }
  )

/** Reads one entry of the operator's list: `https://host[:port]`. */
export const parseReceiverEntry = (
  entry: string
): Result.Result<WebhookReceiverPolicy["allow"][number], WebhookUrlRefused> => {
  const match = /^https:\/\/([^/?#@\\]+)\/?$/i.exec(entry)
  return match === null
    ? Result.fail(refused(`an entry is https://host[:port]: ${entry}`))
    : Result.mapError(parseServerAddress(match[1] ?? "", "https", DEFAULT_PORT), refused)
}
