/** The stream of presence events across connections. */
import { Refused, RequestFailed } from "./answer.ts"
import type { PresenceMessage } from "./openapi.ts"
import { makeEventParser } from "./eventStream.ts"
import { backoff, type CallOptions, type ClientOptions, type Endpoint, send, wait } from "./http.ts"

/** How long a connection may be silent, in milliseconds. The server writes a comment after 15 seconds without a message. */
const SILENCE_TIMEOUT_MS = 35_000

/** The delay before the first attempt to connect again, in milliseconds. */
const RECONNECT_DELAY_MS = 1_000

/** How long to wait before connecting again after `replaced`, in milliseconds: clients must not replace each other in a circle. */
const REPLACED_DELAY_MS = 60_000

/** The messages that each piece of a response completes, of comments none. `inTime` bounds each read. */
async function* messagesOf(
  response: Response,
  signal: AbortSignal,
  inTime: <A>(reading: Promise<A>) => Promise<A>
): AsyncGenerator<ReadonlyArray<PresenceMessage>> {
  const reader = response.body!.getReader()
  // The body of a custom `fetch` may know nothing of the signal.
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}))
  const parse = makeEventParser()
  try {
    for (let read = await inTime(reader.read()); !read.done; read = await inTime(reader.read())) {
      yield parse(read.value).map(
        ({ event, id, data }) => ({ ...(id !== "" && { id }), event, data: JSON.parse(data) }) as PresenceMessage
      )
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
 * two. A new connection leaves out the organizations that a message `gone` named. The
 * stream ends after the message `end` for withdrawn permissions, or when no organization is left.
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
  { signal }: CallOptions = {}
): AsyncGenerator<PresenceMessage, void, void> {
  let lastEventId = after
  let remaining = organizations
  let isOver = false
  for (let failures = 0; !isOver; failures++) {
    let isReplaced = false
    const connection = new AbortController()
    const abort = () => connection.abort(signal?.reason)
    const inTime = <A>(reading: Promise<A>): Promise<A> => {
      const timer = setTimeout(() => connection.abort(new RequestFailed("the stream is silent")), SILENCE_TIMEOUT_MS)
      return reading.finally(() => clearTimeout(timer))
    }
    signal?.addEventListener("abort", abort)
    try {
      const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
      const response = await inTime(send(client, endpoint, { organizations: remaining }, connection.signal, headers))
      for await (const messages of messagesOf(response, connection.signal, inTime)) {
        failures = 0
        for (const message of messages) {
          lastEventId = message.id ?? lastEventId
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
      }
      signal?.throwIfAborted()
    } catch (error) {
      signal?.throwIfAborted()
      if (isForGood(error)) throw error
    } finally {
      signal?.removeEventListener("abort", abort)
      connection.abort()
    }
    const delay = isReplaced ? REPLACED_DELAY_MS * (1 + Math.random()) : backoff(failures, RECONNECT_DELAY_MS)
    if (!isOver) await wait(delay, signal)
  }
}
