/** The stream of presence events across connections. */
import { Refused } from "./answer.ts"
import type { PresenceMessage } from "./openapi.ts"
import { makeEventParser } from "./eventStream.ts"
import { backoff, limitTime, send, wait } from "./call.ts"
import type { ClientOptions, Endpoint } from "./http.ts"

/** How long a connection may be silent, in milliseconds. The server writes a comment after 15 seconds without a message. */
const SILENCE_TIMEOUT_MS = 35_000

/** The bounds of the delay before the next attempt, in milliseconds. */
const [MIN_DELAY_MS, MAX_DELAY_MS] = [1_000, 10_000]

/** How long to wait before connecting again after `replaced`, in milliseconds: clients must not replace each other in a circle. */
const REPLACED_DELAY_MS = 60_000

/**
 * `live` while messages and comments arrive, `lost` from when a connection breaks until it is resumed, `replaced` while the stream waits
 * because the caller opened too many others.
 */
export type Connection = "live" | "lost" | "replaced"

export interface StreamOptions {
  /** Ends the stream: it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How long a connection may be silent, in milliseconds; 35 seconds by default. The server sends something every 15 seconds. */
  readonly timeout?: number | undefined
  /** Is called at each sign of life of the stream, and when it is interrupted. */
  readonly onConnection?: ((connection: Connection) => void) | undefined
}

/** The messages that each piece of a response completes, of comments none. */
async function* messagesOf(
  response: Response,
  { signal, inTime }: ReturnType<typeof limitTime>
): AsyncGenerator<ReadonlyArray<PresenceMessage>> {
  const reader = response.body!.getReader()
  // The body of a custom `fetch` may know nothing of the signal.
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}))
  const parse = makeEventParser()
  try {
    let piece = await inTime(reader.read())
    while (!piece.done) {
      yield parse(piece.value).map(
        ({ event, id, data }) => ({ ...(id !== "" && { id }), event, data: JSON.parse(data) }) as PresenceMessage
      )
      piece = await inTime(reader.read())
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Whether the server refuses the request for good, rather than for now. */
const isForGood = (error: unknown): boolean => error instanceof Refused && error.status !== 429 && error.status !== 503

/**
 * The messages of the stream, from the message with the id `lastEventId` on if there is one. It connects again whenever a connection breaks,
 * is silent or is ended by the server, and misses nothing; after `end` with `replaced`, when the caller opened too many streams, in a minute or
 * two. A new connection leaves out the organizations that a message `gone` named, and begins with a snapshot after `stale`. The stream ends after
 * the message `end` for withdrawn permissions, or when no organization is left.
 *
 * It throws {@link Refused} where the server refuses the request for good, as with a token that expired. This includes a withdrawn permission
 * or a deleted organization that no `gone` named, because there was no connection: the refusal of the list does not name the organization.
 */
export async function* presence(
  client: ClientOptions,
  endpoint: Endpoint,
  {
    organizations,
    lastEventId: after
  }: { readonly organizations: ReadonlyArray<number>; readonly lastEventId?: string },
  { signal, timeout = SILENCE_TIMEOUT_MS, onConnection }: StreamOptions = {}
): AsyncGenerator<PresenceMessage, void, void> {
  let lastEventId = after
  let remaining = organizations
  let isOver = false
  let failures = 0
  while (!isOver) {
    let isReplaced = false
    const limit = limitTime(signal, timeout)
    try {
      const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
      const response = await limit.inTime(send(client, endpoint, { organizations: remaining }, limit.signal, headers))
      for await (const messages of messagesOf(response, limit)) {
        for (const message of messages) {
          // A snapshot ends `stale`. Nothing would, where the stream went on after it and nothing was missed.
          lastEventId = message.event === "stale" ? undefined : (message.id ?? lastEventId)
          if (message.event === "gone") {
            // The server refuses a list with an organization that cannot be read, for all organizations in it.
            remaining = remaining.filter((id) => id !== message.data.organizationId)
            isOver = remaining.length === 0
          }
          yield message
          if (message.event === "end") {
            if (message.data.reason === "forbidden") return
            isReplaced = message.data.reason === "replaced"
          }
        }
        failures = 0
        // A stream that goes on has no message where nothing was missed; another one begins with a snapshot.
        if (lastEventId !== undefined) onConnection?.("live")
      }
      limit.signal.throwIfAborted()
    } catch (error) {
      signal?.throwIfAborted()
      if (isForGood(error)) throw error
      onConnection?.("lost")
    } finally {
      limit.end()
    }
    if (isReplaced) {
      onConnection?.("replaced")
      await wait(REPLACED_DELAY_MS * (1 + Math.random()), signal)
    } else if (!isOver) await wait(backoff(failures, MIN_DELAY_MS, MAX_DELAY_MS), signal, true)
    failures++
  }
}
