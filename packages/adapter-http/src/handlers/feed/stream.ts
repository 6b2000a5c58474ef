/** Answers the stream of presence events: bytes that were encoded once for all streams. */
import { PresenceSubscriptions } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as Stream from "effect/Stream"
import type { StreamGroup } from "../../api/feed/stream.ts"
import { Admission } from "../../pipeline/admission.ts"
import { type GroupHandlers, RawBody } from "../../pipeline/endpoint.ts"
import { PresenceHub, PresenceStreamOptions } from "../../presence/PresenceHub.ts"
import { refuse } from "../shared/refuse.ts"

/** An answer that a proxy does not buffer. */
const toAnswer = (body: RawBody["body"]): RawBody => new RawBody(200, body, { "x-accel-buffering": "no" })

export const streamHandlers = Effect.gen(function* () {
  const subscriptions = yield* PresenceSubscriptions
  const { credentialOf } = yield* Admission
  const { opened } = yield* PresenceStreamOptions
  const hub = yield* PresenceHub
  const presence: GroupHandlers<typeof StreamGroup>["presence"] = ({ caller, head, query, headers }) => {
    const { organizations } = query
    return Effect.andThen(
      subscriptions.authorize(caller, organizations).pipe(refuse()),
      Effect.suspend(() => {
        if (head.method === "HEAD") return Effect.succeed(toAnswer(HttpBody.stream(Stream.empty, "text/event-stream")))
        return Effect.map(
          hub.subscribe({
            caller,
            credential: credentialOf(head),
            organizationIds: organizations,
            // The header of a client that connects again is newer than the URL that it connected to first.
            lastEventId: headers["last-event-id"] || query.lastEventId || undefined
          }),
          (messages) => {
            opened(head.source)
            return toAnswer(messages)
          }
        )
      })
    )
  }
  return { presence }
})
