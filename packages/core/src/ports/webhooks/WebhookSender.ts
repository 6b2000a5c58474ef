/** The port that sends one delivery over HTTP. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import { TaggedError } from "../../domain/shared/TaggedError.ts"
import type { WebhookUrl } from "../../domain/webhooks/WebhookUrl.ts"

/** No answer came. `reason` is for the webhook's owner: it holds nothing that the receiver sent. */
export class WebhookUnreachable extends TaggedError(
  "WebhookUnreachable",
  "the receiver of the webhook gave no answer"
)<{ readonly reason: string }> {}

/** A POST request of a delivery. */
export interface WebhookRequest {
  readonly url: WebhookUrl
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

/** What is kept of a response. */
export interface WebhookResponse {
  readonly status: number
  /** The header `Retry-After`, as it came. */
  readonly retryAfter?: string | undefined
}

/** Sends deliveries of webhooks over HTTP. */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /**
     * Sends one delivery, and answers the status of the response, whatever it is.
     * Redirects are not followed, and the body of the response is not kept. It reaches no address that the operator does not allow,
     * also where the receiver's name resolves to another address than before. Interrupting it closes the connection.
     */
    readonly send: (request: WebhookRequest) => Effect.Effect<WebhookResponse, WebhookUnreachable>
  }
>()("@sojourn/core/WebhookSender") {}
