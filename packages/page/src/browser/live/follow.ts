/** Follows the presence stream over any number of connections, so that a component sees one sequence of messages. */
import type { MessageJson } from "@sojourn/adapter-http/json"
import { makeEventParser } from "@sojourn/client/eventStream"
import { RequestFailed, send } from "../shared/http.ts"
import { Gap } from "./counts.ts"

/**
 * `connecting` until the first message; `lost` from when the stream is interrupted until it is resumed; `replaced` where the administrator
 * opened too many streams elsewhere.
 */
export type Connection = "connecting" | "live" | "lost" | "replaced"

/** Why a stream cannot be followed any more: the token, or the list of organizations, is not accepted. */
export type Refused = "expired" | "forbidden"

interface FollowOptions {
  readonly token: string
  readonly organizationIds: ReadonlyArray<number>
  /** Is called with each message once, in order. It throws {@link Gap} where an event is missing. */
  readonly onMessage: (message: MessageJson) => void
  /** Is called with the state of the connection, also at each message and at each comment between messages. */
  readonly onConnection: (connection: Connection) => void
  /** Is called once; then nothing is followed any more. */
  readonly onRefused: (reason: Refused) => void
}

/** How long a stream may be silent, in milliseconds. The server writes a comment after 15 seconds without a message. */
const SILENCE_TIMEOUT_MS = 18_000

/** How long a connection may take until its first byte, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000

/** The bounds of the delay before the next attempt, in milliseconds. */
const [MIN_DELAY_MS, MAX_DELAY_MS] = [1_000, 10_000]

/** The shortest delay after `replaced`, in milliseconds: pages must not replace each other in a circle. */
const REPLACED_DELAY_MS = 60_000

/** Waits; shorter, when the browser says that its network is back. */
const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const waiting = new AbortController()
    const done = () => {
      clearTimeout(timer)
      waiting.abort()
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    addEventListener("online", done, { signal: waiting.signal })
    signal.addEventListener("abort", done, { signal: waiting.signal })
  })

/**
 * Reads the presence stream, and connects again after the last message whenever it ends or is silent, so that no event is missed.
 * Answers what stops it.
 */
export const follow = ({ token, organizationIds, onMessage, onConnection, onRefused }: FollowOptions): (() => void) => {
  const stopping = new AbortController()
  let lastEventId: string | undefined
  let failures = 0

  /** Reads one connection until it ends. */
  const readOnce = async (): Promise<"ended" | "replaced" | Refused> => {
    const attempt = new AbortController()
    const abort = () => attempt.abort()
    stopping.signal.addEventListener("abort", abort)
    let timer = setTimeout(abort, CONNECT_TIMEOUT_MS)
    try {
      const response = await send(`/presence/stream?organizations=${organizationIds.join(",")}`, {
        token,
        accept: "text/event-stream",
        headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
        signal: attempt.signal
      })
      const parse = makeEventParser()
      const reader = response.body!.getReader()
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(timer)
        timer = setTimeout(abort, SILENCE_TIMEOUT_MS)
        for (const { event, id, data } of parse(read.value)) {
          const message = [event, JSON.parse(data)] as unknown as MessageJson
          onMessage(message)
          // Nothing follows this id where nothing happened: another stream shall begin with a snapshot, which ends `stale`.
          lastEventId = event === "stale" ? undefined : id === "" ? lastEventId : id
          if (message[0] === "end") {
            const { reason } = message[1]
            return reason === "rotate" || reason === "shutdown" ? "ended" : reason
          }
        }
        // A stream that is resumed has no message when nothing was missed; a new one begins with a snapshot.
        if (lastEventId !== undefined) {
          failures = 0
          onConnection("live")
        }
      }
      return "ended"
    } finally {
      clearTimeout(timer)
      stopping.signal.removeEventListener("abort", abort)
      attempt.abort()
    }
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const end = await readOnce()
        if (end === "replaced") {
          onConnection("replaced")
          await wait(REPLACED_DELAY_MS * (1 + Math.random()), stopping.signal)
          continue
        }
        if (end !== "ended") return onRefused(end)
      } catch (error) {
        if (stopping.signal.aborted) return
        if (error instanceof Gap) lastEventId = undefined
        if (error instanceof RequestFailed && error.status === 401) return onRefused("expired")
        if (error instanceof RequestFailed && [400, 403, 404].includes(error.status)) return onRefused("forbidden")
        onConnection("lost")
      }
      const longest = Math.min(MIN_DELAY_MS * 2 ** failures++, MAX_DELAY_MS)
      // Spread, since all pages of a server lose it at the same moment.
      await wait(longest * (0.5 + Math.random() / 2), stopping.signal)
    }
  }
  void run()
  return () => stopping.abort()
}
