/** The stream of presence events across connections. */
import { Refused, RequestFailed } from "./answer.ts"
import type { PresenceMessage } from "./generated.ts"
import { backoff, type CallOptions, type ClientOptions, type Endpoint, send, wait } from "./http.ts"

/** How long a connection may be silent, in milliseconds. The server writes a comment after 15 seconds without a message. */
const SILENCE = 35_000

/** How long to wait before connecting again after `replaced`, in milliseconds: clients must not replace each other in a circle. */
const REPLACED = 60_000

/** Server-sent events of a response as they arrive, and `undefined` for a comment. `inTime` bounds each read. */
async function* messagesOf(
  response: Response,
  signal: AbortSignal,
  inTime: <A>(reading: Promise<A>) => Promise<A>
): AsyncGenerator<PresenceMessage | undefined> {
  const reader = response.body!.getReader()
  // The body of a custom `fetch` may know nothing of the signal.
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}))
  const decoder = new TextDecoder()
  let rest = ""
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read())
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n")
      rest = blocks.pop()!
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1]
        const data = field("data")
        const id = field("id")
        yield data === undefined
          ? undefined
          : ({ ...(id !== undefined && { id }), event: field("event"), data: JSON.parse(data) } as PresenceMessage)
      }
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
  for (let failures = 0; ; failures++) {
    let isReplaced = false
    const connection = new AbortController()
    const abort = () => connection.abort(signal?.reason)
    const inTime = <A>(reading: Promise<A>): Promise<A> => {
      const timer = setTimeout(() => connection.abort(new RequestFailed("the stream is silent")), SILENCE)
      return reading.finally(() => clearTimeout(timer))
    }
    signal?.addEventListener("abort", abort)
    try {
      const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
      const response = await inTime(send(client, endpoint, { organizations: remaining }, connection.signal, headers))
      for await (const message of messagesOf(response, connection.signal, inTime)) {
        failures = 0
        if (message !== undefined) {
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
    if (isOver) return
    await wait(isReplaced ? REPLACED * (1 + Math.random()) : backoff(failures, 1_000), signal)
  }
}
